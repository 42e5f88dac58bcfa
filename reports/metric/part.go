package metric

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

// Part is a part of a run that metrics are computed for: a workload, the pods of a priority, or
// a pool of nodes. The zero value is the whole run.
type Part struct {
	Scope Scopes // one
	Name  string
}

// partScopes are the scopes that a part can have.
const partScopes = ScopeWorkload | ScopePriority | ScopePool

// Parts of names of values begin and end with these.
const (
	partOpens  = "{"
	partCloses = "}"
)

// String returns the part as it is written in names of values: "{workload=web}"; "" for the whole run.
func (p Part) String() string {
	if p == (Part{}) {
		return ""
	}
	return partOpens + p.Scope.String() + "=" + p.Name + partCloses
}

// ParsePart reads what String writes.
func ParsePart(text string) (Part, error) {
	inner, opened := strings.CutPrefix(text, partOpens)
	inner, closed := strings.CutSuffix(inner, partCloses)
	kind, name, set := strings.Cut(inner, "=")
	kind, name = strings.TrimSpace(kind), strings.TrimSpace(name)
	if !opened || !closed || !set || name == "" {
		return Part{}, errors.New("needs one part of the run between { and }, as {workload=web}, {priority=1000} or {pool=general}")
	}
	var kinds []string
	for _, known := range scopeNames {
		if known.scope&partScopes == 0 {
			continue
		}
		if kinds = append(kinds, known.name); known.name != kind {
			continue
		}
		if _, err := strconv.ParseInt(name, 10, 32); known.scope == ScopePriority && err != nil {
			return Part{}, fmt.Errorf("has the priority %q, which is not a whole number: a priority is written as its value", name)
		}
		return Part{known.scope, name}, nil
	}
	return Part{}, fmt.Errorf("has no figures by %q%s; there are: %s", kind, document.Meant(kind, kinds), strings.Join(kinds, ", "))
}

// PartScopes returns the names of the kinds of parts that the metric is computed for.
func (m *Declaration) PartScopes() []string {
	var out []string
	for _, known := range scopeNames {
		if known.scope&partScopes&m.Scopes != 0 {
			out = append(out, known.name)
		}
	}
	return out
}

// checkPart returns an error if the metric is not computed for such parts.
func (m *Declaration) checkPart(p Part) error {
	if p == (Part{}) || m.Scopes&p.Scope != 0 {
		return nil
	}
	if kinds := m.PartScopes(); len(kinds) > 0 {
		return fmt.Errorf("has no figure of a %s, only of a %s", p.Scope, strings.Join(kinds, " or a "))
	}
	return errors.New("has a figure of the whole run only: leave " + p.String() + " out")
}

// part returns the values of a part; nil if the run does not have it.
func (s *Summary) part(p Part) *ScopeValues {
	if p == (Part{}) {
		return &s.Scopes[0]
	}
	for i := range s.Scopes {
		if s.Scopes[i].Scope == p.Scope && s.Scopes[i].Name == p.Name {
			return &s.Scopes[i]
		}
	}
	return nil
}

// Unknown returns an error if none of the runs has the part. The error lists those that exist.
func (p Part) Unknown(runs []*Summary) error {
	var known []string
	for _, s := range runs {
		if s.part(p) != nil {
			return nil
		}
		for _, of := range s.ScopesOf(p.Scope) {
			if !slices.Contains(known, of.Name) {
				known = append(known, of.Name)
			}
		}
	}
	return unknown(p.Scope.String(), p.Name, known)
}
