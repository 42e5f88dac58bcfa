package steady

import (
	"math"
	"slices"
)

// Measure is a number that a result has.
type Measure struct {
	Name  string // a word, for columns
	Title string // for people
	Unit  Unit
	Of    func(*Result) float64 // NaN where there is none
}

// Unit is how a measure is shown.
type Unit uint8

// The units.
const (
	Percent Unit = iota // a share
	Seconds
	Number
)

// Measures returns all measures. Policies are compared by the first ones.
func Measures() []Measure {
	all := []Measure{
		{"fragmented", "F: free but unusable, % of all GPUs", Percent, func(r *Result) float64 { return r.Fragmented }},
		{"allocated", "Allocated, % of all GPUs", Percent, func(r *Result) float64 { return r.Allocated }},
		{"demand", "GPUs that waiting pods ask for, % of all GPUs", Percent, func(r *Result) float64 { return r.Demand }},
		{"held", "Held by pods that wait in Permit, % of all GPUs", Percent, func(r *Result) float64 { return r.Held }},
		{"pods", "Waiting pods", Number, func(r *Result) float64 { return r.Pods }},
		{"growth", "Growth of what waiting pods ask for, second half of the window less the first, % of all GPUs", Percent,
			func(r *Result) float64 { return r.Halves[1].Demand - r.Halves[0].Demand }},
		{"drift", "Drift of F, second half of the window less the first, % of all GPUs", Percent,
			func(r *Result) float64 { return r.Halves[1].Fragmented - r.Halves[0].Fragmented }},
	}
	names := map[Kind]string{
		All: "all jobs", NoDevices: "pods without GPU", Part: "pods that share a GPU", One: "pods with a GPU",
		Several: "pods with several GPUs", Gangs: "gangs, until whole",
	}
	for _, k := range []Kind{All, Several, Gangs, One, Part, NoDevices} {
		all = append(all, waitMeasures(k, names[k])...)
	}
	return all
}

func waitMeasures(k Kind, of string) []Measure {
	wait := func(get func(Wait) float64) func(*Result) float64 {
		return func(r *Result) float64 {
			if w, any := r.Waits[k]; any {
				return get(w)
			}
			return math.NaN()
		}
	}
	name := "wait." + string(k) + "."
	return []Measure{
		{name + "mean", "Wait, mean, s: " + of, Seconds, wait(func(w Wait) float64 { return w.Mean })},
		{name + "p50", "Wait, median, s: " + of, Seconds, wait(func(w Wait) float64 { return w.P50 })},
		{name + "p99", "Wait, 99th percentile, s: " + of, Seconds, wait(func(w Wait) float64 { return w.P99 })},
		{name + "jobs", "Jobs: " + of, Number, wait(func(w Wait) float64 { return float64(w.Jobs) })},
		{name + "pending", "Jobs still waiting at the end: " + of, Number, wait(func(w Wait) float64 { return float64(w.Pending) })},
	}
}

// MeasureNamed returns the measure of that name, which must exist.
func MeasureNamed(name string) Measure {
	all := Measures()
	return all[slices.IndexFunc(all, func(m Measure) bool { return m.Name == name })]
}
