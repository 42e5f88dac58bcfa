// Package manifest turns Kubernetes objects into what the state of a cluster is made of: nodes and
// classes of pods. It does on load what the API server does on creation: strict decoding, defaults,
// admission of priority and runtime class, validation. Errors say file, line, column and path.
//
// A Loader takes objects through the packages decode, validate, admit and compile below this one. They are the only
// packages that know the API types of Kubernetes. What would change scheduling and is not supported is an error
// that names the field and the plugin that it needs; what cannot matter to scheduling is accepted.
package manifest

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/compile"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
	"github.com/berth-sim/berth/sim/model/release"
)

// Loader reads Kubernetes objects and keeps them. Objects that others refer to by name (priority
// classes, runtime classes, pod groups) must be in the same call of Load or an earlier one, in any order.
//
// An object goes through four steps: it is decoded, checked by itself, made known to the others, and, when all
// are known, admitted and compiled.
type Loader struct {
	Objects

	vocabulary *cluster.Vocabulary
	followed   release.Release
	check      *validate.Checker
	names      names
	claims     claimNames
	admission  *admit.Chain
	compiler   *compile.Compiler
	warnings   *decode.Warnings
	ignored    decode.Ignored
	ignoredAs  []string // the names that ignored was made of
	skipped    decode.SkippedPods
	shapes     map[string]*cluster.Class
	key        []byte // scratch for keys of shapes
}

// ChartFile is the name of the file that makes a directory a Helm chart. Load takes it for the chart.
const ChartFile = decode.ChartFile

// New returns a Loader that interns into v.
func New(v *cluster.Vocabulary) *Loader {
	l := &Loader{vocabulary: v, followed: release.Newest(), check: &validate.Checker{Rules: new(release.Newest().Rules())}, names: newNames(), claims: newClaimNames(), shapes: map[string]*cluster.Class{}}
	l.warnings = decode.NewWarnings(&l.Warnings)
	l.admission = admit.NewChain(l.check, l.warnings, l.names.unnamed)
	l.compiler = compile.NewCompiler(v, l.check, l.warnings, l.admission)
	return l
}

// NewSharing returns a Loader without objects that knows the priority classes, runtime
// classes, pod groups, Services and controllers of l, so that objects that belong together can be kept apart
// from others. Names must still be unique among all of them.
func (l *Loader) NewSharing() *Loader {
	s := New(l.vocabulary)
	s.check.LimitsFollow = l.check.LimitsFollow
	s.Follow(l.followed, l.check.Rules)
	s.names, s.claims.claims, s.ignored, s.skipped = l.names.sibling(), l.claims.claims, l.ignored, l.skipped
	s.ignoredAs = l.ignoredAs
	s.admission = l.admission.Clone(s.check, s.warnings, s.names.unnamed)
	s.compiler = compile.NewCompiler(l.vocabulary, s.check, s.warnings, s.admission)
	s.compiler.KeepObjects, s.compiler.Selectors = l.compiler.KeepObjects, l.compiler.Selectors.Clone()
	return s
}

// KeepObjects has classes and nodes that are read from now on keep their objects, which an
// Encoder needs. Classes are then distinguished by all that their pods say, not only by what
// matters to scheduling.
func (l *Loader) KeepObjects() { l.compiler.KeepObjects = true }

// Follow sets the Kubernetes release, and its rules, by which the API server treats what is read from then on. Without it they are
// those of the newest.
func (l *Loader) Follow(followed release.Release, rules *release.Rules) {
	l.followed, l.check.Rules = followed, rules
}

// EnableAdmission enables admission plugins by name, for what is read from then on. A minus before the name
// ignores the objects of the plugin. The error is about the name at the index.
func (l *Loader) EnableAdmission(names []string) (index int, err error) {
	return l.admission.Enable(names)
}

// Ignore leaves out the objects of kinds that are given as KIND, KIND.GROUP or *.GROUP, of what is read from then on. The error
// is about the name at the index.
func (l *Loader) Ignore(names []string) (index int, err error) {
	l.ignored, index, err = decode.NewIgnored(names)
	l.ignoredAs = names
	return index, err
}

// SkipPods leaves out pods without a node, and controllers of pods, by NAME, NAMESPACE/NAME or label selector, of what is
// read from then on. The error is about the text at the index.
func (l *Loader) SkipPods(texts []string) (index int, err error) {
	l.skipped, index, err = decode.NewSkippedPods(texts)
	return index, err
}

