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

// Import says what WriteManifests wrote, and what a scenario must have to use it.
type Import struct {
	Nodes, Pods, PodGroups int

	Namespaces      []string // of the pods, sorted
	PriorityClasses []string // that the pods name, sorted: a scenario must have them
	Resources       []string // that the pods ask for, sorted: some node must have them
	// Last is when the last pod arrives in the trace. The manifests have neither arrival times nor lifetimes.
	Last clock.Time

	Skipped int     // invalid lines that were skipped, with SkipBad
	Faults  []error // of the first of them
	LeftOut int     // see Replay.LeftOut
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

// podGroupLabel is the label with the name of the PodGroup of a pod.
const podGroupLabel = "scheduling.x-k8s.io/pod-group"

// WriteManifests writes nodes and the pods of a trace as Kubernetes objects: first the nodes, then the pods in order of
// arrival, the PodGroup of a gang before its pods. The pods are those that OpenTrace returns. fleet or pods may be nil.
// If w is nil, WriteManifests only counts, which is far faster than writing. After an error, which is that of ctx if it
// is done, the output is incomplete.
func WriteManifests(ctx context.Context, w io.Writer, fleet Fleet, pods TraceSource) (Import, error) {
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

// objectWriter writes objects, or discards them if it has no writer.
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

// PlainFleet is a list of nodes that does not come from a file.
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

func writePods(out objectWriter, p TraceSource, done *Import) (err error) {
	r, err := OpenTrace(p, manifest.New(cluster.NewVocabulary()))
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

// Machine is the computer that the header of a log in Standard Workload Format describes; 0 means unknown.
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

// headerNumber returns a positive number of the header, after which a remark may follow, or 0.
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

// CheckTrace reads a trace to its end. The error lists the errors of its lines, at most faultsShown of them, or is that
// of OpenTrace.
func CheckTrace(p TraceSource, loader *manifest.Loader) (err error) {
	r, err := OpenTrace(p, loader)
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
