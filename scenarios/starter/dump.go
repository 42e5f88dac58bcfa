package starter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/cluster"
	"github.com/berth-sim/berth/sim/cluster/manifest"
	"github.com/berth-sim/berth/sim/document"
)

// object is an object of a dump.
type object struct {
	kind, namespace, name string
	tree                  map[string]any
}

// dump is what a cluster holds, sorted by what a scenario does with it.
type dump struct {
	files []string // that it was read from

	nodes, others, pods, jobs []object

	found     []string // what it holds, in words
	warnings  []string
	admission []string       // that a scenario needs to take the objects
	leftOut   map[string]int // objects that a scenario has no use for, by what they are
	names     *names         // that were scrubbed; nil: none
}

// readDump reads manifests and checks that they can be simulated. The error lists every
// fault, where it stands.
func readDump(files []string, scrubbed bool) (*dump, error) {
	docs, err := scenarios.ReadObjects(files...)
	if err != nil {
		return nil, err
	}
	d := &dump{files: files, leftOut: map[string]int{}}
	if err := d.load(docs); err != nil {
		return nil, err
	}
	all, err := flatten(docs)
	if err != nil {
		return nil, err
	}
	all = d.useful(all)
	if scrubbed {
		var left map[string]int
		d.names, left = scrub(all)
		d.warnings = nil // those name what was scrubbed
		for annotation, n := range left {
			d.warnings = append(d.warnings, fmt.Sprintf("the annotation %s of %d objects is dropped: admission and legacy policies read it", annotation, n))
		}
		slices.Sort(d.warnings)
	} else {
		for i := range all {
			trim(all[i].tree)
		}
	}
	d.sort(all)
	if others := kindsOf(slices.DeleteFunc(all, func(o object) bool { return o.kind == "Pod" || o.kind == "Node" })); others != "" {
		d.found = append(d.found, others)
	}
	return d, nil
}

// load has the objects checked as a run does, and notes what they are.
func (d *dump) load(docs []*document.Document) error {
	loader := manifest.New(cluster.NewVocabulary())
	admit := []string{"-ResourceQuota"}
	if slices.ContainsFunc(docs, func(doc *document.Document) bool { return hasKind(doc.Root(), "LimitRange") }) {
		d.admission = []string{"LimitRanger"}
		admit = append(admit, d.admission...)
	}
	if _, err := loader.Admit(admit); err != nil {
		return err
	}
	if err := loader.Load(docs...); err != nil {
		return err
	}
	d.found, d.warnings = found(&loader.Objects), loader.Warnings
	nodes := map[string]bool{}
	for _, n := range loader.Nodes {
		nodes[n.Spec.Name] = true
	}
	if len(nodes) == 0 {
		return fmt.Errorf("%s: no Node among the manifests: pods need nodes to be placed on", strings.Join(d.files, ", "))
	}
	var faults document.Errors
	for i := range loader.Pods {
		if p := &loader.Pods[i]; p.NodeName != "" && !p.Finished && !nodes[p.NodeName] {
			faults.Add(p.At, "spec.nodeName", "is not among the nodes: dump nodes and pods in one go, or all nodes after the pods")
		}
	}
	return faults.Err()
}

// hasKind says whether a document is an object of the kind, or a list with one.
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

// flatten lists the objects of documents, those of lists one by one.
func flatten(docs []*document.Document) ([]object, error) {
	var out []object
	var faults document.Errors
	var add func(v document.Value, assumed string)
	add = func(v document.Value, assumed string) {
		kind := v.Get("kind").Text()
		if kind == "" {
			kind = assumed
		}
		if item, isList := strings.CutSuffix(kind, "List"); isList && v.Get("items").Exists() {
			for _, one := range v.Get("items").Items() {
				add(one, item)
			}
			return
		}
		o := object{kind: kind, namespace: v.Find("metadata.namespace").Text(), name: v.Find("metadata.name").Text()}
		faults.Append(document.Decode(v, &o.tree))
		if o.tree != nil {
			out = append(out, o)
		}
	}
	for _, doc := range docs {
		add(doc.Root(), "")
	}
	return out, faults.Err()
}

// useful are the objects that matter to a run; of the others it is noted how many there are.
func (d *dump) useful(all []object) []object {
	read := map[string]bool{}
	for _, name := range manifest.KindsRead() {
		read[name[strings.LastIndexByte(name, '/')+1:]] = true
	}
	return slices.DeleteFunc(all, func(o object) bool {
		what := ""
		switch scheduler := schedulerOf(o); {
		case !read[o.kind] || o.kind == "ResourceQuota":
			what = o.kind
		case scheduler != "" && scheduler != "default-scheduler" && field(o.tree, "spec", "nodeName") == nil:
			what = o.kind + " for another scheduler"
		default:
			return false
		}
		d.leftOut[what]++
		return true
	})
}

// schedulerOf is the scheduler that an object's pods ask for; "": none, or the default.
func schedulerOf(o object) string {
	spec := field(o.tree, "spec")
	switch o.kind {
	case "Pod":
	case "CronJob":
		spec = field(spec, "jobTemplate", "spec", "template", "spec")
	default:
		spec = field(spec, "template", "spec")
	}
	name, _ := field(spec, "schedulerName").(string)
	return name
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
			if isOfJob(o) {
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

func isOfJob(o object) bool {
	return slices.ContainsFunc(list(o.tree, "metadata", "ownerReferences"), func(ref any) bool {
		return field(ref, "kind") == "Job" && field(ref, "controller") == true
	})
}
