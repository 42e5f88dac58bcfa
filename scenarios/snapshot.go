package scenarios

import (
	"fmt"
	"strings"

	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/cluster"
	"github.com/berth-sim/berth/sim/cluster/manifest"
	"github.com/berth-sim/berth/sim/document"
)

// Snapshot is the manifests of a cluster, read, on which pods can be placed any number of
// times, each time from the same beginning.
type Snapshot struct {
	options    PlaceOptions
	vocabulary *cluster.Vocabulary
	loader     *manifest.Loader
	policy     config.Policy
}

// ReadSnapshot reads manifests and the policy. The error lists every fault.
func ReadSnapshot(o PlaceOptions) (*Snapshot, error) {
	if o.Percentage < 0 || o.Percentage > 100 {
		return nil, fmt.Errorf("--percentage: %d must be between 1 and 100", o.Percentage)
	}
	if o.Registry == nil {
		o.Registry = plugins.Registry()
	}
	vocabulary := cluster.NewVocabulary()
	s := &Snapshot{options: o, vocabulary: vocabulary, loader: manifest.New(vocabulary)}
	var err error
	if s.policy, err = placePolicy(o, s.loader, vocabulary); err != nil {
		return nil, err
	}
	if err := admitBy(s.loader, o.Admission); err != nil {
		return nil, err
	}
	docs, err := ReadObjects(o.Files...)
	if err != nil {
		return nil, err
	}
	if err := s.loader.Load(docs...); err != nil {
		return nil, err
	}
	if len(s.loader.Nodes) == 0 {
		return nil, fmt.Errorf("%s: no Node among the manifests: pods need nodes to be placed on", strings.Join(o.Files, ", "))
	}
	return s, nil
}

// Replicas reads objects of which there can be any number of pods: Pods, and what has a
// template of pods. The error lists every fault.
func (s *Snapshot) Replicas(paths ...string) ([]manifest.Replica, error) {
	docs, err := ReadObjects(paths...)
	if err != nil {
		return nil, err
	}
	all, err := s.loader.Replicas(docs...)
	if err != nil {
		return nil, err
	}
	var faults document.Errors
	profiles := profilesOf(s.policy)
	for i := range all {
		r := &all[i]
		switch class := r.Template.Class; {
		case r.Template.Group != "":
			faults.Add(r.From, "metadata.labels", "put the pods into PodGroup %s, and gangs cannot be counted: leave its label out to count single pods", r.Template.Group)
		case class.NodeName != "":
			faults.Add(r.From, "spec.nodeName", "sends every replica to that node: no scheduler looks at them")
		default:
			profiles.check(&faults, r.From, "spec.schedulerName", class.SchedulerName)
		}
	}
	if len(all) == 0 && len(faults) == 0 {
		return nil, fmt.Errorf("%s: no object among the manifests to make replicas of", strings.Join(paths, ", "))
	}
	return all, faults.Err()
}
