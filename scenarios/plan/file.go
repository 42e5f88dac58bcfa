package plan

import (
	"path/filepath"
	"reflect"
	"strings"

	"github.com/berth-sim/berth/reports/goal"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// The header of a file of goals.
const (
	APIVersion = "berth/v1alpha1"
	Kind       = "Goal"
)

var header = document.Header{Holds: "the goals of a plan", Kind: Kind, APIVersion: APIVersion}

// Limits of what a plan can ask for.
const (
	MaxSeeds  = 10_000
	MaxProbes = 100_000
)

// File is a plan as it is written: what a scenario must reach, and what may vary for it. What
// it does not say is zero.
type File struct {
	Objectives Objectives
	Axes       []Axis
	Compact    bool // the question is how few nodes would do if others are removed at random
	Seeds      int
	Seed       *uint64
	Quantile   int
	Probes     int
	Pending    *float64
	Horizon    *recipe.Horizon
	Policy     string // a path, or scenarios.DefaultPolicy
}

// goalFile is the form of a file of goals.
type goalFile struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Goals      []statement     `json:"goals"`
	Vary       []variation     `json:"vary"`
	Compact    string          `json:"compact" doc:"oneof=random"`
	Pending    *float64        `json:"pending"`
	Seeds      *int            `json:"seeds"`
	Seed       *uint64         `json:"seed"`
	Quantile   *int            `json:"quantile"`
	Probes     *int            `json:"probes"`
	Horizon    *recipe.Horizon `json:"horizon"`
	Policy     string          `json:"policy"`
}

// statement is a goal of a file.
type statement struct {
	Goal     string `json:"goal" doc:"required"`
	Name     string `json:"name"`
	Why      string `json:"why"`
	Quantile *int   `json:"quantile"`
}

// variation is a pool of a file whose size is searched.
type variation struct {
	Pool         string   `json:"pool" doc:"required"`
	Count        sizes    `json:"count" doc:"required"`
	PricePerHour *float64 `json:"pricePerHour"`
}

// GoalType is the type that a file of goals is decoded into. The JSON Schema of the file is made from it.
var GoalType = reflect.TypeFor[goalFile]()

// IsFile reports whether a file has the kind of a file of goals.
func IsFile(path string) bool { return header.Is(path) }

// ReadFile reads a file of goals. The error lists every fault.
func ReadFile(path string) (*File, error) {
	root, err := header.Read(path)
	if err != nil {
		return nil, err
	}
	r := reader{root: root, out: &File{}}
	r.faults.Append(document.Decode(root, &r.in))
	r.numbers()
	r.goals()
	r.axes()
	r.out.Compact, r.out.Horizon, r.out.Policy = r.compacts(), r.in.Horizon, r.in.Policy
	if p := r.in.Policy; p != "" && p != scenarios.DefaultPolicy && !filepath.IsAbs(p) {
		r.out.Policy = filepath.Join(filepath.Dir(path), p)
	}
	if len(r.faults) == 0 && len(r.in.Goals) == 0 && !r.compacts() {
		r.faults.Add(root, "goals", "are missing: a plan needs goals, or compact: random")
	}
	return r.out, r.faults.Err()
}

// reader makes a plan of a file, and collects what is wrong with it.
type reader struct {
	root   document.Value
	in     goalFile
	out    *File
	faults document.Errors
}

// compacts reports whether the file asks how few nodes would do.
func (r *reader) compacts() bool { return r.in.Compact != "" }

// number reads a number within limits, if the file has it.
func (r *reader) number(path string, from, to *int, most int) {
	switch {
	case from == nil:
	case *from < 1 || *from > most:
		r.faults.Add(r.root, path, "must be from 1 to %d", most)
	default:
		*to = *from
	}
}

func (r *reader) numbers() {
	r.number("seeds", r.in.Seeds, &r.out.Seeds, MaxSeeds)
	r.number("quantile", r.in.Quantile, &r.out.Quantile, 100)
	r.number("probes", r.in.Probes, &r.out.Probes, MaxProbes)
	r.out.Seed, r.out.Pending = r.in.Seed, r.in.Pending
	switch {
	case r.in.Pending == nil:
	case *r.in.Pending < 0 || *r.in.Pending > 1:
		r.faults.Add(r.root, "pending", "must be a share from 0 to 1")
	case !r.compacts():
		r.faults.Add(r.root, "pending", "belongs to compact: random: a goal says it as placement.pending <= 0.2%% * placement.arrived")
	}
	if r.compacts() && r.in.Probes != nil {
		r.faults.Add(r.root, "probes", "has no meaning with compact")
	}
}

func (r *reader) goals() {
	named := map[string]bool{}
	for i, in := range r.in.Goals {
		at := r.root.Get("goals").Index(i)
		o := Objective{Name: in.Name, Why: in.Why}
		if in.Name != "" && named[in.Name] {
			r.faults.Add(at, "name", "is the name of another goal too")
		}
		named[in.Name] = true
		r.number(at.Path()+".quantile", in.Quantile, &o.Quantile, 100)
		if in.Quantile != nil && r.compacts() {
			r.faults.Add(at, "quantile", "has no meaning with compact, whose trials have one seed each")
		}
		if at.Get("goal").Kind() != document.String {
			continue // said already
		}
		var err error
		if o.Goal, err = goal.Parse(strings.ReplaceAll(in.Goal, "\n", " ")); err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				text := at.Get("goal")
				r.faults = append(r.faults, &document.Error{File: text.File(), Line: text.Line(), Col: text.Col(), Path: text.Path(), What: line})
			}
		}
		r.out.Objectives = append(r.out.Objectives, o)
	}
}

func (r *reader) axes() {
	list := r.root.Get("vary")
	if r.compacts() && len(r.in.Vary) > 0 {
		r.faults.Add(list, "", "and compact are two questions: ask one")
	}
	for i, in := range r.in.Vary {
		at := list.Index(i)
		if p := in.PricePerHour; p != nil && (!(*p >= 0 && *p <= scenarios.MaxPrice)) {
			r.faults.Add(at, "pricePerHour", "must be between 0 and %.0f", scenarios.MaxPrice)
		}
		for _, before := range r.out.Axes {
			if before.Pool == in.Pool && in.Pool != "" {
				r.faults.Add(at, "pool", "varies twice")
			}
		}
		r.out.Axes = append(r.out.Axes, Axis{Pool: in.Pool, Low: in.Count.low, High: in.Count.high, PricePerHour: in.PricePerHour})
	}
}

// String says in a few words what there is.
func (f *File) String() string {
	parts := []string{human.Counted(len(f.Objectives), "goal")}
	if f.Compact {
		parts = append(parts, "compaction")
	}
	if len(f.Axes) > 0 {
		parts = append(parts, human.Counted(len(f.Axes), "pool"))
	}
	if f.Seeds > 0 {
		parts = append(parts, human.Counted(f.Seeds, "seed"))
	}
	return strings.Join(parts, ", ")
}
