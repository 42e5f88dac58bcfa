package explain

import (
	"fmt"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// rule is a rule about topology domains that rejects nodes, or another hard spread
// constraint.
type rule struct {
	plugin string
	scheduler.DomainRule
}

// domains gathers the rules about topology domains that reject a node, and what
// they find in each domain.
func (x *analysis) domains() {
	in := x.scheduler.Inspect(x.attempt.Pod, x.class)
	against := map[cluster.NodeID]*judged{}
	for i := range x.nodes {
		against[x.nodes[i].id] = &x.nodes[i]
	}
	in.EachDomainRule(func(plugin string, of scheduler.DomainRule) {
		r := rule{plugin, of}
		breaks := slices.ContainsFunc(x.nodes, func(j judged) bool { return of.Breaks(j.id) })
		if breaks || of.Kind == scheduler.SpreadRule {
			x.rules = append(x.rules, r)
		}
		if breaks {
			x.out.Rules = append(x.out.Rules, Rule{
				Plugin: plugin, Topology: x.cluster.Text(of.Key), Text: x.ruleText(&of), Domains: x.domainsOf(&r, against),
			})
		}
	})
}

// found is what a rule finds in a domain.
type found struct {
	Domain
	open bool // some node of it is not rejected by another plugin
}

// domainsOf says what a rule finds in each domain; domains in which it finds the same are
// put together.
func (x *analysis) domainsOf(r *rule, against map[cluster.NodeID]*judged) []Domain {
	var each []found
	at := map[int32]int{}
	for _, node := range x.cluster.Order() {
		d := r.Domains[node]
		k, seen := at[d]
		if !seen {
			k = len(each)
			at[d] = k
			value, _ := x.cluster.Node(node).Labels.Get(r.Key)
			each = append(each, found{Domain: Domain{
				Domain: x.cluster.Text(value), Domains: 1, Pods: r.Counts.Count(d),
				Rejected: r.Breaks(node), Uncounted: r.Counted != nil, Others: []string{},
			}})
		}
		f := &each[k]
		f.Nodes++
		f.Uncounted = f.Uncounted && r.Counted[node] == cluster.NoDomain
		if f.Pod == "" && f.Pods > 0 {
			f.Pod = x.countedOn(r, node)
		}
		f.note(against[node], r.plugin)
	}
	return alikeDomains(each)
}

// note gathers the plugins but one that reject a node.
func (f *found) note(j *judged, but string) {
	open := true
	for i := 0; j != nil && i < len(j.all); i++ {
		if plugin := j.all[i].plugin; plugin != but {
			open = false
			if !slices.Contains(f.Others, plugin) {
				f.Others = append(f.Others, plugin)
			}
		}
	}
	f.open = f.open || open
}

func alikeDomains(each []found) []Domain {
	var out []Domain
	at := map[string]int{}
	for _, f := range each {
		if f.open {
			f.Others = []string{}
		}
		key := fmt.Sprint(f.Domain.Domain == "", f.Pods, f.Rejected, f.Uncounted, f.Others)
		k, seen := at[key]
		if !seen {
			at[key] = len(out)
			out = append(out, f.Domain)
			continue
		}
		out[k].Domains++
		out[k].Nodes += f.Nodes
	}
	return out
}

// countedOn names a pod on the node that the rule counts; empty: there is none.
func (x *analysis) countedOn(r *rule, node cluster.NodeID) string {
	name := ""
	for _, pod := range x.cluster.PodsOn(node) {
		if x.cluster.Topology.Includes(r.Counts, pod) {
			if other := podName(x.cluster, pod); name == "" || other < name {
				name = other
			}
		}
	}
	return name
}
