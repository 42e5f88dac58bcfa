package manifest

import (
	"fmt"
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// names sees to it that no two objects share a name or a uid.
type names struct {
	taken     map[identity]document.Value
	generated map[identity]int            // numbers given so far; the name of each identity is a generateName
	uids      map[identity]document.Value // the name of each identity is a uid
	unnamed   map[string]bool             // kinds with objects whose names are not known
}

// identity is what no two objects share.
type identity struct {
	kind            *decode.Kind
	namespace, name string
}

func newNames() names {
	return names{map[identity]document.Value{}, map[identity]int{}, map[identity]document.Value{}, map[string]bool{}}
}

// sibling shares the names with n.
func (n *names) sibling() names {
	return names{n.taken, n.generated, map[identity]document.Value{}, maps.Clone(n.unnamed)}
}

// generate gives an object that has none a name: its generateName and a number of five digits, the first one that no
// other object of its kind has. The API server takes five characters by chance.
func (n *names) generate(o *decode.Object) {
	from := identity{o.Kind, o.Namespace, o.GenerateName}
	for o.Name == "" {
		n.generated[from]++
		name := fmt.Sprintf("%s%05d", o.GenerateName, n.generated[from])
		if _, taken := n.taken[identity{o.Kind, o.Namespace, name}]; !taken {
			o.Name = name
		}
	}
	switch typed := o.Typed.(type) {
	case metav1.Object:
		typed.SetName(o.Name)
	case *validate.Controller:
		typed.Name = o.Name
	}
}

// unique notes the name of an object and reports whether it is the first one of that name.
func (n *names) unique(o *decode.Object) bool {
	id := identity{o.Kind, o.Namespace, o.Name}
	first, taken := n.taken[id]
	if !taken {
		n.taken[id] = o.At
		return true
	}
	within := ""
	if o.Namespace != "" {
		within = " in namespace " + o.Namespace
	}
	o.Faults.Add(o.At, "metadata.name", "is the name of another %s%s, at %s", o.Kind.Name, within, decode.Position(first))
	return false
}

// uniqueUID notes the UID of an object, if it has one, and reports a second of its kind.
func (n *names) uniqueUID(o *decode.Object) {
	meta, has := o.Typed.(metav1.Object)
	if !has || meta.GetUID() == "" {
		return
	}
	id := identity{kind: o.Kind, name: string(meta.GetUID())}
	if first, taken := n.uids[id]; taken {
		o.Faults.Add(o.At, "metadata.uid", "is the uid of another %s, at %s", o.Kind.Name, decode.Position(first))
		return
	}
	n.uids[id] = o.At
}
