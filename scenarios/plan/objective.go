package plan

import (
	"github.com/berth-sim/berth/reports/fleetplan"
	"github.com/berth-sim/berth/reports/goal"
	"github.com/berth-sim/berth/reports/quantile"
)

// Objective is a goal, and in how many of the seeds it must hold.
type Objective struct {
	*goal.Goal
	Name, Why string // for people; may be empty
	Quantile  int    // percent of the seeds; 0: as the plan says
}

// Objectives are all that a fleet must reach.
type Objectives []Objective

// goal is all of the goals as one.
func (o Objectives) goal() *goal.Goal {
	goals := make([]*goal.Goal, len(o))
	for i := range o {
		goals[i] = o[i].Goal
	}
	return goal.All(goals...)
}

// want is in how many runs some of the terms must hold together.
type want struct {
	need  int
	terms []int // indexes
}

// wants are those of the objectives: one of each that has a quantile of its own, and one of
// all the others.
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

// reported are the objectives as reports show them.
func (o Objectives) reported() []fleetplan.Goal {
	out := make([]fleetplan.Goal, len(o))
	for i, one := range o {
		out[i] = fleetplan.Goal{Name: one.Name, Text: one.Text, Why: one.Why, Quantile: one.Quantile}
	}
	return out
}
