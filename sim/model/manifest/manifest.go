// Package manifest turns Kubernetes objects into what the state of a cluster is made of: nodes and
// classes of pods. It does on load what the API server does on creation: strict decoding, defaults,
// admission of priority and runtime class, validation. Errors say file, line, column and path.
//
// It is the only package that knows the API types of Kubernetes. What would change scheduling and is
// not supported yet is an error that names the field and the plugin that it needs; what cannot
// matter to scheduling is accepted.
package manifest

import (
	"regexp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// Loader reads Kubernetes objects and keeps them. Objects that others refer to by name (priority
// classes, runtime classes, pod groups) must be in the same call of Load or an earlier one, in any order.
type Loader struct {
	Objects

	vocabulary    *cluster.Vocabulary
	seen          map[identity]document.Value
	uids          map[identity]document.Value // the name of each identity is a uid
	nameless      map[string]bool             // kinds with objects whose names are not known
	priorities    map[string]PriorityClass
	fallback      *PriorityClass // the one with globalDefault
	runtimes      map[string]*runtimeClass
	groups        map[string]*PodGroup // by namespace/name
	selecting     selecting
	shapes        map[string]*cluster.Class
	warned        map[string]bool
	claims        map[string]bool         // by namespace/name
	ephemeral     map[string]string       // pods with ephemeral volumes, by namespace/uid
	fallbackClass defaultClass            // of claims
	scheduled     map[string]bool         // by name of resource
	admission     map[Admission]bool      // true: switched on; false: its objects are left out of account
	spaces        map[string]space        // by name of namespace
	limits        map[string][]limitRange // by namespace
	avoided       map[string]bool         // controllers whose pods a node asks to be spared
	keep          bool                    // see KeepObjects
	key           []byte                  // scratch for keys of classes and shapes
	check         checker
}

// identity is what no two objects share.
type identity struct {
	kind            *kind
	namespace, name string
}

// New returns a Loader that interns into v.
func New(v *cluster.Vocabulary) *Loader {
	return &Loader{
		vocabulary: v,
		seen:       map[identity]document.Value{},
		uids:       map[identity]document.Value{},
		nameless:   map[string]bool{},
		priorities: systemPriorities(),
		runtimes:   map[string]*runtimeClass{},
		groups:     map[string]*PodGroup{},
		selecting:  newSelecting(),
		shapes:     map[string]*cluster.Class{},
		warned:     map[string]bool{},
		claims:     map[string]bool{},
		ephemeral:  map[string]string{},
		scheduled:  map[string]bool{},
		admission:  map[Admission]bool{},
		spaces:     map[string]space{},
		limits:     map[string][]limitRange{},
		avoided:    map[string]bool{},
	}
}

// object is one Kubernetes object on its way through Load.
type object struct {
	at              document.Value
	kind            *kind
	namespace, name string
	typed           any // pointer to the decoded API type
	faults          document.Errors
}

// Load reads documents that hold objects of any supported kind, lists of them included, and adds
// them to the Objects of the Loader in the order of the documents. The error is of type
// document.Errors and has all faults; what was added before it is returned has no use then.
func (l *Loader) Load(docs ...*document.Document) error {
	var objects []*object
	for _, doc := range docs {
		objects = spread(objects, doc.Root(), typeMeta{})
	}
	readAll(objects, checker{limitsCome: l.check.limitsCome})
	for _, o := range objects {
		l.register(o)
	}
	var faults document.Errors
	for _, o := range objects {
		l.compile(o)
		faults = append(faults, o.faults...)
	}
	return once(faults).Err()
}

// compile adds an object to those of the Loader, unless it has faults: then it is only asked for more of them.
func (l *Loader) compile(o *object) {
	if o.kind == nil || o.kind.compile == nil || o.typed == nil || len(o.faults) > 0 && !o.kind.admits {
		return
	}
	l.check.doubt(o.at, o.faults)
	o.kind.compile(l, o)
	l.check.settle(&o.faults)
}

// indexes are the numbers in paths.
var indexes = regexp.MustCompile(`\[\d+\]`)

// once leaves out what has been said before: several pods can find the same fault of their namespace,
// and what an alias stands for is met at every place that has it.
func once(faults document.Errors) document.Errors {
	if len(faults) == 0 {
		return nil
	}
	said := map[string]bool{}
	return slices.DeleteFunc(faults, func(fault *document.Error) bool {
		anywhere := *fault
		anywhere.Path = indexes.ReplaceAllString(fault.Path, "[]")
		text := anywhere.Error()
		before := said[text]
		said[text] = true
		return before
	})
}

// readAll decodes and checks the objects, each by itself and several at a time.
func readAll(objects []*object, fresh checker) {
	const batch = 16
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 1+len(objects)/batch) {
		workers.Go(func() {
			c := fresh
			for {
				from := int(next.Add(batch)) - batch
				if from >= len(objects) {
					return
				}
				for _, o := range objects[from:min(from+batch, len(objects))] {
					if len(o.faults) == 0 && o.kind.read != nil {
						o.kind.read(&c, o)
						c.settle(&o.faults)
					}
				}
			}
		})
	}
	workers.Wait()
}

// register makes an object known to the others, and counts it.
func (l *Loader) register(o *object) {
	if o.kind == nil {
		return
	}
	l.check.doubt(o.at, o.faults)
	defer l.check.settle(&o.faults)
	if o.kind.read != nil && o.typed == nil {
		l.nameless[o.kind.name] = true
		return
	}
	if o.name == "" || !l.check.knows(o.at, "metadata.name", "metadata.namespace") {
		l.nameless[o.kind.name] = true
	} else if !l.unique(o) {
		return
	}
	l.uniqueUID(o)
	if o.kind.register != nil {
		o.kind.register(l, o)
	}
}

// unique notes the name of an object and reports whether it is the first one of that name.
func (l *Loader) unique(o *object) bool {
	id := identity{o.kind, o.namespace, o.name}
	first, taken := l.seen[id]
	if !taken {
		l.seen[id] = o.at
		return true
	}
	within := ""
	if o.namespace != "" {
		within = " in namespace " + o.namespace
	}
	o.faults.Add(o.at, "metadata.name", "is the name of another %s%s, at %s", o.kind.name, within, place(first))
	return false
}

// uniqueUID notes the UID of an object, if it has one, and reports a second of its kind.
func (l *Loader) uniqueUID(o *object) {
	meta, has := o.typed.(metav1.Object)
	if !has || meta.GetUID() == "" {
		return
	}
	id := identity{kind: o.kind, name: string(meta.GetUID())}
	if first, taken := l.uids[id]; taken {
		o.faults.Add(o.at, "metadata.uid", "is the uid of another %s, at %s", o.kind.name, place(first))
		return
	}
	l.uids[id] = o.at
}
