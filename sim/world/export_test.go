package world

import (
	"github.com/berth-sim/berth/sim/model/record"
)

// DrainChecks is how often the world has checked a pod that a drain waits for.
func (w *World) DrainChecks() int64 { return w.controllers[drainRank].(*drainController).checks }

// PlainFragmentation is what a sample taken now says of fragmentation, without inflation: all nodes are asked.
func (w *World) PlainFragmentation() *record.Fragmentation {
	s := &w.sampler
	resources := s.probedResources()
	f := &record.Fragmentation{Free: s.free(resources), Stranded: make([]int64, len(resources))}
	usable := make([]bool, s.cluster.NodeIDs())
	for _, c := range s.frequentClasses(s.cfg.FragmentationMeter) {
		f.Mix = append(f.Mix, s.measure(c, resources, f.Free, usable))
	}
	for k, r := range resources {
		f.Resources = append(f.Resources, s.cluster.ResourceName(r))
		for _, id := range s.cluster.ByCreation() {
			if !usable[id] {
				f.Stranded[k] += s.freeOn(id, r)
			}
		}
	}
	return f
}

// KeptFragmentation is what a sample taken now says of it: what is kept is brought up to date.
func (w *World) KeptFragmentation() *record.Fragmentation {
	return w.sampler.fragmentation(w.cfg.FragmentationMeter, false)
}

// KeptClasses is for how many classes the room is known.
func (w *World) KeptClasses() int { return len(w.sampler.rooms.byClass) }

// MissChanges makes the next sample miss what has changed since the last one.
func (w *World) MissChanges() { w.sampler.rooms.since = w.cluster.Changes().Position() }
