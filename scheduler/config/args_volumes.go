package config

import (
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
)

// maxBindTimeout keeps the timeout within the range of the clock: a hundred years.
const maxBindTimeout = 100 * 366 * 86_400

// Upstream: ValidateVolumeBindingArgs in pkg/scheduler/apis/config/validation/validation_pluginargs.go, v1.36.3.
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
	if a.Shape.Exists() && a.Shape.Kind() != document.Null {
		f.errors.Add(v, "shape", "must not be set: it is behind the feature gate StorageCapacityScoring, which is off")
	}
	return args
}
