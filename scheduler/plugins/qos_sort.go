package plugins

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// qosSort puts pods of higher priority first, of equal priority those of the higher quality of service, and then the one
// that was queued earlier.
//
// Upstream: pkg/qos/queue_sort.go, sigs.k8s.io/scheduler-plugins v0.33.5.
// Differs: none.
type qosSort struct{ cluster *cluster.Cluster }

func newQOSSort(h *scheduler.Handle) (scheduler.Plugin, error) { return qosSort{h.Cluster()}, nil }

func (qosSort) Name() string { return "QOSSort" }

func (qosSort) DependsOn() scheduler.Dependencies { return 0 }

func (p qosSort) Less(a, b *scheduler.QueuedPod) bool {
	if a.Priority != b.Priority {
		return a.Priority > b.Priority
	}
	if x, y := p.cluster.Pod(a.Pod).Class.QoS, p.cluster.Pod(b.Pod).Class.QoS; x != y {
		return x > y
	}
	return a.Timestamp < b.Timestamp
}
