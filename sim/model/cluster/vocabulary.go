package cluster

// Symbol is an interned string; 0 is the empty one.
type Symbol int32

// intern gives strings dense ids, in the order of first sight.
type intern[ID ~int | ~int32] struct {
	ids   map[string]ID
	names []string
}

func (t *intern[ID]) id(s string) ID {
	if id, ok := t.ids[s]; ok {
		return id
	}
	id := ID(len(t.names))
	t.ids[s] = id
	t.names = append(t.names, s)
	return id
}

// Symbols interns strings.
type Symbols struct{ table intern[Symbol] }

// Symbol returns the id of s, a new one when s has not been seen.
func (t *Symbols) Symbol(s string) Symbol { return t.table.id(s) }

// Lookup returns the id of s without interning it.
func (t *Symbols) Lookup(s string) (Symbol, bool) {
	id, ok := t.table.ids[s]
	return id, ok
}

// Text returns the string of an id.
func (t *Symbols) Text(id Symbol) string { return t.table.names[id] }

// Resource is the dense id of a resource. The four native ones are constants;
// extended resources, huge pages and attachable volumes follow as they appear.
type Resource int

// The native resources and their base units.
const (
	CPU              Resource = iota // milli
	Memory                           // bytes
	EphemeralStorage                 // bytes
	Pods                             // count
	numNative
)

// Quantity is an amount of one resource in its base unit.
type Quantity struct {
	Resource Resource
	Amount   int64
}

// Vocabulary holds what is interned over one run: strings, resources and pod
// classes. It exists before the cluster does, because loading needs it first.
type Vocabulary struct {
	Symbols
	resources intern[Resource]
	classes   []*Class
	classIDs  map[string]ClassID
	// classSerials is how many classes have a Serial.
	classSerials int32

	namespaces map[Symbol]LabelSet
	podTerms   map[string]*PodTerm
	podSets    map[string]*PodSet

	topologyLabels topologyLabels

	Hostname Symbol // the label kubernetes.io/hostname
}

// NewVocabulary returns a vocabulary that knows the native resources.
func NewVocabulary() *Vocabulary {
	v := &Vocabulary{
		Symbols:   Symbols{intern[Symbol]{ids: map[string]Symbol{"": 0}, names: []string{""}}},
		resources: intern[Resource]{ids: map[string]Resource{}},
		classIDs:  map[string]ClassID{},

		namespaces: map[Symbol]LabelSet{},
		podTerms:   map[string]*PodTerm{},
		podSets:    map[string]*PodSet{},
	}
	for _, name := range []string{"cpu", "memory", "ephemeral-storage", "pods"} {
		v.Resource(name)
	}
	v.Hostname = v.Symbol("kubernetes.io/hostname")
	return v
}

// Resource returns the id of the resource of that name, a new one when it has
// not been seen.
func (v *Vocabulary) Resource(name string) Resource { return v.resources.id(name) }

// LookupResource is like Resource, without interning.
func (v *Vocabulary) LookupResource(name string) (Resource, bool) {
	id, ok := v.resources.ids[name]
	return id, ok
}

// ResourceName returns the name of a resource.
func (v *Vocabulary) ResourceName(r Resource) string { return v.resources.names[r] }

// NumResources returns the number of known resources; ids are below it.
func (v *Vocabulary) NumResources() int { return len(v.resources.names) }

// IsScalar reports whether r is what upstream calls a scalar resource: extended,
// huge pages, attachable volumes. A score leaves out a scalar resource that the
// pod does not ask for.
func (r Resource) IsScalar() bool { return r >= numNative }

// SetNamespaceLabels declares the labels of a namespace.
func (v *Vocabulary) SetNamespaceLabels(namespace Symbol, labels LabelSet) {
	v.namespaces[namespace] = labels
}

// NamespaceLabels returns the labels of a namespace. One without a manifest has the label that
// the API server gives to every namespace: its name.
func (v *Vocabulary) NamespaceLabels(namespace Symbol) LabelSet {
	labels, declared := v.namespaces[namespace]
	if !declared {
		labels = LabelSet{{v.Symbol("kubernetes.io/metadata.name"), namespace}}
		v.namespaces[namespace] = labels
	}
	return labels
}
