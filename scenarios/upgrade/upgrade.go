// Package upgrade plays the same scenario, or places the same pods, under several releases of Kubernetes, and finds the rules
// that make the difference.
package upgrade

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"sync"

	"github.com/berth-sim/berth/reports/compare"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/upgrades"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/sim/files/parallel"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/model/release"
)

// Study is the question what changes between releases.
type Study struct {
	Releases []release.Release   // at least two, in order
	Warn     func(text []string) // is called with the warnings of the first release
	Done     func(runs int)      // is called after each run with the number of all, never concurrently

	mutex sync.Mutex
	runs  int
}

// done counts a run.
func (q *Study) done() {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.runs++
	q.Done(q.runs)
}

// Scenario says what changes when a scenario is run. Rules and feature gates of the scenario and of the options are left
// out: each release has its defaults. If the context ends after the releases have been run, the steps are those that are
// complete.
func (q *Study) Scenario(ctx context.Context, s *scenarios.Scenario, o scenarios.Options) (*upgrades.Upgrade, error) {
	u := &upgrades.Upgrade{}
	sides, err := q.sides(ctx, func(settings release.Settings, first bool) (*side, error) {
		run, err := build(ctx, s, o, settings)
		if err != nil {
			return nil, err
		}
		if first {
			u.Subject, u.Policy, u.Seed = run.Config.Name, run.Policy.Name, *run.Recipe.Seed
			q.Warn(run.Warnings)
		}
		played := newSide()
		outcome, err := experiment.Runner{Record: played.record}.Run(ctx, run, "")
		if err != nil {
			return nil, err
		}
		played.summary = outcome.Summary
		return played, nil
	})
	if err != nil {
		return nil, err
	}
	return u, q.steps(ctx, u, sides, func(ctx context.Context, settings release.Settings, against *side) (*side, bool, error) {
		defer q.done()
		return playRun(ctx, s, o, settings, against)
	})
}

// Snapshot says what changes when the pending pods of manifests are placed. Rules and feature gates of the options are left
// out.
func (q *Study) Snapshot(ctx context.Context, o scenarios.PlaceOptions) (*upgrades.Upgrade, error) {
	if o.Manifests == nil {
		var err error
		if o.Manifests, err = scenarios.ReadManifests(o.Files, o.Exclude); err != nil {
			return nil, err
		}
	}
	play := func(settings release.Settings, first bool) (*side, error) {
		o := o
		o.Kubernetes, o.FeatureGates, o.Rules = settings.Kubernetes, nil, settings.Rules
		p, err := scenarios.NewPlacement(o)
		if err != nil {
			return nil, err
		}
		if first {
			q.Warn(p.Warnings)
		}
		return placed(p)
	}
	u := &upgrades.Upgrade{OneShot: true}
	sides, err := q.sides(ctx, play)
	if err != nil {
		return nil, err
	}
	return u, q.steps(ctx, u, sides, func(ctx context.Context, settings release.Settings, _ *side) (*side, bool, error) {
		defer q.done()
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		outcome, err := play(settings, false)
		return outcome, true, err
	})
}

