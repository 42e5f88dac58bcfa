package manifest

import (
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
)

// names sees to it that no two objects share a name or a uid.
type names struct {
	taken   map[identity]document.Value
	uids    map[identity]document.Value // the name of each identity is a uid
	unnamed map[string]bool             // kinds with objects whose names are not known
}

// identity is what no two objects share.
type identity struct {
	kind            *kind
	namespace, name string
}

func newNames() names {
	return names{map[identity]document.Value{}, map[identity]document.Value{}, map[string]bool{}}
}

// sibling shares the names with n.
func (n *names) sibling() names {
	return names{n.taken, map[identity]document.Value{}, maps.Clone(n.unnamed)}
}

// unique notes the name of an object and reports whether it is the first one of that name.
func (n *names) unique(o *object) bool {
	id := identity{o.kind, o.namespace, o.name}
	first, taken := n.taken[id]
	if !taken {
		n.taken[id] = o.at
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
func (n *names) uniqueUID(o *object) {
	meta, has := o.typed.(metav1.Object)
	if !has || meta.GetUID() == "" {
		return
	}
	id := identity{kind: o.kind, name: string(meta.GetUID())}
	if first, taken := n.uids[id]; taken {
		o.faults.Add(o.at, "metadata.uid", "is the uid of another %s, at %s", o.kind.name, place(first))
		return
	}
	n.uids[id] = o.at
}
