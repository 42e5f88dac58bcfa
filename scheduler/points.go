package scheduler

import "github.com/berth-sim/berth/sim/model/cluster"

// ExtensionPointsOf returns the extension points of a plugin, in their order. To find out it
// makes one, with these arguments, for a scheduler of an empty cluster that never
// runs. It fails where there is no such plugin or its factory refuses the arguments.
func (r Registry) ExtensionPointsOf(name string, args any) ([]ExtensionPoint, error) {
	plugin, err := r.sample(name, args)
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
func (r Registry) sample(name string, args any) (Plugin, error) {
	cl := cluster.New(cluster.NewVocabulary())
	s := &Scheduler{cluster: cl}
	s.cycle = &Cycle{s: s, Cluster: cl}
	return r.make(name, &Handle{s}, args)
}
