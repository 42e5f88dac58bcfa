package manifest

import (
	"fmt"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/release"
)

// warnRemoved warns of objects of versions that the release no longer serves, once for each version of a kind.
func (l *Loader) warnRemoved(objects []*decode.Object) {
	type version struct {
		kind *decode.Kind
		name string
	}
	var order []version
	found := map[version][]*decode.Object{}
	for _, o := range objects {
		if o.Kind == nil || !o.Kind.Converts(o.Version) {
			continue
		}
		v := version{o.Kind, o.Version}
		if found[v] == nil {
			order = append(order, v)
		}
		found[v] = append(found[v], o)
	}
	for _, v := range order {
		served, listed := release.ServedBy(v.kind.Group+"/"+v.name, v.kind.Name)
		if !listed || !served.Before(l.followed) {
			continue
		}
		count := ""
		if n := len(found[v]); n > 1 {
			count = fmt.Sprintf(" (%d objects)", n)
		}
		l.warnings.Once("version "+v.kind.FullName()+" "+v.name, found[v][0].At, "%s of %s/%s%s is converted to %s: Kubernetes %s served it, %s does not",
			v.kind.Name, v.kind.Group, v.name, count, v.kind.APIVersion(), served, l.followed)
	}
}
