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
	Extender     ExtenderTraits
	Call         string // filter, prioritize, preempt or bind
	Made, Failed int
	First        error // of those that failed
}

// watched counts the calls of an extender.
type watched struct {
	Extender
	calls [numCalls]struct {
		made, failed int
		first        error
	}
	late     bool // a call took too long
	whenSlow func(x ExtenderTraits, call string)
}

// note counts a call, and hands its error on. One that was cut short is none.
func (w *watched) note(ctx context.Context, call int, err error) error {
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
		w.whenSlow(w.Traits(), callNames[call])
	}
	return err
}

// Filter implements Extender.
func (w *watched) Filter(ctx context.Context, pod cluster.PodID, nodes []cluster.NodeID) (Filtered, error) {
	out, err := w.Extender.Filter(ctx, pod, nodes)
	return out, w.note(ctx, callFilter, err)
}

// Prioritize implements Extender.
func (w *watched) Prioritize(ctx context.Context, pod cluster.PodID, nodes []cluster.NodeID) ([]NodeScore, error) {
	out, err := w.Extender.Prioritize(ctx, pod, nodes)
	return out, w.note(ctx, callPrioritize, err)
}

// Preempt implements Extender.
func (w *watched) Preempt(ctx context.Context, pod cluster.PodID, candidates []Candidate) ([]Candidate, error) {
	out, err := w.Extender.Preempt(ctx, pod, candidates)
	return out, w.note(ctx, callPreempt, err)
}

// Bind implements Extender.
func (w *watched) Bind(ctx context.Context, pod cluster.PodID, node cluster.NodeID) error {
	return w.note(ctx, callBind, w.Extender.Bind(ctx, pod, node))
}

// inOrder are the extenders as they are called: those that can be ignored last.
//
// Upstream: buildExtenders, pkg/scheduler/scheduler.go, v1.36.3.
func inOrder(extenders []Extender) []*watched {
	var out []*watched
	for _, ignorable := range []bool{false, true} {
		for _, x := range extenders {
			if x.Traits().Ignorable == ignorable {
				out = append(out, &watched{Extender: x})
			}
		}
	}
	return out
}

// Extended reports whether the scheduler has extenders.
func (s *Scheduler) Extended() bool { return len(s.extenders) > 0 }

// FailedCalls are the calls of extenders of which some have failed so far, in the order in
// which the extenders are called.
func (s *Scheduler) FailedCalls() []ExtenderCalls {
	var out []ExtenderCalls
	for _, x := range s.extenders {
		for call, c := range x.calls {
			if c.failed > 0 {
				out = append(out, ExtenderCalls{x.Traits(), callNames[call], c.made, c.failed, c.first})
			}
		}
	}
	return out
}

// OnSlowExtender has f called when an extender does not answer in time for the first time.
func (s *Scheduler) OnSlowExtender(f func(x ExtenderTraits, call string)) {
	for _, x := range s.extenders {
		x.whenSlow = f
	}
}

// Under has calls of extenders end when the context does.
func (s *Scheduler) Under(ctx context.Context) { s.ctx = ctx }

// Cut says that calls of extenders are cut short, so that what is decided now means nothing.
func (s *Scheduler) Cut() bool { return s.Extended() && s.ctx.Err() != nil }
