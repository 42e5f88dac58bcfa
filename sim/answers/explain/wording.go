package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// ruleText says what a rule asks for.
func (x *analysis) ruleText(r *scheduler.DomainRule) string {
	key := x.cluster.Text(r.Key)
	switch r.Kind {
	case scheduler.SpreadRule:
		most := "none"
		if r.AtMost > 0 {
			most = fmt.Sprintf("at most %d", r.AtMost)
		}
		text := fmt.Sprintf("%s with maxSkew %d: before this pod, a domain may hold %s of %s",
			x.spreadName(r), r.Spread.MaxSkew, most, x.selectorText(&r.Spread.Selector))
		if least := int(r.Spread.MinDomains); least > max(r.NumCounted, 1) {
			text += fmt.Sprintf("; minDomains is %d, of which there are %d, so an empty one is assumed", least, r.NumCounted)
		}
		return text
	case scheduler.AffinityRule:
		texts := make([]string, len(r.Terms))
		for i, t := range r.Terms {
			texts[i] = x.podsOf(t)
		}
		return fmt.Sprintf("pod affinity to %s over %s", strings.Join(texts, " that are also "), key)
	case scheduler.AntiAffinityRule:
		return fmt.Sprintf("pod anti-affinity to %s over %s", x.podsOf(r.Terms[0]), key)
	}
	return fmt.Sprintf("anti-affinity of pods that are there to %s over %s", x.podsOf(r.Terms[0]), key)
}

func (x *analysis) spreadName(r *scheduler.DomainRule) string {
	if r.FromPluginArgs {
		return "the policy's spread over " + x.cluster.Text(r.Key)
	}
	return "the spread over " + x.cluster.Text(r.Key)
}

// podsOf says which pods a term is about.
func (x *analysis) podsOf(t *cluster.PodTerm) string {
	var where []string
	for _, n := range t.Namespaces {
		where = append(where, x.cluster.Text(n))
	}
	switch s := &t.NamespaceSelector; {
	case s.Nothing && slices.Equal(t.Namespaces, []cluster.Symbol{x.class.Namespace}):
		return x.selectorText(&t.Selector)
	case s.IsEmpty():
		where = []string{"all namespaces"}
	case !s.Nothing:
		where = append(where, "namespaces with "+x.requirements(s))
	}
	return x.selectorText(&t.Selector) + " in " + cmp.Or(strings.Join(where, ", "), "no namespace")
}

// selectorText says which pods a selector selects.
func (x *analysis) selectorText(s *cluster.LabelSelector) string {
	switch {
	case s.Nothing:
		return "no pods"
	case s.IsEmpty():
		return "all pods"
	}
	return "pods with " + x.requirements(s)
}

// requirements writes a selector as kubectl takes it.
func (x *analysis) requirements(s *cluster.LabelSelector) string {
	parts := make([]string, len(s.Requirements))
	for i, r := range s.Requirements {
		values := make([]string, len(r.Values))
		for k, v := range r.Values {
			values[k] = x.cluster.Text(v)
		}
		slices.Sort(values)
		key, list := x.cluster.Text(r.Key), strings.Join(values, ",")
		switch {
		case r.Op == cluster.In && len(values) == 1:
			parts[i] = key + "=" + list
		case r.Op == cluster.In:
			parts[i] = key + " in (" + list + ")"
		case r.Op == cluster.NotIn:
			parts[i] = key + " notin (" + list + ")"
		case r.Op == cluster.DoesNotExist:
			parts[i] = "!" + key
		case r.Op == cluster.Exists:
			parts[i] = key
		default: // Gt and Lt are for nodes only
			parts[i] = fmt.Sprint(key, " ", r.Op, " ", r.Bound)
		}
	}
	return strings.Join(parts, ",")
}
