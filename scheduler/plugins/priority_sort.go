package plugins

import "github.com/berth-sim/berth/scheduler"

// prioritySort puts pods of higher priority first, and of equal priority the one
// that was queued earlier.
//
// Upstream: framework/plugins/queuesort/priority_sort.go, v1.36.3.
// Differs: none.
type prioritySort struct{}

func newPrioritySort(*scheduler.Handle) (scheduler.Plugin, error) { return prioritySort{}, nil }

func (prioritySort) Name() string { return "PrioritySort" }

func (prioritySort) DependsOn() scheduler.Dependencies { return 0 }

func (prioritySort) Less(a, b *scheduler.QueuedPod) bool {
	if a.Priority != b.Priority {
		return a.Priority > b.Priority
	}
	return a.Timestamp < b.Timestamp
}
