package initialize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/release"
	"github.com/berth-sim/berth/workloads"
)

// object is an object of a dump. What it holds is kept as JSON, and decoded each time that it is
// asked for: the trees of a large cluster's objects take twenty times that room.
type object struct {
	kind, name string
	ofJob      bool           // it is a pod of a Job
	from       document.Error // its place in the dump
	text       []byte
}

// tree is what the object holds.
func (o object) tree() (tree map[string]any, err error) {
	docs, err := document.Parse(o.kind+" "+o.name, o.text)
	if err != nil || len(docs) == 0 {
		return nil, err
	}
	err = document.Decode(docs[0].Root(), &tree)
	return tree, err
}

// dump is what a cluster holds, sorted by what a scenario does with it.
type dump struct {
	files   []string       // that it was read from
	ignored decode.Ignored // kinds of objects
	skipped decode.SkippedPods

	nodes, others, pods, jobs []object

	shapes    []*shape // of its nodes
	found     []string // what it holds, in words
	warnings  []string
	admission []string       // that a scenario needs to take the objects
	leftOut   map[string]int // objects that a scenario has no use for, by what they are
	scrubber  *scrubber      // gives neutral names; nil: objects stay as they are

	kubelet    int              // minor release of the newest kubelet
	kubernetes *release.Release // that the scenario follows; nil: nodes do not say theirs
}

// readDump reads manifests and checks that they can be simulated. The error lists every
// fault, where it stands.
func readDump(o Options) (*dump, error) {
	ignored, i, err := decode.NewIgnored(o.Ignore)
	if err != nil {
		return nil, fmt.Errorf("--ignore: %q %w", o.Ignore[i], err)
	}
	skippedPods, i, err := decode.NewSkippedPods(o.SkipPods)
	if err != nil {
		return nil, fmt.Errorf("--skip-pods: %q %w", o.SkipPods[i], err)
	}
	d := &dump{files: o.Files, ignored: ignored, skipped: skippedPods, leftOut: map[string]int{}}
	docs, err := d.load(o)
	if err != nil {
		return nil, err
	}
	all, err := d.flatten(docs)
	if err != nil {
		return nil, err
	}
	if o.Scrub {
		if err := d.scrub(all); err != nil {
			return nil, err
		}
	}
	d.sort(all)
	d.found = append(d.found, kindsOf(slices.DeleteFunc(all, func(o object) bool { return o.kind == "Pod" || o.kind == "Node" }))...)
	return d, nil
}

// scrub assigns the neutral names of the objects.
func (d *dump) scrub(all []object) error {
	d.scrubber = &scrubber{names: newNames(), rules: allRules(), left: map[string]int{}}
	left, err := d.scrubber.assignNames(all)
	if err != nil {
		return err
	}
	d.warnings = nil // those name what was scrubbed
	for annotation, n := range left {
		d.warnings = append(d.warnings, fmt.Sprintf("the annotation %s of %d objects is dropped: neither admission nor a legacy policy uses it", annotation, n))
	}
	slices.Sort(d.warnings)
	return nil
}

// load reads the files, has the objects checked as a run does, and notes what they are.
func (d *dump) load(o Options) ([]*document.Document, error) {
	files, err := scenarios.ReadManifests(o.Files, o.Exclude)
	if err != nil {
		return nil, err
	}
	docs := files.Docs
	loader := manifest.New(cluster.NewVocabulary())
	admit := []string{"-ResourceQuota"}
	if slices.ContainsFunc(docs, func(doc *document.Document) bool { return hasKind(doc.Root(), "LimitRange") }) {
		d.admission = []string{"LimitRanger"}
		admit = append(admit, d.admission...)
	}
	if _, err := loader.EnableAdmission(admit); err != nil {
		return nil, err
	}
	if _, err := loader.Ignore(o.Ignore); err != nil {
		return nil, err
	}
	if _, err := loader.SkipPods(o.SkipPods); err != nil {
		return nil, err
	}
	if err := files.Load(loader); err != nil {
		return nil, err
	}
	read := map[string]bool{}
	for _, doc := range docs {
		readLabels(doc.Root(), read)
	}
	d.shapes = shapesOf(loader.Nodes, read)
	nodes := map[string]bool{}
	for _, n := range loader.Nodes {
		nodes[n.Spec.Name] = true
	}
	if len(nodes) == 0 {
		return nil, scenarios.NoNodes(d.files)
	}
	d.followKubelets(loader.Nodes)
	warnings, err := scenarios.ExcludePodsOnMissingNodes(loader.Pods, func(node string) bool { return nodes[node] }, o.Strict)
	d.found, d.warnings = found(&loader.Objects), slices.Concat(loader.Warnings, files.Warnings, scenarios.UnusedIgnores(loader), warnings)
	if d.kubernetes != nil {
		d.found = append(d.found, fmt.Sprintf("kubelets of Kubernetes 1.%d: the scenario follows %s", d.kubelet, d.kubernetes))
	}
	return docs, err
}

