package plugins

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// scoreRow is what each domain of one topology key adds to the score of its nodes.
type scoreRow struct {
	partition *cluster.Partition
	sums      []int64 // by domain+1; the first is 0, for nodes without the label
}

// weight is what a pod that declares a term which matches the pod adds to the score.
func (p *interPodAffinity) weight(d cluster.DeclaredTerm) int64 {
	switch d.Role {
	case cluster.RequiredAffinity:
		return p.args.HardPodAffinityWeight
	case cluster.PreferredAffinity:
		return d.Weight
	case cluster.PreferredAntiAffinity:
		return -d.Weight
	}
	return 0
}

// PreScore skips the pod when no pod adds anything, be it that the sum is 0.
func (p *interPodAffinity) PreScore(c *scheduler.Cycle) scheduler.Status {
	plan := p.plan(c)
	if p.args.IgnorePreferredTermsOfExistingPods && len(plan.preferred) == 0 ||
		!p.anyOf(plan.preferred) && !p.anyOf(plan.existingTerms) {
		return scheduler.Status{Code: scheduler.Skip}
	}
	return scheduler.Status{}
}

func (p *interPodAffinity) PrepareScore(c *scheduler.Cycle) bool {
	s, plan := p.state.In(c), p.plan(c)
	s.rows = s.rows[:0]
	for _, sets := range [2][]matchingPods{plan.preferred, plan.existingTerms} {
		for _, of := range sets {
			if counts := p.domainCounts(of); counts.Total() != 0 {
				counts.AddTo(s.row(of.partition).sums[1:], of.weight)
			}
		}
	}
	return len(s.rows) == 0
}

// row returns the row of a partition, all zeros if it is new. Rows keep their memory from
// one pod to the next.
func (s *podAffinityState) row(partition *cluster.Partition) *scoreRow {
	for i := range s.rows {
		if s.rows[i].partition == partition {
			return &s.rows[i]
		}
	}
	n := len(s.rows)
	if n == cap(s.rows) {
		s.rows = append(s.rows, scoreRow{})
	}
	s.rows = s.rows[:n+1]
	row := &s.rows[n]
	row.partition = partition
	row.sums = slices.Grow(row.sums[:0], partition.DomainIDs()+1)[:partition.DomainIDs()+1]
	clear(row.sums)
	return row
}

func (p *interPodAffinity) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	var sum int64
	for i := range p.state.In(c).rows {
		row := &p.state.In(c).rows[i]
		sum += row.sums[row.partition.Domain(node)+1]
	}
	return sum
}

func (p *interPodAffinity) ScoreMany(c *scheduler.Cycle, nodes []cluster.NodeID, out []int64) {
	clear(out)
	for _, row := range p.state.In(c).rows {
		for i, node := range nodes {
			out[i] += row.sums[row.partition.Domain(node)+1]
		}
	}
}

// Normalization implements scheduler.NormalizedScorePlugin.
func (p *interPodAffinity) Normalization() scheduler.Normalization { return scheduler.MinMax }
