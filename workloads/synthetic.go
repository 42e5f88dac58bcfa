package workloads

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strconv"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/workloads/arrival"
)

// DefaultScheduleTimeout is how long a member of a gang waits in Permit where nothing
// else is said, as for a PodGroup.
const DefaultScheduleTimeout = clock.Time(manifest.DefaultScheduleTimeout)

// Synthetic describes a workload that is generated: pods that a process brings, made
// from templates.
type Synthetic struct {
	Name     string // of the workload: its pods are <name>-<n>, or <name>-<n>-<i> with replicas
	Workload int    // index in the scenario
	Arrivals arrival.Process
	Replicas int // pods that each arrival brings; 0: one

	// Templates are what the pods look like. One is drawn for each arrival, and all of
	// its replicas are made from it.
	Templates []Template
	Mix       rand.Source // what the draw takes; nil will do for one template

	Lifetime     arrival.Lifetime // nil: forever
	SameLifetime bool             // one lifetime is drawn for each arrival, not for each pod

	Gang     *Gang // nil: each pod is on its own
	Recreate bool  // evicted pods are re-created
}

// Template is a class of pods and how often it occurs, relative to the others.
type Template struct {
	Class  *cluster.Class
	Weight float64 // of no matter if there is only one
}

// Gang makes the pods of each arrival a PodGroup.
type Gang struct {
	MinMember       int        // 0: all replicas
	ScheduleTimeout clock.Time // 0: DefaultScheduleTimeout
}

// Stream returns the stream of pods. The error says which field is wrong.
func (s Synthetic) Stream() (Stream, error) {
	if s.Replicas == 0 {
		s.Replicas = 1
	}
	if s.Lifetime == nil {
		s.Lifetime = arrival.Forever()
	}
	if s.Gang != nil {
		gang := *s.Gang
		if gang.MinMember == 0 {
			gang.MinMember = s.Replicas
		}
		if gang.ScheduleTimeout == 0 {
			gang.ScheduleTimeout = DefaultScheduleTimeout
		}
		s.Gang = &gang
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	out := &synthetic{Synthetic: s, member: s.Replicas}
	total := 0.0
	for i, t := range s.Templates {
		if len(s.Templates) == 1 {
			break
		}
		if !(t.Weight >= 0) || math.IsInf(t.Weight, 1) {
			return nil, fmt.Errorf("templates[%d].weight: %v must be zero or a positive number", i, t.Weight)
		}
		total += t.Weight
		out.cumulative = append(out.cumulative, total)
	}
	if len(s.Templates) > 1 && !(total > 0 && !math.IsInf(total, 1)) {
		return nil, fmt.Errorf("templates: the weights add up to %v, which must be a positive number", total)
	}
	if s.Mix != nil {
		out.mix = rand.New(s.Mix)
	}
	return out, nil
}

func (s *Synthetic) check() error {
	switch {
	case s.Name == "":
		return fmt.Errorf("name: %q must not be empty", s.Name)
	case s.Arrivals == nil:
		return fmt.Errorf("arrivals: there are none, a process is needed")
	case s.Replicas < 0:
		return fmt.Errorf("replicas: %d must be positive", s.Replicas)
	case len(s.Templates) == 0:
		return fmt.Errorf("templates: there are none, at least one is needed")
	case len(s.Templates) > 1 && s.Mix == nil:
		return fmt.Errorf("mix: %d templates need a random source to choose by", len(s.Templates))
	case s.Gang != nil && (s.Gang.MinMember < 0 || s.Gang.MinMember > s.Replicas):
		return fmt.Errorf("gang.minMember: %d must be between 1 and the %d replicas", s.Gang.MinMember, s.Replicas)
	case s.Gang != nil && s.Gang.ScheduleTimeout < 0:
		return fmt.Errorf("gang.scheduleTimeout: %v must be positive", s.Gang.ScheduleTimeout)
	}
	for i, t := range s.Templates {
		if t.Class == nil {
			return fmt.Errorf("templates[%d]: there is no class", i)
		}
	}
	return nil
}

type synthetic struct {
	Synthetic
	mix        *rand.Rand
	cumulative []float64 // weights; empty for one template

	at       clock.Time
	serial   int64 // of the next arrival
	member   int   // how many pods of the current arrival have come
	name     string
	class    *cluster.Class
	lifetime clock.Time
	group    *Group
}

func (s *synthetic) Next() (Arrival, bool, error) {
	if s.member == s.Replicas {
		at, more := s.Arrivals.Next()
		if !more {
			return Arrival{}, false, nil
		}
		s.begin(at)
	}
	a := Arrival{
		At: s.at, Name: s.name, Class: s.class, Workload: s.Workload, Lifetime: s.lifetime,
		Group: s.group, Node: s.class.NodeName, Recreate: s.Recreate,
	}
	if a.Node != "" {
		a.Started = s.at
	}
	if s.Replicas > 1 {
		a.Name = numbered(s.name, int64(s.member))
	}
	if !s.SameLifetime {
		a.Lifetime = s.Lifetime.Draw()
	}
	s.member++
	return a, true, nil
}

// begin takes the next arrival off the process.
func (s *synthetic) begin(at clock.Time) {
	s.at, s.member = at, 0
	s.name = numbered(s.Name, s.serial)
	s.serial++
	s.class = s.Templates[s.draw()].Class
	if s.SameLifetime {
		s.lifetime = s.Lifetime.Draw()
	}
	if s.Gang != nil {
		s.group = &Group{
			Name: s.name, Namespace: s.class.Namespace,
			MinMember: s.Gang.MinMember, Size: s.Replicas, ScheduleTimeout: s.Gang.ScheduleTimeout,
		}
	}
}

// draw is the index of a template.
func (s *synthetic) draw() int {
	last := len(s.cumulative) - 1
	if last < 0 {
		return 0
	}
	x := s.mix.Float64() * s.cumulative[last]
	i := sort.Search(last, func(i int) bool { return s.cumulative[i] > x })
	for s.Templates[i].Weight == 0 { // x was rounded up to the end
		i--
	}
	return i
}

// numbered is "<name>-<n>".
func numbered(name string, n int64) string {
	b := make([]byte, 0, len(name)+8)
	b = append(append(b, name...), '-')
	return string(strconv.AppendInt(b, n, 10))
}
