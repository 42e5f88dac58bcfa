// Package fleetplan holds and shows the answers of berth plan: which fleets hold a goal, and how few nodes a workload fits
// into.
package fleetplan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/metric"
)

// Plan is which fleets hold a goal, as far as they were tried.
type Plan struct {
	Scenario, Policy, Goal string
	Goals                  []Goal // that Goal consists of
	Seeds                  []uint64
	Quantile               int    // percent of the seeds that the goal must hold in
	Pools                  []Pool // that vary
	Priced                 bool   // cost is money an hour, not a number of nodes
	Probes                 []Probe
	// Fewest and Most are the smallest and the largest fleet, and Best the smallest or cheapest that holds the goal. Found
	// is the same except for the broken terms. Frontier are fleets of which no pool can be smaller.
	// All are indexes of Probes; -1: there is none, or it was not tried.
	Fewest, Most, Best, Found int

	Frontier       []int
	Exact          bool    // no fleet is better than Best
	Bound          float64 // of several pools: no fleet that costs less holds the goal
	Broken         []BrokenTerm
	Contradictions []Contradiction
	Warnings       []string
	Skipped        []string // lines on objects that do not affect scheduling
	Partial        bool     // interrupted
}

// Goal is one of the goals of a plan.
type Goal struct {
	Name, Text, Why string
	Quantile        int // percent of the seeds that it must hold in; 0: as the plan says
}

// Pool is a pool that varies.
type Pool struct {
	Name         string
	Low, High    int
	PricePerHour float64
}

// Probe is a fleet that was tried.
type Probe struct {
	Counts  []int // by pool
	Cost    float64
	Held    int // seeds in which the goal holds
	Holds   bool
	Values  []Value // of the metrics of the goal: means over the seeds
	Failing []Term  // terms that do not hold in some seeds
	Reasons []Reason
	// StoppedEarly counts the seeds whose runs were ended when they could not meet the goal any more. Of such a run Values has
	// only what made it hopeless, as of that time.
	StoppedEarly int
}

// Value is a figure that the goal is about.
type Value struct {
	metric.Key
	Value float64 // NaN: there is none
}

// Term is a term of the goal that does not hold.
type Term struct {
	Text  string
	Why   string // of the median of these seeds: "placement.pending is 3, the goal wants 0"
	Seeds int    // in which it does not
	// Binds says that they are too many, and Broken that it is for too many nodes: the term
	// holds on the smallest fleet.
	Binds, Broken bool
}

// Reason is a reason why pods are pending.
type Reason struct {
	Reason string
	Pods   float64 // mean over the seeds
}

// BrokenTerm is a term that holds on the smallest fleet, and not on the largest.
type BrokenTerm struct {
	Text  string
	Seeds int // in which it is so
}

// Contradiction are two fleets of which the smaller holds the goal and the larger does
// not, by one seed or by all.
type Contradiction struct {
	All         bool
	Seed        uint64
	Fewer, More []int // counts by pool
}

// MeanReasons are the reasons why pods are pending at the end of the runs, most pods first. A pod counts under each of its
// reasons: what to add to a fleet depends on all of them.
func MeanReasons(runs []*metric.Summary) []Reason {
	var out []Reason
	for _, s := range runs {
		for _, v := range s.Scopes[0].Values {
			if v.Metric.Name != "placement.pendingReason" {
				continue
			}
			at := slices.IndexFunc(out, func(r Reason) bool { return r.Reason == v.Label })
			if at < 0 {
				at = len(out)
				out = append(out, Reason{Reason: v.Label})
			}
			out[at].Pods += v.Value / float64(len(runs))
		}
	}
	slices.SortStableFunc(out, func(a, b Reason) int {
		return cmp.Or(-cmp.Compare(a.Pods, b.Pods), strings.Compare(a.Reason, b.Reason))
	})
	return out
}

// Reached reports whether a fleet was found that holds the goal.
func (p *Plan) Reached() bool { return p.Best >= 0 }

