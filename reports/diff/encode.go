package diff

import (
	"github.com/berth-sim/berth/reports/compare"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// Schema names the form of a difference's JSON.
const Schema = "berth/diff/v1"

type diffObject struct {
	Schema     string            `json:"schema"`
	Equal      bool              `json:"equal"`
	Answer     []string          `json:"answer"`
	Runs       [2]runObject      `json:"runs"`
	Facts      []Fact            `json:"facts"`
	First      *FirstRecord      `json:"firstRecord"`
	Order      *orderObject      `json:"order"`
	Divergence *divergenceObject `json:"divergence"`
	Pods       Tally             `json:"pods"`
	Loads      []WorkloadTally   `json:"workloads"`
	Worst      []podObject       `json:"worst"`
	Deltas     []compare.Delta   `json:"metrics"`
}

type runObject struct {
	Dir      string `json:"dir"` // or what was run
	Scenario string `json:"scenario"`
	Policy   string `json:"policy"`
	Seed     uint64 `json:"seed"`
	Records  int64  `json:"records"`
}

type orderObject struct {
	Order
	Seconds float64 `json:"seconds"`
}

type divergenceObject struct {
	Pod      string            `json:"pod"`
	Workload string            `json:"workload"`
	Attempts [2]*attemptObject `json:"attempts"` // null: the run has no such attempt
}

type attemptObject struct {
	Seconds   float64  `json:"seconds"`
	Attempt   int      `json:"attempt"`
	Outcome   string   `json:"outcome"`
	Node      string   `json:"node"`
	Feasible  int      `json:"feasibleNodes"`
	Evaluated int      `json:"evaluatedNodes"`
	Nominated string   `json:"nominatedNode"`
	Victims   int      `json:"victims"`
	Evicted   []string `json:"evicted"`
	Error     string   `json:"error,omitempty"`
	Reasons   []reason `json:"reasons"`
	Scores    *scores  `json:"scores"` // null: there are none, or they are not known
	NotRerun  string   `json:"notPlayedAgain,omitempty"`
}

type reason struct {
	Plugin string `json:"plugin"`
	Reason string `json:"reason"`
	Nodes  int    `json:"nodes"`
}

type scores struct {
	Plugins []string      `json:"plugins"`
	Ties    int           `json:"ties"`
	Nodes   []explain.Row `json:"nodes"` // the one taken, and the one to compare it with
}

type podObject struct {
	Pod       string            `json:"pod"`
	Workload  string            `json:"workload"`
	Elsewhere bool              `json:"elsewhere"`
	Runs      [2]*outcomeObject `json:"runs"` // null: it is not in that run
}

type outcomeObject struct {
	State     State   `json:"state"`
	Node      string  `json:"node"`
	Attempts  int     `json:"attempts"`
	Preempted int     `json:"preempted"`
	Evicted   int     `json:"evictedOtherwise"`
	Arrived   float64 `json:"arrivedSeconds"`
	Waited    float64 `json:"waitedSeconds"`
}

func (d *Diff) object() diffObject {
	out := diffObject{
		Schema: Schema, Equal: d.Equal(), Answer: d.answer(), Facts: append([]Fact{}, d.Facts...), First: d.First,
		Pods: d.Pods, Loads: append([]WorkloadTally{}, d.Workloads...), Worst: []podObject{}, Deltas: append([]compare.Delta{}, d.Deltas...),
	}
	for s, run := range d.Runs {
		m := &run.Manifest
		out.Runs[s] = runObject{d.Names[s], m.Scenario, m.Policy, *m.Seed, run.Records}
	}
	if o := d.Order; o != nil {
		out.Order = &orderObject{*o, o.At.Seconds()}
	}
	if p := d.Divergence; p != nil {
		out.Divergence = p.object()
	}
	for i := range d.Worst {
		out.Worst = append(out.Worst, d.Worst[i].object())
	}
	return out
}

func (p *Divergence) object() *divergenceObject {
	out := &divergenceObject{Pod: p.Name, Workload: p.Workload}
	for s, a := range p.Attempts {
		if a == nil {
			continue
		}
		o := &attemptObject{
			Seconds: a.At.Seconds(), Attempt: a.Number, Outcome: a.Outcome, Node: a.Node, Feasible: a.Info.Feasible, Evaluated: a.Info.Evaluated,
			Nominated: a.Nominated, Victims: a.Info.Victims, Evicted: append([]string{}, a.Evicted...), Error: a.Err,
			Reasons: reasonList(a.Info.Reasons), NotRerun: p.NotRerun[s],
		}
		if rows := p.ScoreRows(s); rows != nil {
			c := p.Explained[s].Choice
			o.Scores = &scores{c.Plugins, c.Ties, rows}
		}
		out.Attempts[s] = o
	}
	return out
}

func reasonList(list []record.ReasonCount) []reason {
	out := []reason{}
	for _, r := range list {
		out = append(out, reason(r))
	}
	return out
}

func (p *Pod) object() podObject {
	out := podObject{Pod: p.Name, Workload: p.Workload, Elsewhere: p.OtherNode}
	seconds := func(t clock.Time) float64 { return t.Seconds() }
	for s, f := range p.Outcomes {
		if f.State != Absent {
			out.Runs[s] = &outcomeObject{f.State, f.Node, f.Attempts, f.Preempted, f.Evicted, seconds(f.Arrived), seconds(f.Waited)}
		}
	}
	return out
}