// AdmissionEnabled reports whether an admission plugin is enabled.
func (l *Loader) AdmissionEnabled(p admit.Admission) bool { return l.admission.Enabled(p) }

// Admission returns the names that EnableAdmission was given, in the order of AdmissionNames.
func (l *Loader) Admission() []string { return l.admission.Names() }

// PriorityClass returns the class of that name, built-in ones included.
func (l *Loader) PriorityClass(name string) (admit.PriorityClass, bool) {
	p, ok := l.admission.Priorities[name]
	return p, ok
}

// NodeAffinity reads a NodeAffinity that stands outside of a pod: the addedAffinity of the arguments of
// the plugin NodeAffinity. The selector is nil if there is none; every term can be evaluated.
func (l *Loader) NodeAffinity(v document.Value) (cluster.NodeSelector, []cluster.PreferredTerm, error) {
	return l.compiler.NodeAffinity(v)
}

// Load reads documents that hold objects of any supported kind, lists of them included, and adds
// them to the Objects of the Loader in the order of the documents. The error is of type
// document.Errors and has all faults; the Objects must not be used after an error.
func (l *Loader) Load(docs ...*document.Document) error {
	objects := decode.Objects(docs, l.ignored, l.followed)
	l.skipped.Apply(objects)
	validate.All(objects, validate.Checker{LimitsFollow: l.check.LimitsFollow, Rules: l.check.Rules})
	for _, o := range objects {
		if o.GenerateName == "" {
			l.register(o)
		}
	}
	for _, o := range objects {
		if o.GenerateName != "" { // once the names that are given are known
			l.register(o)
		}
	}
	var faults document.Errors
	for _, o := range objects {
		l.add(o)
		faults = append(faults, o.Faults...)
	}
	l.warnUnknownFields(objects)
	l.warnRemoved(objects)
	return withKustomizations(withoutRepeats(faults), objects).Err()
}

// register makes an object known to the others, and counts it.
func (l *Loader) register(o *decode.Object) {
	if o.Kind == nil {
		return
	}
	l.check.Begin(o.At, o.Faults)
	defer l.check.End(&o.Faults)
	if o.GenerateName != "" && o.Typed != nil {
		l.names.generate(o)
	}
	switch {
	case o.Kind.Ignored:
		l.skip(o)
	case validate.Checks[o.Kind.GroupKind()] != nil && o.Typed == nil:
		l.names.unnamed[o.Kind.Name] = true
	case o.Name != "" && l.check.NoErrorAt(o.At, "metadata.name", "metadata.namespace"):
		if l.names.unique(o) {
			l.registerKind(o)
		}
	default:
		l.names.unnamed[o.Kind.Name] = true
		l.registerKind(o)
	}
}

func (l *Loader) registerKind(o *decode.Object) {
	l.names.uniqueUID(o)
	if register := steps[o.Kind.GroupKind()].register; register != nil {
		register(l, o)
	}
}

// add admits and compiles an object and adds it to those of the Loader, unless it has errors: then it is only
// asked for more of them.
func (l *Loader) add(o *decode.Object) {
	if o.Kind == nil || o.Typed == nil {
		return
	}
	step := steps[o.Kind.GroupKind()]
	if step.add == nil || len(o.Faults) > 0 && !step.checksFaulty {
		return
	}
	l.check.Begin(o.At, o.Faults)
	step.add(l, o)
	l.check.End(&o.Faults)
}

// skip counts an object that is not read.
func (l *Loader) skip(o *decode.Object) {
	into := &l.Skipped
	if o.Kind.LeftOut {
		into = &l.LeftOut
	}
	if caveat := o.Kind.Caveat; caveat != "" {
		caveat = strings.ReplaceAll(caveat, "DIR", filepath.Dir(o.At.File()))
		l.warnings.Once("kind "+o.Kind.FullName(), o.At, "%s is skipped: %s", o.Kind.FullName(), caveat)
	}
	countKind(into, KindCount{o.Kind.FullName(), 1})
}

// countKind adds to the number of objects of a kind.
func countKind(counts *[]KindCount, more KindCount) {
	for i := range *counts {
		if (*counts)[i].Kind == more.Kind {
			(*counts)[i].Count += more.Count
			return
		}
	}
	*counts = append(*counts, more)
}

// indexes are the numbers in paths.
var indexes = regexp.MustCompile(`\[\d+\]`)

// withoutRepeats leaves out what has been said before: several pods can find the same fault of their namespace,
// and what an alias stands for is met at every place that has it.
func withoutRepeats(faults document.Errors) document.Errors {
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
