package workloads

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/workloads/trace"
)

// Import is what WriteManifests wrote, and what has to be there for it to be used.
type Import struct {
	Nodes, Pods, PodGroups int

	Namespaces      []string // of the pods, sorted
	PriorityClasses []string // that the pods name, sorted: a scenario must have them
	Resources       []string // that the pods ask for, sorted: some node must have them
	// Last is when the last pod arrives. Manifests have neither that nor lifetimes: all
	// pods in them are pending at once and run forever.
	Last clock.Time

	Skipped int     // lines passed over, with SkipBad
	Faults  []error // what was wrong with the first of them
	LeftOut int     // rows that cannot be played, see Replay.LeftOut
}

// podGroup is the object PodGroup of scheduling.x-k8s.io/v1alpha1.
type podGroup struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Metadata   podGroupMeta `json:"metadata"`
	Spec       podGroupSpec `json:"spec"`
}

type podGroupMeta struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

type podGroupSpec struct {
	MinMember              int `json:"minMember"`
	ScheduleTimeoutSeconds int `json:"scheduleTimeoutSeconds"`
}

// podGroupLabel makes a pod a member of the PodGroup of that name.
const podGroupLabel = "scheduling.x-k8s.io/pod-group"

// WriteManifests writes nodes and the pods of a trace as Kubernetes objects: the nodes,
// then the pods in order of arrival, a PodGroup ahead of the pods that are a gang. They
// are the pods that Play makes. Either may be nil. On an error, part may be written; that ctx
// is done is one. With a nil writer the files are only read: objects take far longer to write
// than to count.
func WriteManifests(ctx context.Context, w io.Writer, fleet Fleet, pods Playable) (Import, error) {
	var done Import
	out := objectWriter{ctx: ctx}
	if w != nil {
		out.to = document.NewWriter(w)
	}
	if fleet != nil {
		if err := writeNodes(out, fleet, &done); err != nil {
			return done, err
		}
	}
	if pods != nil {
		if err := writePods(out, pods, &done); err != nil {
			return done, err
		}
	}
	return done, nil
}

// objectWriter writes objects, or drops them where it has nothing to write to.
type objectWriter struct {
	ctx context.Context
	to  *document.Writer
}

func (w objectWriter) write(object func() any) error {
	if w.to == nil || w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	return w.to.Write(object())
}

// Fleet is a list of nodes: OpenbFleet or PlainFleet.
type Fleet interface {
	shapes() (nodes []manifest.NodeShape, skipped []error, err error)
}

// PlainFleet is nodes that no file lists.
type PlainFleet []manifest.NodeShape

func (f PlainFleet) shapes() ([]manifest.NodeShape, []error, error) { return f, nil, nil }

func writeNodes(out objectWriter, fleet Fleet, done *Import) error {
	shapes, skipped, err := fleet.shapes()
	if err != nil {
		return err
	}
	for _, s := range shapes {
		if err := out.write(func() any { return s.Node() }); err != nil {
			return err
		}
	}
	done.Nodes, done.Skipped, done.Faults = len(shapes), len(skipped), skipped
	return nil
}

func writePods(out objectWriter, p Playable, done *Import) (err error) {
	r, err := Play(p, manifest.New(cluster.NewVocabulary()))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	namespaces, classes, resources := set{}, set{}, set{}
	for {
		j, more, err := r.next()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if err := writeJob(out, &r.Trace, &j, done); err != nil {
			return err
		}
		done.Last = j.at
		namespaces.add(j.shape.Namespace)
		classes.add(j.shape.PriorityClass)
		for _, amount := range j.shape.Requests {
			resources.add(amount.Name)
		}
	}
	done.Namespaces, done.PriorityClasses, done.Resources = namespaces.sorted(), classes.sorted(), resources.sorted()
	skipped, faults := r.Skipped()
	done.Skipped, done.Faults = done.Skipped+skipped, append(done.Faults, faults...)
	done.LeftOut = r.LeftOut()
	return nil
}

func writeJob(out objectWriter, t *Trace, j *job, done *Import) error {
	if j.pods > 1 {
		labels := maps.Clone(j.shape.Labels)
		if labels == nil {
			labels = map[string]string{}
		}
		labels[podGroupLabel] = j.name
		j.shape.Labels = labels
		done.PodGroups++
		err := out.write(func() any {
			return podGroup{
				APIVersion: "scheduling.x-k8s.io/v1alpha1", Kind: "PodGroup",
				Metadata: podGroupMeta{Name: j.name, Namespace: j.shape.Namespace},
				Spec:     podGroupSpec{MinMember: j.pods, ScheduleTimeoutSeconds: int((t.scheduleTimeout() + clock.Second - 1) / clock.Second)},
			}
		})
		if err != nil {
			return err
		}
	}
	for i := range j.pods {
		done.Pods++
		if err := out.write(func() any { return j.shape.Pod(j.member(i)) }); err != nil {
			return err
		}
	}
	return nil
}

// Machine is what the header of a log in Standard Workload Format says of the computer;
// 0 where it does not say.
type Machine struct{ Nodes, Processors int64 }

// Machine reads the header of the log.
func (s *SWF) Machine() (m Machine, err error) {
	file, err := open(s.File)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	log, err := trace.SWFJobs(s.File, file, s.options())
	if err != nil {
		return m, err
	}
	return Machine{Nodes: headerNumber(log, "MaxNodes"), Processors: headerNumber(log, "MaxProcs")}, nil
}

// headerNumber is a positive number of the header, behind which a remark may stand; else 0.
func headerNumber(log *trace.SWF, key string) int64 {
	value, _ := log.HeaderValue(key)
	words := strings.Fields(value)
	if len(words) == 0 {
		return 0
	}
	n, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// set is a set of texts.
type set map[string]bool

func (s set) add(text string) {
	if text != "" {
		s[text] = true
	}
}

func (s set) sorted() []string { return slices.Sorted(maps.Keys(s)) }

// CheckTrace reads a trace from beginning to end and reports all faults of its lines, of
// which there may be up to faultsShown, and whatever else would make Play fail.
func CheckTrace(p Playable, loader *manifest.Loader) (err error) {
	r, err := Play(p, loader)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	var faults []error
	more := 0
	for {
		ok, err := r.advance()
		var line *trace.LineError
		switch {
		case err == nil && !ok:
			return moreFaults(len(faults)+more, faults)
		case err == nil:
		case len(faults) < faultsShown:
			faults = append(faults, err)
		default:
			more++
		}
		if err != nil && !errors.As(err, &line) {
			return moreFaults(len(faults)+more, faults)
		}
	}
}

// faultsShown is how many lines with faults are named.
const faultsShown = 20
