package explain

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// relaxSpread changes one of the hard spread constraints, those of the policy included, by as
// little as helps: fewer domains, a higher maxSkew, other nodes that count. Where no maxSkew
// helps it makes the constraint a soft one. The size of a higher maxSkew is the part of it
// that is new.
func relaxSpread(x *analysis) {
	if !x.rejectedNodesBy(scheduler.CheckSpread) {
		return
	}
	var hard spreading
	var names []string
	for i := range x.rules {
		if r := &x.rules[i]; r.Kind == scheduler.SpreadRule {
			hard, names = append(hard, *r.Spread), append(names, x.spreadName(&r.DomainRule))
		}
	}
	for i, s := range hard {
		over := names[i]
		fits := func(change func(*cluster.SpreadConstraint)) bool {
			n, _ := x.fitting(x.variant(hard.with(i, change)))
			return n > 0
		}
		if least := mostDomains(s.MinDomains, fits); least > 0 {
			text := fmt.Sprintf("lower minDomains of %s from %d to %d", over, s.MinDomains, least)
			x.try(Change{Kind: "minDomains", Text: text, Size: perTaint}, hard.with(i, func(c *cluster.SpreadConstraint) { c.MinDomains = least }))
		}
		if !s.HonorNodeTaints {
			text := fmt.Sprintf("set nodeTaintsPolicy of %s to Honor", over)
			x.try(Change{Kind: "nodeTaintsPolicy", Text: text, Size: perTaint}, hard.with(i, func(c *cluster.SpreadConstraint) { c.HonorNodeTaints = true }))
		}
		if skew := smallestSkew(s.MaxSkew, x.cluster.NumPods(), fits); skew > 0 {
			text := fmt.Sprintf("raise maxSkew of %s from %d to %d", over, s.MaxSkew, skew)
			size := 1 - float64(s.MaxSkew)/float64(skew)
			x.try(Change{Kind: "maxSkew", Text: text, Size: size}, hard.with(i, func(c *cluster.SpreadConstraint) { c.MaxSkew = skew }))
			continue
		}
		text := fmt.Sprintf("set whenUnsatisfiable of %s to ScheduleAnyway", over)
		x.try(Change{Kind: "spread", Text: text, Size: wholeRule}, hard.with(i, func(c *cluster.SpreadConstraint) { c.Hard = false }))
	}
}

// spreading are hard spread constraints. For the filters they stand for all constraints of
// a pod, whether they are its own or the policy's.
type spreading []cluster.SpreadConstraint

// with has a class have these, with a change of the i-th.
func (s spreading) with(i int, change func(*cluster.SpreadConstraint)) func(*cluster.Class) {
	return func(c *cluster.Class) {
		c.Spread = slices.Clone(s)
		change(&c.Spread[i])
	}
}

// tryConstraint reports whether the pod would fit with that change of a constraint.
type tryConstraint = func(change func(*cluster.SpreadConstraint)) bool

// mostDomains is the largest minDomains below the present one with which the pod would fit;
// 0: there is none. What a smaller one forbids a larger one forbids, too.
func mostDomains(now int32, fits tryConstraint) int32 {
	with := func(least int32) bool {
		return fits(func(c *cluster.SpreadConstraint) { c.MinDomains = least })
	}
	if now < 2 || !with(1) {
		return 0
	}
	return now - 1 - int32(sort.Search(int(now-2), func(k int) bool { return with(now - 1 - int32(k)) }))
}

// smallestSkew is the smallest maxSkew above the present one with which the pod would fit,
// among so many pods; 0: there is none. A higher one never forbids what a lower one allows.
func smallestSkew(now int32, pods int, fits tryConstraint) int32 {
	with := func(skew int) bool {
		return fits(func(c *cluster.SpreadConstraint) { c.MaxSkew = int32(skew) })
	}
	if !with(math.MaxInt32) {
		return 0
	}
	low, span := int(now)+1, 1
	for span < pods+1 && !with(low+span) {
		span *= 2
	}
	return int32(low + sort.Search(span, func(k int) bool { return with(low + k) }))
}
