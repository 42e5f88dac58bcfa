package decode

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/release"
)

// Objects returns the objects of the documents, those in lists each by itself, in their order. Versions of kinds that appeared
// after the release are errors.
func Objects(docs []*document.Document, ignored Ignored, followed release.Release) []*Object {
	r := reader{
		ignored: ignored, followed: followed,
		foreign: map[GroupKind]*Kind{}, refused: map[*Kind][]*Object{}, tooNew: map[typeMeta][]*Object{},
	}
	for _, doc := range docs {
		r.flatten(doc.Root(), typeMeta{})
	}
	r.addRefused()
	r.addTooNew()
	return r.objects
}

// reader finds the objects of documents and their kinds.
type reader struct {
	ignored  Ignored
	followed release.Release
	foreign  map[GroupKind]*Kind    // met, of groups that Kubernetes does not have
	refused  map[*Kind][]*Object    // objects of kinds that are not supported
	tooNew   map[typeMeta][]*Object // objects of versions that the release does not serve yet
	objects  []*Object
}

// flatten appends the object at v or, if it is a list, its items. An object need not name the kind that is
// assumed where it stands.
func (r *reader) flatten(v document.Value, assumed typeMeta) {
	o := &Object{At: v}
	if IsKustomization(v) {
		o.Kind = kustomization
		r.objects = append(r.objects, o)
		return
	}
	if IsChart(v) {
		o.Kind = r.chart(o)
		r.objects = append(r.objects, o)
		return
	}
	is, ok := o.typeMeta(assumed)
	if !ok {
		r.objects = append(r.objects, o)
		return
	}
	if assumed, isList := listOf(is, v); isList {
		if !o.checkList() {
			r.objects = append(r.objects, o)
			return
		}
		for _, item := range v.Get("items").Items() {
			r.flatten(item, assumed)
		}
		return
	}
	o.Kind = r.kind(o, is)
	_, o.Version = is.split()
	r.objects = append(r.objects, o)
}

// kind is the kind of an object; where it is none that is read or left out, the fault is noted.
func (r *reader) kind(o *Object, is typeMeta) *Kind {
	group, version := is.split()
	k := kinds[NewGroupKind(group, is.kind)]
	if r.ignored.Matches(group, is.kind) {
		return r.other(Kind{Group: group, Name: is.kind, Ignored: true, LeftOut: true})
	}
	switch {
	case group == "" && version == builtinGroup:
		return r.other(Kind{Group: builtinGroup, Name: is.kind, Ignored: true, Caveat: kustomizationCaveat})
	case k == nil && isForeign(group, is.kind):
		return r.other(Kind{Group: group, Name: is.kind, Ignored: true})
	case k == nil:
		o.unknown(is)
	case r.isTooNew(is):
		r.tooNew[is] = append(r.tooNew[is], o)
	case k.unsupported != "":
		r.refuse(o, k)
	case k.version != "" && k.version != version && !k.Converts(version):
		o.Faults.Add(o.At, "apiVersion", "is not supported for kind %s; supported is %s", is.kind, k.APIVersion())
	}
	return k
}

// chart is the kind of a Helm chart. Unless charts are left out, the fault is noted.
func (r *reader) chart(o *Object) *Kind {
	if r.ignored.Matches(chart.Group, chart.Name) {
		return r.other(Kind{Group: chart.Group, Name: chart.Name, Ignored: true, LeftOut: true})
	}
	why := strings.ReplaceAll(chart.unsupported, "DIR", filepath.Dir(o.At.File()))
	o.Faults.Add(o.At, "", "is not supported: %s; --ignore %s leaves it out", why, chart.Name)
	return chart
}

// other is a kind that is none of those that are known, the same one for all of its objects.
func (r *reader) other(k Kind) *Kind {
	known := r.foreign[k.GroupKind()]
	if known == nil {
		known = &k
		r.foreign[k.GroupKind()] = known
	}
	return known
}

// refuse notes that a kind is not supported, once for all objects of the kind: a cluster may have thousands.
func (r *reader) refuse(o *Object, k *Kind) { r.refused[k] = append(r.refused[k], o) }

// addRefused adds the errors of kinds that are not supported. Of several custom kinds of a group, each error offers to
// leave out the group, since its kinds are used together.
func (r *reader) addRefused() {
	perGroup := map[string]int{}
	for k := range r.refused {
		perGroup[k.Group]++
	}
	for k, objects := range r.refused {
		leaves := leavesOut(objects)
		if perGroup[k.Group] > 1 && !kubernetesGroups[k.Group] {
			leaves += fmt.Sprintf(", and --ignore '*.%s' all kinds of its group", k.Group)
		}
		first := objects[0]
		first.Faults.Add(first.At, "kind", "is not supported: %s; --ignore %s %s", k.unsupported, k.FullName(), leaves)
	}
}

// leavesOut says what a flag does that leaves objects out.
func leavesOut(objects []*Object) string {
	if len(objects) > 1 {
		return fmt.Sprintf("leaves out all %d of them", len(objects))
	}
	return "leaves it out"
}

// isTooNew reports whether the release does not serve a version of a kind yet.
func (r *reader) isTooNew(is typeMeta) bool {
	served, listed := release.ServedBy(is.apiVersion, is.kind)
	return listed && served.After(r.followed)
}

// addTooNew adds the errors of versions that the release does not serve yet, each once.
func (r *reader) addTooNew() {
	for is, objects := range r.tooNew {
		first := objects[0]
		served, _ := release.ServedBy(is.apiVersion, is.kind)
		advice := fmt.Sprintf("--ignore %s %s", first.Kind.FullName(), leavesOut(objects))
		if first.Kind.unsupported == "" {
			advice = fmt.Sprintf("give --kubernetes %s; %s", served.Oldest(), advice)
		}
		first.Faults.Add(first.At, "apiVersion", "is not served for kind %s by Kubernetes %s, but by %s: %s", is.kind, r.followed, served, advice)
	}
}

// listOf reports whether the object is a list, and of what if its name tells.
func listOf(is typeMeta, at document.Value) (assumed typeMeta, isList bool) {
	if is.kind == "List" && is.apiVersion == "v1" {
		return typeMeta{}, true
	}
	item, isList := strings.CutSuffix(is.kind, "List")
	group, _ := is.split()
	if !isList {
		return typeMeta{}, false
	}
	_, known := kinds[NewGroupKind(group, item)]
	if !known && !(isForeign(group, item) && at.Get("items").Kind() == document.List) {
		return typeMeta{}, false
	}
	return typeMeta{is.apiVersion, item}, true
}

// checkList notes what a list has that no list has.
func (o *Object) checkList() bool {
	for name, v := range o.At.Entries() {
		switch name {
		case "apiVersion", "kind", "metadata":
		case "items":
			if v.Kind() != document.List && v.Kind() != document.Null {
				o.Faults.Add(o.At, name, "must be a list, got %v", v.Kind())
			}
		default:
			known := []string{"apiVersion", "kind", "metadata", "items"}
			o.Faults.Add(o.At, name, "is an unknown field of a list%s", document.Meant(name, known))
		}
	}
	return len(o.Faults) == 0
}
