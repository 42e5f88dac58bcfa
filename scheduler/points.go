package scheduler

import (
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

// ExtensionPointsOf returns the extension points of a plugin, in their order. To find out it
// makes one, with these arguments, for a scheduler of an empty cluster that never
// runs by these rules, nil for those of the newest release. It fails where there is no such plugin or its factory refuses the arguments.
func (r Registry) ExtensionPointsOf(name string, args any, rules *release.Rules) ([]ExtensionPoint, error) {
	plugin, err := r.sample(name, args, rules)
	if err != nil {
		return nil, err
	}
	var p profile
	i := p.adopt(plugin)
	var points []ExtensionPoint
	for point := range NumExtensionPoints {
		if p.enable(point, i, 1) {
			points = append(points, point)
		}
	}
	return points, nil
}

// sample makes a plugin for a scheduler of an empty cluster that never runs.
func (r Registry) sample(name string, args any, rules *release.Rules) (Plugin, error) {
	cl := cluster.New(cluster.NewVocabulary())
	s := &Scheduler{cluster: cl, rules: release.OrNewest(rules)}
	s.cycle = &Cycle{s: s, Cluster: cl}
	return r.make(name, &Handle{s: s}, args)
}