// Contradicted reports whether the goal was seen to be not monotone.
func (p *Plan) Contradicted() bool {
	return slices.ContainsFunc(p.Contradictions, func(c Contradiction) bool { return c.All })
}

// fleet returns counts as a text: "42 nodes of general", "12 of general and 3 of gpu".
func (p *Plan) fleet(counts []int) string {
	if len(counts) == 1 {
		return human.Counted(counts[0], "node") + " of " + p.Pools[0].Name
	}
	parts := make([]string, len(counts))
	for i, n := range counts {
		parts[i] = human.Whole(n) + " of " + p.Pools[i].Name
	}
	return human.List(parts)
}

// costs returns what fleets cost as a text: "15.20 an hour", "12 nodes".
func (p *Plan) costs(cost float64) string {
	if p.Priced {
		return human.Number(cost, 2) + " an hour"
	}
	return human.Counted(cost, "node")
}

// Answer is what was found, in a few sentences.
func (p *Plan) Answer() []string {
	var out []string
	switch {
	case p.Best >= 0:
		out = append(out, p.bestSentence())
	case p.Found >= 0 && len(p.Broken) > 0:
		found := &p.Probes[p.Found]
		out = append(out, fmt.Sprintf("no fleet within the limits was found that holds the goal: %s, the fewest that hold the rest of it, are too many for %s: %s",
			p.fleet(found.Counts), p.brokenTerms(), p.why(found)))
	default:
		most := &p.Probes[p.Most]
		text := fmt.Sprintf("no fleet that was tried holds the goal: with %s, the most that were asked for, %s%s", p.fleet(most.Counts), p.why(most), most.pending())
		if p.Fewest >= 0 && p.Fewest != p.Most {
			fewest := &p.Probes[p.Fewest]
			text += fmt.Sprintf(". With %s %s", p.fleet(fewest.Counts), p.why(fewest))
		}
		out = append(out, text)
	}
	if p.Best >= 0 && len(p.Broken) > 0 {
		out = append(out, fmt.Sprintf("more nodes break %s: it holds on the smallest fleet and not on the largest%s", p.brokenTerms(), p.brokenSeeds()))
	}
	return append(out, p.contradictions()...)
}

// brokenTerms lists them.
func (p *Plan) brokenTerms() string {
	var out []string
	for _, b := range p.Broken {
		out = append(out, b.Text)
	}
	return human.List(out)
}

// brokenSeeds says in how many seeds terms are broken, unless it is all of them.
func (p *Plan) brokenSeeds() string {
	least, most := len(p.Seeds), 0
	for _, b := range p.Broken {
		least, most = min(least, b.Seeds), max(most, b.Seeds)
	}
	switch {
	case least == len(p.Seeds):
		return ""
	case least == most:
		return fmt.Sprintf(", in %d of %d seeds", least, len(p.Seeds))
	}
	return fmt.Sprintf(", in %d to %d of %d seeds", least, most, len(p.Seeds))
}

// bestSentence says which fleet is best, and why no smaller one is.
func (p *Plan) bestSentence() string {
	best := &p.Probes[p.Best]
	text := p.fleet(best.Counts) + " hold the goal"
	if len(best.Counts) == 1 && best.Counts[0] == 1 {
		text = p.fleet(best.Counts) + " holds the goal"
	}
	if len(p.Pools) == 1 {
		return text + p.bestOfOne()
	}
	if p.Priced {
		text += ", at " + p.costs(best.Cost)
	} else {
		text += ", " + p.costs(best.Cost) + " in all"
	}
	least := p.leastCost()
	switch {
	case p.Exact && best.Cost <= least:
		return text + ": the smallest fleet that was asked for"
	case p.Exact:
		return text + "; nothing cheaper does"
	case p.Contradicted():
		return text + "; cheaper ones may"
	}
	text += "; cheaper ones may"
	if p.Bound > least {
		text += ", but none under " + p.costs(p.Bound)
	}
	return fmt.Sprintf("%s: the search ended after %s", text, human.Counted(len(p.Probes), "fleet"))
}

