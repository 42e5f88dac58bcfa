package config

import (
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
)

// allocatableArgs reads the arguments of NodeResourcesAllocatable.
//
// Upstream: NodeResourcesAllocatableArgs and its defaults in apis/config/v1 and ValidateNodeResourcesAllocatableArgs in
// apis/config/validation/validation_pluginargs.go, sigs.k8s.io/scheduler-plugins v0.33.5.
func (f *reading) allocatableArgs(v document.Value) any {
	var a struct {
		typeMeta
		Mode      plugins.AllocatableMode `json:"mode"`
		Resources []resourceSpec          `json:"resources"`
	}
	f.decodeArgs(v, "NodeResourcesAllocatableArgs", &a.typeMeta, &a)
	args := plugins.DefaultAllocatableArgs()
	switch a.Mode {
	case "":
	case plugins.LeastAllocatable, plugins.MostAllocatable:
		args.Mode = a.Mode
	default:
		f.errors.Add(v, "mode", "must be %s or %s", plugins.LeastAllocatable, plugins.MostAllocatable)
	}
	if len(a.Resources) > 0 {
		args.Resources = nil
	}
	for i, r := range a.Resources {
		path := document.Path("resources", i, "weight")
		notRead := r.Weight == 0 && v.Find(path).Exists() && v.Find(path).Text() != "0" // which is an error already
		if r.Weight <= 0 && !notRead {
			f.errors.Add(v, path, "must be positive")
		}
		args.Resources = append(args.Resources, plugins.ResourceWeight(r))
	}
	return args
}

// unusedArgs warns of arguments that the plugin does not read.
func (f *reading) unusedArgs(v document.Value) any {
	f.policy.Warnings.Add(v, "", "have no effect: the plugin takes no arguments")
	return nil
}
