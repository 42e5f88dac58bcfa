package plugins

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// defaultBinder binds every pod. The API call that upstream makes is the bind
// latency of the scenario.
//
// Upstream: framework/plugins/defaultbinder/default_binder.go, v1.36.3.
// Differs: binding never fails.
type defaultBinder struct{}

func newDefaultBinder(*scheduler.Handle) (scheduler.Plugin, error) { return defaultBinder{}, nil }

func (defaultBinder) Name() string { return "DefaultBinder" }

func (defaultBinder) DependsOn() scheduler.Dependencies { return 0 }

func (defaultBinder) Bind(cluster.PodID, cluster.NodeID) scheduler.Status { return scheduler.Status{} }
