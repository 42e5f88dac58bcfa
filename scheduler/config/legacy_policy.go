package config

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/legacy"
	"github.com/berth-sim/berth/sim/files/document"
)

// legacyPolicy is a Policy, its lists left undecoded so that each entry keeps its
// position.
//
// Upstream: pkg/scheduler/api/v1/types.go, v1.16.15.
type legacyPolicy struct {
	typeMeta
	Predicates                     []document.Value `json:"predicates"`
	Priorities                     []document.Value `json:"priorities"`
	Extenders                      []document.Value `json:"extenders"`
	HardPodAffinitySymmetricWeight int64            `json:"hardPodAffinitySymmetricWeight"`
	AlwaysCheckAllPredicates       bool             `json:"alwaysCheckAllPredicates"`
}

// algorithm reads a Policy. A list that is left out is that of the default provider; one
// that is empty leaves the mandatory predicates, or scores that are all equal.
//
// Upstream: CreateFromConfig, pkg/scheduler/factory/factory.go, v1.16.15.
func (l *legacyReading) algorithm(root document.Value) {
	if v := root.Get("apiVersion"); v.Text() != policyAPIVersion {
		if v.Exists() {
			l.errors.Add(v, "", "is not supported; a %s is of %s", policyKind, policyAPIVersion)
		} else {
			l.errors.Add(root, "apiVersion", "is missing; a %s is of %s", policyKind, policyAPIVersion)
		}
		return
	}
	var p legacyPolicy
	l.errors.Append(document.Decode(root, &p))
	given := func(list string) bool { return root.Get(list).Kind() == document.List }
	l.priorities = legacy.DefaultPriorities()
	named := map[string]document.Value{}
	if given("predicates") {
		l.readPredicates(p.Predicates, named)
	} else {
		l.defaultPredicates()
	}
	if given("priorities") {
		l.readPriorities(p.Priorities, named)
	}
	l.hardPodAffinity(root, p.HardPodAffinitySymmetricWeight)
	l.checkAll = p.AlwaysCheckAllPredicates
	l.legacyExtenders(p.Extenders)
}

// ruleEntry is an entry of predicates or priorities.
type ruleEntry struct {
	Name     string         `json:"name" doc:"required"`
	Weight   *int64         `json:"weight"`
	Argument document.Value `json:"argument"`
}

// ruleName is what a rule may be called.
//
// Upstream: validName, pkg/scheduler/factory/plugins.go, v1.16.15.
var ruleName = regexp.MustCompile(`^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])$`)

// rule reads the entry of a rule and checks its name, which is left empty where it has no
// use.
func (l *legacyReading) rule(v document.Value, named map[string]document.Value) ruleEntry {
	var e ruleEntry
	l.errors.Append(document.Decode(v, &e))
	before, twice := named[e.Name]
	_, kept := l.profile.Registry[e.Name]
	isRule := slices.Contains(legacy.Predicates(), e.Name) || slices.Contains(legacy.Priorities(), e.Name)
	switch {
	case e.Name == "":
		if v.Get("name").Kind() == document.String {
			l.errors.Add(v, "name", "must not be empty")
		} else if v.Kind() == document.Null {
			l.errors.Add(v, "", "is not a rule")
		}
		return e
	case !ruleName.MatchString(e.Name):
		l.errors.Add(v, "name", "must be two or more letters, digits and hyphens, with no hyphen at the ends")
	case twice:
		l.errors.Add(v, "name", "is the name of %s already", before.Path())
	case kept && !isRule:
		l.errors.Add(v, "name", "is the name of a plugin of every profile")
	default:
		named[e.Name] = v
		return e
	}
	e.Name = ""
	return e
}

// dropsRule reports whether a rule is left out, and warns of it.
func (l *legacyReading) dropsRule(v document.Value, e ruleEntry, known []string) bool {
	_, given := e.argument(v)
	if !l.drops(e.Name, given || oldName[e.Name] != "" || slices.Contains(known, e.Name)) {
		return false
	}
	l.met[e.Name] = true
	l.policy.Warnings.Add(v, "name", "is left out, as asked")
	return true
}

// argument is the argument of a rule, if it has one.
func (e *ruleEntry) argument(v document.Value) (document.Value, bool) {
	return v.Get("argument"), e.Argument.Exists() && e.Argument.Kind() != document.Null
}

// oldName are other names of predicates: one of Kubernetes 1.0 that Policies were still
// allowed to use, and one without the suffix that it has by mistake.
var oldName = map[string]string{"PodFitsPorts": "PodFitsHostPorts", "MaxCSIVolumeCount": legacy.MaxCSIVolumeCount}

