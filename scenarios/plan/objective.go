package plan

import (
	"github.com/berth-sim/berth/reports/fleetplan"
	"github.com/berth-sim/berth/reports/goal"
	"github.com/berth-sim/berth/reports/quantile"
)

// Objective is a goal, and the share of the seeds in which it must be met.
type Objective struct {
	*goal.Goal
	Name, Why string // for people; may be empty
	Quantile  int    // percent of the seeds; 0: Plan.Quantile
}

// Objectives are all goals of a plan.
type Objectives []Objective

// goal returns all goals as one.
func (o Objectives) goal() *goal.Goal {
	goals := make([]*goal.Goal, len(o))
	for i := range o {
		goals[i] = o[i].Goal
	}
	return goal.All(goals...)
}

// want is the number of runs in which some of the terms must hold together.
type want struct {
	need  int
	terms []int // indexes
}

// wants returns one want for each objective with a quantile of its own, and one for all other objectives.
func (p *Plan) wants() []want {
	shared := want{need: int(quantile.Rank(int64(len(p.Seeds)), 10*int64(p.Quantile)))}
	var out []want
	next := 0
	for _, o := range p.Objectives {
		of := &shared
		if o.Quantile != 0 {
			of = &want{need: int(quantile.Rank(int64(len(p.Seeds)), 10*int64(o.Quantile)))}
		}
		for range o.Terms {
			of.terms = append(of.terms, next)
			next++
		}
		if of != &shared {
			out = append(out, *of)
		}
	}
	if len(shared.terms) > 0 {
		out = append(out, shared)
	}
	return out
}

// reported returns the objectives for reports.
func (o Objectives) reported() []fleetplan.Goal {
	out := make([]fleetplan.Goal, len(o))
	for i, one := range o {
		out[i] = fleetplan.Goal{Name: one.Name, Text: one.Text, Why: one.Why, Quantile: one.Quantile}
	}
	return out
}
