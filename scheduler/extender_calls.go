package scheduler

import (
	"context"
	"errors"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// The calls of an extender, in the order in which a pod meets them.
const (
	callFilter = iota
	callPrioritize
	callPreempt
	callBind
	numCalls
)

var callNames = [numCalls]string{"filter", "prioritize", "preempt", "bind"}

// ExtenderCalls are the calls of one kind of an extender that has failed to answer some.
type ExtenderCalls struct {
	Extender     ExtenderInfo
	Call         string // filter, prioritize, preempt or bind
	Made, Failed int
	First        error // of those that failed
}

// countedExtender counts the calls of an extender.
type countedExtender struct {
	Extender
	calls [numCalls]struct {
		made, failed int
		first        error
	}
	late     bool // a call took too long
	whenSlow func(x ExtenderInfo, call string)
}

// note counts a call, and hands its error on. One that was cut short is none.
func (w *countedExtender) note(ctx context.Context, call int, err error) error {
	if ctx.Err() != nil {
		return err
	}
	c := &w.calls[call]
	c.made++
	if err == nil {
		return nil
	}
	if c.failed++; c.first == nil {
		c.first = err
	}
	var timeout interface{ Timeout() bool }
	if !w.late && w.whenSlow != nil && errors.As(err, &timeout) && timeout.Timeout() {
		w.late = true
		w.whenSlow(w.Info(), callNames[call])
	}
	return err
}

// Filter implements Extender.
func (w *countedExtender) Filter(ctx context.Context, pod cluster.PodID, nodes []cluster.NodeID) (Filtered, error) {
	out, err := w.Extender.Filter(ctx, pod, nodes)
	return out, w.note(ctx, callFilter, err)
}

// Prioritize implements Extender.
func (w *countedExtender) Prioritize(ctx context.Context, pod cluster.PodID, nodes []cluster.NodeID) ([]NodeScore, error) {
	out, err := w.Extender.Prioritize(ctx, pod, nodes)
	return out, w.note(ctx, callPrioritize, err)
}

// Preempt implements Extender.
func (w *countedExtender) Preempt(ctx context.Context, pod cluster.PodID, candidates []Candidate) ([]Candidate, error) {
	out, err := w.Extender.Preempt(ctx, pod, candidates)
	return out, w.note(ctx, callPreempt, err)
}

// Bind implements Extender.
func (w *countedExtender) Bind(ctx context.Context, pod cluster.PodID, node cluster.NodeID) error {
	return w.note(ctx, callBind, w.Extender.Bind(ctx, pod, node))
}

// inCallOrder are the extenders as they are called: those that can be ignored last.
//
// Upstream: buildExtenders, pkg/scheduler/scheduler.go, v1.36.3.
func inCallOrder(extenders []Extender) []*countedExtender {
	var out []*countedExtender
	for _, ignorable := range []bool{false, true} {
		for _, x := range extenders {
			if x.Info().Ignorable == ignorable {
				out = append(out, &countedExtender{Extender: x})
			}
		}
	}
	return out
}

// HasExtenders reports whether the scheduler has extenders.
func (s *Scheduler) HasExtenders() bool { return len(s.extenders) > 0 }

// FailedCalls returns the calls of extenders of which some have failed so far, in the order in
// which the extenders are called.
func (s *Scheduler) FailedCalls() []ExtenderCalls {
	var out []ExtenderCalls
	for _, x := range s.extenders {
		for call, c := range x.calls {
			if c.failed > 0 {
				out = append(out, ExtenderCalls{x.Info(), callNames[call], c.made, c.failed, c.first})
			}
		}
	}
	return out
}

// OnSlowExtender has f called when an extender does not answer in time for the first time.
func (s *Scheduler) OnSlowExtender(f func(x ExtenderInfo, call string)) {
	for _, x := range s.extenders {
		x.whenSlow = f
	}
}

// SetContext has calls of extenders end when the context does.
func (s *Scheduler) SetContext(ctx context.Context) { s.ctx = ctx }

// Interrupted reports whether the context is done, so that extender calls fail and decisions must be discarded.
func (s *Scheduler) Interrupted() bool { return s.HasExtenders() && s.ctx.Err() != nil }
