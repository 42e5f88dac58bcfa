package decode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

// typeMeta is what kind of object stands somewhere.
type typeMeta struct{ apiVersion, kind string }

func (t typeMeta) split() (group, version string) {
	group, version, grouped := strings.Cut(t.apiVersion, "/")
	if !grouped {
		return "", t.apiVersion
	}
	return group, version
}

// typeMeta reads apiVersion and kind. Where it reports false, the fault is noted.
func (o *Object) typeMeta(assumed typeMeta) (typeMeta, bool) {
	if what := o.otherThanObject(assumed); what != "" {
		o.Faults.Add(o.At, "", "%s", what)
		return assumed, false
	}
	is := assumed
	for _, f := range []struct {
		name string
		into *string
	}{{"apiVersion", &is.apiVersion}, {"kind", &is.kind}} {
		v := o.At.Get(f.name)
		switch {
		case v.Kind() == document.String && v.Text() != "":
			*f.into = v.Text()
		case v.Exists() && v.Kind() != document.Null && v.Kind() != document.String:
			o.Faults.Add(o.At, f.name, "must be a string, got %v", v.Kind())
		case f.name == "kind" && *f.into == "" && o.At.Get("items").Kind() == document.List:
			o.Faults.Add(o.At, f.name, "is missing behind the items: the file appears truncated, since kubectl writes kind: List at its end")
		case *f.into == "":
			o.Faults.Add(o.At, f.name, "is required%s", o.inOtherCase(f.name))
		}
	}
	return is, len(o.Faults) == 0
}

// otherThanObject says what a document is that is no object; empty: it is one, or is meant to be one.
func (o *Object) otherThanObject(assumed typeMeta) string {
	first := o.At.Index(0)
	switch {
	case o.At.Kind() == document.List && first.Get("op").Exists() && first.Get("path").Exists():
		return "is a JSON patch of a kustomization, not a Kubernetes object"
	case o.At.Kind() == document.List && first.Get("kind").Exists():
		return "is a list of objects without a header: put it into the items of an object with apiVersion: v1 and kind: List"
	case o.At.Get("$patch").Exists():
		return "is a patch of a kustomization, not a Kubernetes object"
	case strings.HasPrefix(o.At.Text(), "NAME") && o.At.Kind() == document.String:
		return "is a table of kubectl, not Kubernetes objects: run kubectl with -o yaml"
	case o.At.Kind() != document.Map:
		return fmt.Sprintf("must be a Kubernetes object, got %v", o.At.Kind())
	case assumed == typeMeta{} && !o.hasKey("apiVersion") && !o.hasKey("kind"):
		return "is not a Kubernetes object: it has neither apiVersion nor kind"
	}
	return ""
}

// hasKey reports whether the object has the key, in any case.
func (o *Object) hasKey(name string) bool {
	return o.At.Get(name).Exists() || o.inOtherCase(name) != ""
}

// inOtherCase names the key that is probably meant to be the one that is missing, to be appended to the error.
func (o *Object) inOtherCase(name string) string {
	for key := range o.At.Entries() {
		if key != name && strings.EqualFold(key, name) {
			return fmt.Sprintf(": write %s in place of %s", name, key)
		}
	}
	return ""
}

// unknown notes that there is no such kind, with what may have been meant.
func (o *Object) unknown(is typeMeta) {
	var names, versions []string
	for _, k := range kinds {
		names = append(names, k.Name)
		if k.Name == is.kind && k.unsupported == "" && k.version != "" {
			versions = append(versions, k.APIVersion())
		}
	}
	slices.Sort(names)
	slices.Sort(versions)
	if len(versions) > 0 {
		o.Faults.Add(o.At, "apiVersion", "is not supported for kind %s; supported is %s", is.kind, strings.Join(versions, ", "))
		return
	}
	if is == (typeMeta{"v1", "Status"}) {
		o.Faults.Add(o.At, "kind", "is an error of the API server in place of objects: %s", o.At.Get("message").Text())
		return
	}
	o.Faults.Add(o.At, "kind", "is not a known kind of %s%s", is.apiVersion, document.Meant(is.kind, slices.Compact(names)))
}
