package explain

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/berth-sim/berth/sim/cluster"
)

// relaxSpread raises the maxSkew of one of the pod's hard spread constraints, by as
// little as helps, and asks for fewer domains. Where no maxSkew helps it drops the
// constraint. The size of a higher maxSkew is the part of it that is new.
func relaxSpread(x *analysis) {
	if !x.turnedDownBy(spreadFilters) {
		return
	}
	for i, s := range x.class.Spread {
		if !s.Hard {
			continue
		}
		over := "of the spread over " + x.cluster.Text(s.TopologyKey)
		if s.MinDomains > 1 {
			text := fmt.Sprintf("lower minDomains %s from %d to 1", over, s.MinDomains)
			x.try(Change{Kind: "minDomains", Text: text, Size: perTaint}, spreading(i, func(c *cluster.SpreadConstraint) { c.MinDomains = 1 }))
		}
		if skew := x.smallestSkew(i); skew > 0 {
			text := fmt.Sprintf("raise maxSkew %s from %d to %d", over, s.MaxSkew, skew)
			size := 1 - float64(s.MaxSkew)/float64(skew)
			x.try(Change{Kind: "maxSkew", Text: text, Size: size}, spreading(i, func(c *cluster.SpreadConstraint) { c.MaxSkew = skew }))
			continue
		}
		text := fmt.Sprintf("set whenUnsatisfiable %s to ScheduleAnyway", over)
		x.try(Change{Kind: "spread", Text: text, Size: wholeRule}, spreading(i, func(c *cluster.SpreadConstraint) { c.Hard = false }))
	}
}

// spreading changes the i-th spread constraint of a class.
func spreading(i int, change func(*cluster.SpreadConstraint)) func(*cluster.Class) {
	return func(c *cluster.Class) {
		c.Spread = slices.Clone(c.Spread)
		change(&c.Spread[i])
	}
}

// smallestSkew is the smallest maxSkew of the i-th constraint that lets the pod fit; 0
// where none does. A higher one never forbids what a lower one allows.
func (x *analysis) smallestSkew(i int) int32 {
	fits := func(skew int32) bool {
		n, _ := x.fitting(x.variant(spreading(i, func(c *cluster.SpreadConstraint) { c.MaxSkew = skew })))
		return n > 0
	}
	if !fits(math.MaxInt32) {
		return 0
	}
	low := int(x.class.Spread[i].MaxSkew) + 1
	span := 1
	for span < x.cluster.NumPods()+1 && !fits(int32(low+span)) {
		span *= 2
	}
	return int32(low + sort.Search(span, func(k int) bool { return fits(int32(low + k)) }))
}