// readPredicates replaces the default predicates, and sorts those that are named into the
// order in which nodes meet them.
func (l *legacyReading) readPredicates(entries []document.Value, named map[string]document.Value) {
	instances := map[string][]string{} // by the rule that they are made of
	for _, v := range entries {
		e := l.rule(v, named)
		if l.dropsRule(v, e, legacy.Predicates()) {
			continue
		}
		if e.Weight != nil {
			l.errors.Add(v, "weight", "is for priorities only")
		}
		of := e.Name
		if now, renamed := oldName[of]; renamed {
			of = now
		}
		if at, given := e.argument(v); given {
			of = l.predicateArgument(e.Name, at)
		} else if !l.checkRule(v, of, legacy.Predicates(), "predicate") {
			continue
		}
		switch instance := instanceName(e.Name, of); {
		case of == "" || e.Name == "":
		case slices.Contains(instances[of], instance):
			l.errors.Add(v, "name", "names the rule %s, which is listed already", of)
		default:
			instances[of] = append(instances[of], instance)
		}
	}
	for _, name := range legacy.MandatoryPredicates() {
		if len(instances[name]) == 0 {
			instances[name] = []string{name}
		}
	}
	l.predicates = nil
	for _, name := range legacy.Predicates() {
		l.predicates = append(l.predicates, instances[name]...)
	}
}

// instanceName is the name of a rule in the profile: an old name gives way to the one that
// took its place.
func instanceName(name, of string) string {
	if _, renamed := oldName[name]; renamed {
		return of
	}
	return name
}

// maxRuleWeight keeps the sum of all scores within the range of a number.
//
// Upstream: MaxWeight, pkg/scheduler/api/types.go, v1.16.15.
const maxRuleWeight = math.MaxInt64 / scheduler.MaxLegacyScore

// readPriorities replaces the default priorities.
//
// Upstream: ValidatePolicy, pkg/scheduler/api/validation/validation.go, and
// validateSelectedConfigs, pkg/scheduler/factory/plugins.go, v1.16.15.
func (l *legacyReading) readPriorities(entries []document.Value, named map[string]document.Value) {
	l.priorities = nil
	left := int64(maxRuleWeight)
	for _, v := range entries {
		e := l.rule(v, named)
		if l.dropsRule(v, e, legacy.Priorities()) {
			continue
		}
		var weight int64
		switch {
		case v.Kind() != document.Map: // reported where it is decoded
		case e.Weight == nil:
			l.errors.Add(v, "weight", "is missing; it must be positive")
		case document.Decode(v.Get("weight"), new(int64)) != nil: // reported too
		case *e.Weight <= 0:
			l.errors.Add(v, "weight", "must be positive")
		case *e.Weight >= maxRuleWeight:
			l.errors.Add(v, "weight", "is too large: it must be below %d", int64(maxRuleWeight))
		case *e.Weight > left:
			l.errors.Add(v, "weight", "is too large: all scores together must not be above %d", int64(math.MaxInt64))
		default:
			weight = *e.Weight
			left -= weight
		}
		if at, given := e.argument(v); given {
			l.priorityArgument(e.Name, at)
		} else if !l.checkRule(v, e.Name, legacy.Priorities(), "priority") {
			continue
		}
		l.priorities = append(l.priorities, scheduler.PluginRef{Name: e.Name, Weight: weight})
	}
}

// needArgument are the rules that do nothing without their argument.
var needArgument = map[string]string{
	legacy.CheckNodeLabelPresence:      "labelsPresence",
	legacy.CheckServiceAffinity:        "serviceAffinity",
	legacy.NodeLabelPriority:           "labelPreference",
	legacy.ServiceAntiAffinityPriority: "serviceAntiAffinity",
}

// gatedRules are rules that a feature gate of that time kept away.
var gatedRules = map[string]string{"ResourceLimitsPriority": "ResourceLimitsPriorityFunction"}

// checkRule reports whether a rule exists that has no argument. It adds an error if not.
func (l *legacyReading) checkRule(v document.Value, name string, known []string, what string) bool {
	argument, needed := needArgument[name]
	gate, gated := gatedRules[name]
	switch {
	case name == "": // reported already
	case gated:
		l.errors.Add(v, "name", "is not supported: it needs the feature gate %s, which was off by default", gate)
	case needed && slices.Contains(known, name):
		l.errors.Add(v, "argument", "is missing: %s needs %s", name, argument)
	case !slices.Contains(known, name):
		l.errors.Add(v, "name", "is not a %s%s: to continue without it, use --drop-plugin %s", what, meantRule(name, known), name)
	default:
		return true
	}
	return false
}

func meantRule(name string, known []string) string {
	near := nearest(name, known)
	for _, candidate := range known {
		if near == "" && strings.HasPrefix(candidate, name) {
			near = candidate
		}
	}
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", near)
}

// instance makes a rule of that name out of one of the registry, with arguments, and returns
// that one; nothing where another rule has the name: rules that exist keep their meaning.
func (l *legacyReading) instance(v document.Value, name, of string, args any) string {
	if name == "" {
		return of // why is reported already
	}
	if _, exists := l.profile.Registry[name]; exists && name != of {
		l.errors.Add(v, "", "is not for %s, which is another rule: choose a name of your own", name)
		return ""
	}
	registry := maps.Clone(l.profile.Registry)
	registry[name] = registry[of]
	l.profile.Registry = registry
	l.profile.Args[name] = args
	return of
}
