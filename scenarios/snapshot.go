package scenarios

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/release"
	"github.com/berth-sim/berth/workloads"
)

// Snapshot is the state of a cluster, read from manifests. Each placement starts from it again.
type Snapshot struct {
	options    PlaceOptions
	vocabulary *cluster.Vocabulary
	loader     *manifest.Loader
	policy     config.Policy
	rules      *release.Rules
	docs       []*document.Document
	excluded   []explain.ExcludedPod // pods that take no part
	warnings   []string
}

// ReadSnapshot reads manifests and the policy. The error lists all errors.
func ReadSnapshot(o PlaceOptions) (*Snapshot, error) {
	if o.Percentage < 0 || o.Percentage > 100 {
		return nil, fmt.Errorf("--percentage: %d must be between 1 and 100", o.Percentage)
	}
	if o.Horizon != nil || o.Inflate || o.SkipBadLines || o.Counts != nil || o.Prices != nil || o.Overcommit {
		return nil, errors.New("horizon, inflate, skipBadLines, counts, prices and overcommit are settings of runs: a placement has none of them")
	}
	if o.Registry == nil {
		o.Registry = plugins.Registry()
	}
	vocabulary := cluster.NewVocabulary()
	s := &Snapshot{options: o, vocabulary: vocabulary, loader: manifest.New(vocabulary)}
	if err := s.follow(); err != nil {
		return nil, err
	}
	if err := s.readPolicy(); err != nil {
		return nil, err
	}
	if err := admitBy(s.loader, o.Admission); err != nil {
		return nil, err
	}
	if err := ignoreBy(s.loader, o.Ignore); err != nil {
		return nil, err
	}
	if err := skipPodsBy(s.loader, o.SkipPods); err != nil {
		return nil, err
	}
	read := o.Manifests
	if read == nil {
		var err error
		if read, err = ReadManifests(o.Files, o.Exclude); err != nil {
			return nil, err
		}
	}
	s.docs = read.Docs
	if err := read.Load(s.loader); err != nil {
		return nil, err
	}
	if len(s.loader.Nodes) == 0 {
		return nil, NoNodes(o.Files)
	}
	nameProviderPools(vocabulary, s.loader.Nodes)
	nodes := map[string]bool{}
	for _, n := range s.loader.Nodes {
		nodes[n.Spec.Name] = true
	}
	absent, err := ExcludePodsOnMissingNodes(s.loader.Pods, func(node string) bool { return nodes[node] }, o.Strict)
	if err != nil {
		return nil, err
	}
	s.warnings = slices.Concat(s.warnings, read.Warnings, absent)
	s.leaveOut()
	return s, nil
}

// Nodes returns the nodes of the manifests.
func (s *Snapshot) Nodes() []manifest.Node { return s.loader.Nodes }

// Documents returns the manifests.
func (s *Snapshot) Documents() []*document.Document { return s.docs }

// NodeTemplate reads a Node that new nodes are made of.
func (s *Snapshot) NodeTemplate(v document.Value) (manifest.NodeTemplate, error) {
	return s.loader.NodeTemplate(v, nil)
}

// CheckNodeTemplate checks a Node that new nodes are made of, without a cluster.
func CheckNodeTemplate(v document.Value) error {
	_, err := manifest.New(cluster.NewVocabulary()).NodeTemplate(v, nil)
	return err
}

// WithLabel returns a node with a label that its template does not have. An empty value is no label.
func (s *Snapshot) WithLabel(spec cluster.NodeSpec, key, value string) cluster.NodeSpec {
	if _, has := spec.Labels.Get(s.vocabulary.Symbol(key)); !has && value != "" {
		spec.Labels = spec.Labels.With(s.vocabulary.Symbol(key), s.vocabulary.Symbol(value))
	}
	return spec
}

// leaveOut removes finished pods, and pending pods of schedulers that the policy does not have.
func (s *Snapshot) leaveOut() {
	profiles := profilesOf(s.policy)
	counts := map[string]map[string]int{} // by scheduler, then kind
	isForOther := func(class *cluster.Class, kind string) bool {
		name := class.SchedulerName
		if class.NodeName != "" || slices.Contains(profiles, name) {
			return false
		}
		if counts[name] == nil {
			counts[name] = map[string]int{}
		}
		counts[name][kind]++
		return true
	}
	s.loader.Pods = slices.DeleteFunc(s.loader.Pods, func(p manifest.Pod) bool {
		name := p.Namespace + "/" + p.Name
		switch {
		case p.Absent:
			s.excluded = append(s.excluded, explain.ExcludedPod{Pod: name, Why: fmt.Sprintf("runs on node %s, which is not among the objects", p.NodeName)})
		case p.Finished:
			s.excluded = append(s.excluded, explain.ExcludedPod{Pod: name, Why: "is finished (its phase is Succeeded or Failed)"})
		case p.NodeName == "" && isForOther(p.Class, "pod"):
			s.excluded = append(s.excluded, explain.ExcludedPod{Pod: name, Why: fmt.Sprintf("asks for the scheduler %s, and the policy has no profile of that name", p.Class.SchedulerName)})
			return true
		}
		return false
	})
	s.loader.Controllers = slices.DeleteFunc(s.loader.Controllers, func(c manifest.Controller) bool {
		lacks := workloads.CronJobLacks(c.TimeZone, c.ConcurrencyPolicy)
		if c.Suspended {
			lacks = ""
		}
		if lacks != "" {
			s.warnings = append(s.warnings, fmt.Sprintf("left out: CronJob %s/%s with %s, which is not supported", c.Namespace, c.Name, lacks))
		}
		return lacks != "" || isForOther(c.Template.Class, c.Kind)
	})
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		var what []string
		for _, kind := range slices.Sorted(maps.Keys(counts[name])) {
			what = append(what, human.Counted(counts[name][kind], kind))
		}
		s.warnings = append(s.warnings, fmt.Sprintf("left out: %s for the scheduler %s, of which the policy has no profile", strings.Join(what, ", "), name))
	}
}

// Replicas reads templates of replicas: Pods, and objects with a pod template. The error lists all errors.
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