// followKubelets has the scenario follow the release of the newest kubelet, or the nearest one.
func (d *dump) followKubelets(nodes []manifest.Node) {
	if minor, said := scenarios.NewestKubelet(nodes); said {
		d.kubelet, d.kubernetes = minor, new(release.Nearest(minor))
	}
}

// hasKind reports whether a document is an object of the kind, or a list with one.
func hasKind(v document.Value, kind string) bool {
	if is := v.Get("kind").Text(); is == kind || is == kind+"List" {
		return true
	}
	for _, item := range v.Get("items").Items() {
		if hasKind(item, kind) {
			return true
		}
	}
	return false
}

// flatten lists the objects of documents that matter to a run, those of lists one by one; of
// the others it is noted how many there are.
func (d *dump) flatten(docs []*document.Document) ([]object, error) {
	read := map[string]bool{}
	for _, name := range decode.KindsRead() {
		read[name[strings.LastIndexByte(name, '/')+1:]] = true
	}
	var out []object
	var faults document.Errors
	var add func(v document.Value, assumed string)
	add = func(v document.Value, assumed string) {
		kind := v.Get("kind").Text()
		switch {
		case decode.IsKustomization(v):
			kind = "Kustomization"
		case decode.IsChart(v):
			kind = "Chart"
		case kind == "":
			kind = assumed
		}
		if item, isList := strings.CutSuffix(kind, "List"); isList && v.Get("items").Exists() {
			for _, one := range v.Get("items").Items() {
				add(one, item)
			}
			return
		}
		text, err := v.MarshalJSON()
		faults.Append(err)
		what := unread(kind, v, read)
		group, _, grouped := strings.Cut(v.Get("apiVersion").Text(), "/")
		if !grouped {
			group = ""
		}
		if d.ignored.Matches(group, kind) || d.skipped.Matches(decode.NewGroupKind(group, kind), v) {
			what = kind
		}
		switch {
		case v.Kind() != document.Map:
		case what != "":
			d.leftOut[what]++
		default:
			from := document.Error{File: v.File(), Line: v.Line(), Col: v.Col(), Path: v.Path()}
			out = append(out, object{kind: kind, name: v.Find("metadata.name").Text(), ofJob: isOfJob(v), from: from, text: text})
		}
	}
	for _, doc := range docs {
		add(doc.Root(), "")
	}
	return out, faults.Err()
}

// unread says what an object is that a run has no use for; empty: it has.
func unread(kind string, v document.Value, read map[string]bool) string {
	switch scheduler := schedulerOf(kind, v); {
	case !read[kind] || kind == "ResourceQuota":
		return kind
	case kind == "CronJob" && v.Find("spec.suspend").Text() != "true":
		if lacks := workloads.CronJobLacks(v.Find("spec.timeZone").Text(), v.Find("spec.concurrencyPolicy").Text()); lacks != "" {
			return "CronJob with " + lacks
		}
	case scheduler != "" && scheduler != "default-scheduler" && v.Find("spec.nodeName").Text() == "":
		return kind + " for another scheduler"
	}
	return ""
}

// schedulerOf is the scheduler that an object's pods ask for; "": none, or the default.
func schedulerOf(kind string, v document.Value) string {
	switch kind {
	case "Pod":
		return v.Find("spec.schedulerName").Text()
	case "CronJob":
		return v.Find("spec.jobTemplate.spec.template.spec.schedulerName").Text()
	}
	return v.Find("spec.template.spec.schedulerName").Text()
}

// trim drops what only the API server and its clients need.
func trim(o map[string]any) {
	meta, _ := o["metadata"].(map[string]any)
	delete(meta, "managedFields")
	if annotations, has := meta["annotations"].(map[string]any); has {
		delete(annotations, "kubectl.kubernetes.io/last-applied-configuration")
	}
}

// sort puts objects into the files that a scenario has.
func (d *dump) sort(all []object) {
	for _, o := range all {
		switch o.kind {
		case "Node":
			d.nodes = append(d.nodes, o)
		case "Job", "CronJob":
			d.jobs = append(d.jobs, o)
		case "Pod":
			if o.ofJob {
				d.jobs = append(d.jobs, o)
			} else {
				d.pods = append(d.pods, o)
			}
		case "Deployment", "ReplicaSet", "ReplicationController", "StatefulSet", "DaemonSet":
			d.pods = append(d.pods, o)
		default:
			d.others = append(d.others, o)
		}
	}
}

func isOfJob(v document.Value) bool {
	for _, ref := range v.Find("metadata.ownerReferences").Items() {
		if ref.Get("kind").Text() == "Job" && ref.Get("controller").Text() == "true" {
			return true
		}
	}
	return false
}