// bestOfOne says the same where one pool varies.
func (p *Plan) bestOfOne() (text string) {
	best, below := &p.Probes[p.Best], p.Best-1
	if p.Priced {
		text = ", at " + p.costs(best.Cost)
	}
	switch {
	case below >= 0 && p.Probes[below].Counts[0] == best.Counts[0]-1:
		return fmt.Sprintf("%s (%s: %s)", text, doNot(p.Probes[below].Counts[0]), p.why(&p.Probes[below]))
	case p.Exact:
		return text + ": the fewest that were asked for"
	}
	return text + "; fewer may do"
}

// leastCost is what the smallest fleet within the limits costs.
func (p *Plan) leastCost() float64 {
	sum := 0.0
	for _, pool := range p.Pools {
		price := 1.0
		if p.Priced {
			price = pool.PricePerHour
		}
		sum += float64(float64(pool.Low) * price)
	}
	return sum
}

// confirmed reports whether the fleets tried confirm that more nodes do not break the goal: one holds it, and
// so does a larger one.
func (p *Plan) confirmed() bool {
	for i := range p.Probes {
		for j := range p.Probes {
			fewer, more := &p.Probes[i], &p.Probes[j]
			if i != j && fewer.Holds && more.Holds && fewer.within(more) {
				return true
			}
		}
	}
	return false
}

// doNot says that so many nodes do not hold the goal.
func doNot(n int) string {
	if n == 1 {
		return "1 does not"
	}
	return human.Whole(n) + " do not"
}

// why says which terms a fleet does not hold, and in how many of the seeds unless it is all.
func (p *Plan) why(b *Probe) string {
	// Of terms that fail in a few seeds each, all may be needed to make too many.
	for _, tells := range []func(t Term) bool{
		func(t Term) bool { return t.Binds && !t.Broken }, func(t Term) bool { return t.Binds }, func(Term) bool { return true },
	} {
		var out []string
		for _, t := range b.Failing {
			if !tells(t) {
				continue
			}
			if t.Seeds < len(p.Seeds) {
				t.Why += fmt.Sprintf(", in %d of %d seeds", t.Seeds, len(p.Seeds))
			}
			out = append(out, t.Why)
		}
		if len(out) > 0 {
			return strings.Join(out, "; ")
		}
	}
	return "nothing fails"
}

// within reports whether no pool of the fleet is larger than in another one.
func (b *Probe) within(other *Probe) bool {
	for i, n := range b.Counts {
		if n > other.Counts[i] {
			return false
		}
	}
	return true
}

// pending says why most pods are pending.
func (b *Probe) pending() string {
	var out []string
	for _, r := range b.Reasons[:min(len(b.Reasons), 3)] {
		out = append(out, fmt.Sprintf("%q (%s)", r.Reason, human.Number(r.Pods, 1)))
	}
	if len(out) == 0 {
		return ""
	}
	return ". Pods are pending for " + human.List(out)
}

// contradictions say where the probes contradict what the search rests on.
func (p *Plan) contradictions() []string {
	var out []string
	seeds, first := 0, Contradiction{}
	for _, c := range p.Contradictions {
		if c.All {
			out = append(out, fmt.Sprintf("the goal is not monotone: it holds with %s and not with %s, so that the answer may not be the smallest fleet",
				p.fleet(c.Fewer), p.fleet(c.More)))
			continue
		}
		if seeds++; seeds == 1 {
			first = c
		}
	}
	if seeds > 0 && len(p.Seeds) > 1 {
		out = append(out, fmt.Sprintf("with %s of %d the goal is not monotone: with seed %d it holds with %s and not with %s",
			human.Counted(seeds, "seed"), len(p.Seeds), first.Seed, p.fleet(first.Fewer), p.fleet(first.More)))
	}
	return out
}
