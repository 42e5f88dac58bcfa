package plugins_test

import (
	"fmt"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
)

// podEvent is an event of a pod while another one waits: the fields of both.
type podEvent struct {
	kind         scheduler.ClusterEventKind
	waits, other string
}

// wakes reports whether a plugin asks for another attempt of the pod that waits, under the rules of 1.37 with one set.
func wakes(t *testing.T, plugin string, e podEvent, rule string) bool {
	t.Helper()
	var made scheduler.Plugin
	registry := plugins.Registry()
	factory := registry[plugin]
	registry[plugin] = func(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
		p, err := factory(h, args)
		made = p
		return p, err
	}
	w := newWorld(t, worldConfig{registry: registry, rules: rulesOf(t, "1.37", rule)})
	w.addNodes("n cpu=4 pods=10 zone=a")
	w.addPods("waits "+e.waits, "other "+e.other)
	p := w.cl.Pod(w.pods["other"])
	return scheduler.IsWorthRequeuing(made, w.pods["waits"], scheduler.ClusterEvent{Kind: e.kind, Node: w.node("n"), Pod: w.pods["other"], Class: p.Class})
}

// Whose anti-affinity lets the deletion of a pod wake one that waits.
func TestDeletedAntiAffinity(t *testing.T) {
	for _, tt := range []struct {
		name, waits, deleted string
		want                 string // of ofWaiting, allOfDeleted, anyOfDeleted
	}{
		{"the waiting pod's only term", "apart=zone/app:db", "with=app:db", "[true true true]"},
		{"one of the waiting pod's two terms", "apart=zone/app:db apart=zone/app:web", "with=app:db", "[false false true]"},
		{"the deleted pod's only term", "with=app:web", "apart=zone/app:web", "[false true true]"},
		{"one of the deleted pod's two terms", "with=app:web", "apart=zone/app:web apart=zone/app:db", "[false false true]"},
		{"no term", "with=app:web apart=zone/app:db", "apart=zone/app:x", "[false false false]"},
	} {
		var got []bool
		for _, value := range []string{"ofWaiting", "allOfDeleted", "anyOfDeleted"} {
			got = append(got, wakes(t, "InterPodAffinity", podEvent{scheduler.PodFreed, tt.waits, tt.deleted}, "deletedAntiAffinity="+value))
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, got, tt.want)
		}
	}
}

// A pod that loses its nomination is to affinity and spread constraints as one that is deleted, or nothing. Other plugins
// have always counted it.
func TestNominatedCountsAsAssigned(t *testing.T) {
	for _, tt := range []struct{ plugin, waits, want string }{
		{"InterPodAffinity", "apart=zone/app:db", "[false true]"},
		{"PodTopologySpread", "with=app:db spread=zone/1/app:db", "[false true]"},
		{"NodeResourcesFit", "cpu=1", "[true true]"},
	} {
		var got []bool
		for _, value := range []string{"false", "true"} {
			got = append(got, wakes(t, tt.plugin, podEvent{scheduler.NominationLost, tt.waits, "with=app:db cpu=1"}, "nominatedCountsAsAssigned="+value))
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s: %v, want %s", tt.plugin, got, tt.want)
		}
		if !wakes(t, tt.plugin, podEvent{scheduler.PodFreed, tt.waits, "with=app:db cpu=1"}, "nominatedCountsAsAssigned=false") {
			t.Errorf("%s: the deletion of an assigned pod wakes nobody", tt.plugin)
		}
	}
}
