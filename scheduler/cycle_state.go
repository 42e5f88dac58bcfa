package scheduler

import "github.com/berth-sim/berth/sim/model/cluster"

// CycleState is what plugins keep about one pod from Reserve until the pod is bound or loses its node, by StateKey. The
// zero value holds nothing.
//
// Upstream: CycleState, pkg/scheduler/framework/cycle_state.go, v1.36.3. Differs: state that plugins need only before
// Reserve is in slots of the Cycle, which are reused for the next pod.
type CycleState struct {
	cycle  *Cycle
	values []any // by StateKey; nil where the plugin keeps nothing
}

// Cycle returns the cycle that chose the node, with what plugins worked out for the pod; nil when the cycle is over.
func (s *CycleState) Cycle() *Cycle { return s.cycle }

// StateKey is where a plugin keeps a value of type T in every CycleState.
type StateKey[T any] struct{ index int }

// NewStateKey reserves a place in every CycleState of the scheduler.
func NewStateKey[T any](h *Handle) StateKey[T] {
	h.s.stateKeys++
	return StateKey[T]{h.s.stateKeys - 1}
}

// Set keeps a value.
func (k StateKey[T]) Set(s *CycleState, value T) {
	for len(s.values) <= k.index {
		s.values = append(s.values, nil)
	}
	s.values[k.index] = value
}

// Get returns the value that was set, or false.
func (k StateKey[T]) Get(s *CycleState) (value T, set bool) {
	if k.index < len(s.values) {
		value, set = s.values[k.index].(T)
	}
	return value, set
}

// stateOf returns the state of an assumed pod.
func (s *Scheduler) stateOf(pod cluster.PodID) *CycleState {
	if state := s.states[pod]; state != nil {
		return state
	}
	return &CycleState{}
}

// reserve runs Reserve for the pod of the cycle, which is assumed on the node. Most plugins keep nothing, so the state
// is kept only where one of them did.
func (c *Cycle) reserve(node cluster.NodeID) (rejector int, st Status) {
	state := &c.state
	*state = CycleState{cycle: c}
	defer func() {
		state.cycle = nil
		if len(state.values) > 0 {
			c.s.states[c.Pod] = &CycleState{values: state.values}
		}
	}()
	for _, p := range c.profile.reserve {
		if st := p.plugin.Reserve(state, c.Pod, node); st.Code != Success {
			return p.index, st.in("Reserve", p.plugin)
		}
	}
	return 0, Status{}
}

// unreserve runs Unreserve in reverse order, whether or not Reserve was called, and forgets the state.
func (s *Scheduler) unreserve(pod cluster.PodID, node cluster.NodeID) {
	reserve, state := s.profileOf(pod).reserve, s.stateOf(pod)
	for i := len(reserve) - 1; i >= 0; i-- {
		reserve[i].plugin.Unreserve(state, pod, node)
	}
	delete(s.states, pod)
}