// sides plays the input under each release, several at a time.
func (q *Study) sides(ctx context.Context, play func(s release.Settings, first bool) (*side, error)) ([]*side, error) {
	sides := make([]*side, len(q.Releases))
	faults := make([]error, len(q.Releases))
	parallel.Each(len(q.Releases), func(i int) {
		sides[i], faults[i] = play(release.Settings{Kubernetes: q.Releases[i].String()}, i == 0)
		q.done()
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return sides, cmp.Or(faults...)
}

// steps sums up the outcomes and compares neighbors. If the context ends, the steps are those that are complete.
func (q *Study) steps(ctx context.Context, u *upgrades.Upgrade, sides []*side, play runner) error {
	releases := q.Releases
	for i, side := range sides {
		u.Releases = append(u.Releases, side.release(releases[i]))
	}
	found := make([]*upgrades.Step, len(releases)-1)
	faults := make([]error, len(found))
	parallel.Each(len(found), func(i int) {
		a := &attribution{
			from: releases[i], to: releases[i+1], old: sides[i], play: play, fromRules: releases[i].Rules(), toRules: releases[i+1].Rules(),
		}
		found[i], faults[i] = a.step(ctx, sides[i+1])
	})
	u.Partial = ctx.Err() != nil
	for i, step := range found {
		switch {
		case faults[i] != nil && u.Partial:
			return nil
		case faults[i] != nil:
			return faults[i]
		}
		if before, after := sides[i].summary, sides[i+1].summary; before != nil && after != nil {
			step.Metrics = compare.Deltas(before, after)
		}
		u.Steps = append(u.Steps, *step)
	}
	return nil
}

func build(ctx context.Context, s *scenarios.Scenario, o scenarios.Options, settings release.Settings) (*scenarios.Run, error) {
	o.Kubernetes, o.FeatureGates, o.Rules = settings.Kubernetes, map[string]bool{}, settings.Rules
	if o.Rules == nil {
		o.Rules = map[string]string{}
	}
	return s.BuildContext(ctx, o)
}

// errDiverged ends a run that has diverged from the other one.
var errDiverged = errors.New("the runs have diverged")

// playRun runs the scenario without samples. If against is not nil, it stops at the first event that differs from it.
func playRun(ctx context.Context, s *scenarios.Scenario, o scenarios.Options, settings release.Settings, against *side) (*side, bool, error) {
	run, err := build(ctx, s, o, settings)
	if err != nil {
		return nil, false, err
	}
	defer run.Close()
	stopped, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	outcome := newSide()
	err = experiment.Observe(stopped, run, func(r *record.Record) {
		outcome.record(r)
		if n := len(outcome.events); against != nil && n > 0 && !against.has(n-1, &outcome.events[n-1]) {
			stop(errDiverged)
		}
	})
	if errors.Is(err, errDiverged) {
		return outcome, false, nil
	}
	return outcome, true, err
}

// has reports whether the i-th event is the given one.
func (s *side) has(i int, e *event) bool {
	return i < len(s.events) && s.events[i].decision == e.decision && s.events[i].texts == e.texts
}

// record notes a record.
func (s *side) record(r *record.Record) {
	if e, is := s.observe(r); is {
		s.events = append(s.events, e)
	}
}

// placed places the pods and notes how each ended.
func placed(p *scenarios.Placement) (*side, error) {
	outcome, err := p.Ends()
	if err != nil {
		return nil, err
	}
	s := newSide()
	s.victims = outcome.Victims
	nodes := map[string]int32{}
	for i := range outcome.Pods {
		pod := &outcome.Pods[i]
		number, known := nodes[pod.Node]
		if !known {
			number = int32(len(nodes))
			nodes[pod.Node], s.nodes[number] = number, pod.Node
		}
		key := podKey{name: pod.Name}
		s.pods[int64(i)] = key
		message := cmp.Or(pod.Message, inWords(pod.Reasons))
		s.ends[key] = &end{node: pod.Node, message: message, tries: pod.Attempts}
		s.events = append(s.events, event{
			pod: int64(i), kind: record.PodAttempted, node: number,
			decision: maphash.Comparable(hashSeed, [4]string{pod.Name, pod.Node, string(pod.End), pod.Nominated}),
			texts:    maphash.String(hashSeed, message),
		})
	}
	return s, nil
}

// release sums the outcome up.
func (s *side) release(r release.Release) upgrades.Release {
	out := upgrades.Release{Name: r.String(), Pods: len(s.ends), Victims: s.victims}
	for _, pod := range s.ends {
		out.Attempts += pod.tries
		if pod.node != "" {
			out.Placed++
		}
	}
	if s.summary != nil {
		out.MeanWait, out.MostWait = value(s.summary, "mean"), value(s.summary, "max")
	}
	return out
}

func value(s *metric.Summary, label string) float64 {
	v, _ := s.Value("placement.waitToBind", label)
	return v
}
