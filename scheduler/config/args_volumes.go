package config

import (
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
)

// maxBindTimeout keeps the timeout within the range of the clock: a hundred years.
const maxBindTimeout = 100 * 366 * 86_400

// Upstream: ValidateVolumeBindingArgs in pkg/scheduler/apis/config/validation/validation_pluginargs.go, v1.36.3 and v1.37.2.
func (f *reading) volumeArgs(v document.Value) any {
	var a struct {
		typeMeta
		BindTimeoutSeconds *int64         `json:"bindTimeoutSeconds"`
		Shape              document.Value `json:"shape"`
	}
	f.decodeArgs(v, "VolumeBindingArgs", &a.typeMeta, &a)
	args := plugins.DefaultVolumeBindingArgs()
	if t := a.BindTimeoutSeconds; t != nil {
		if *t < 0 || *t > maxBindTimeout {
			f.errors.Add(v, "bindTimeoutSeconds", "must be from 0 to %d", int64(maxBindTimeout))
		} else {
			args.Timeout = clock.Time(*t) * clock.Second
		}
	}
	args.Shape = f.storageShape(v, a.Shape)
	return args
}

// storageShape reads the shape of the score by free storage; nil stands for that of the plugin.
func (f *reading) storageShape(args, v document.Value) []plugins.ShapePoint {
	if !v.Exists() || v.Kind() == document.Null {
		return nil
	}
	if !f.rules.StorageScore {
		f.errors.Add(args, "shape", "must not be set: the feature gate StorageCapacityScoring is off, as it is by default up to Kubernetes 1.36")
		return nil
	}
	var points []shapePoint
	f.errors.Append(document.Decode(v, &points))
	if len(points) == 0 {
		return nil
	}
	return f.shape(args, points)
}
