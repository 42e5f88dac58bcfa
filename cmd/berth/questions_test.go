package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/berth-sim/berth/reports/goal"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/scenarios/plan"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/capacity"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

// question is asked in the middle of a run: after an attempt, or else between two instants, when
// the attempt is nil.
type question struct {
	name string
	ask  func(*askedRun, *scheduler.Attempt) error
}

// questions are what is asked of a run; the zero value asks nothing.
type questions struct {
	afterAttempt, between []question
	instants              []clock.Time // of between
	pods                  []podAt      // to be explained with --at
}

// podAt is a pod, as namespace/name, and an instant.
type podAt struct {
	pod string
	at  clock.Time
}

// askedRun is a run of a bundled scenario in the middle of which questions are asked.
type askedRun struct {
	questions
	scenario *scenarios.Scenario
	run      *scenarios.Run
	ctx      context.Context
	cluster  *cluster.Cluster
	template string                      // file of a template, for capacity
	trackers map[string]*explain.Tracker // by pod

	records  [sha256.Size]byte // hash of all that was written
	attempts int
	rejected []podAt
	asked    map[string]int // by name of the question, and kind of change that was tried
	err      error          // of the first question that failed or left a trace
}

// runAsked runs a scenario up to a horizon.
func runAsked(t *testing.T, name string, tie scheduler.TieBreak, horizon clock.Time, q questions) *askedRun {
	t.Helper()
	s, err := scenarios.Load(filepath.Join(library, name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Build(scenarios.Options{Recipe: recipe.Recipe{TieBreak: string(tie)}})
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	r := &askedRun{
		questions: q, scenario: s, run: run, ctx: t.Context(), cluster: run.Config.Cluster, trackers: map[string]*explain.Tracker{}, asked: map[string]int{},
	}
	r.template = filepath.Join(t.TempDir(), "template.yaml")
	write(t, r.template, fmt.Sprintf(benchTemplate, ""))
	hash := sha256.New()
	writer := record.NewWriter(hash)
	cfg := run.Config
	cfg.FragmentationMeter, cfg.Horizon, cfg.Attempted, cfg.BeforeAdvance = nil, min(cfg.Horizon, horizon), r.attempted, r.passing
	cfg.Record = func(rec *record.Record) {
		if err := writer.Write(rec); err != nil {
			t.Error(err)
		}
		for _, tracker := range r.trackers {
			tracker.Record(rec)
		}
	}
	w := world.New(cfg)
	r.track(t, w)
	if _, err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	hash.Sum(r.records[:0])
	return r
}

// track has the pods followed that are to be explained at an instant, as explain --at does.
func (r *askedRun) track(t *testing.T, w *world.World) {
	t.Helper()
	for _, p := range r.pods {
		pod, err := explain.ParsePod(p.pod)
		if err != nil {
			t.Fatal(err)
		}
		tracker := explain.NewTracker(pod, p.at, explain.Options{Top: 3, Nodes: true, Daemons: r.run.Config.Daemons})
		tracker.Scheduler, tracker.Cluster, tracker.World = r.run.Config.Scheduler, r.cluster, w
		r.trackers[p.pod] = tracker
	}
}

// check asks something, and notes if it fails or leaves a trace in the state.
func (r *askedRun) check(name string, ask func() error) {
	before := r.cluster.Hash()
	err := ask()
	if err == nil && r.cluster.Hash() != before {
		err = errors.New("it left a trace in the state of the cluster")
	}
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%s: %w", name, err)
	}
	r.asked[name]++
}

// maxExplained bounds how many attempts of a run are explained.
const maxExplained = 6

// attempted asks after every 200th attempt, after every 50th that found no node, and after preemptions.
func (r *askedRun) attempted(a *scheduler.Attempt, now clock.Time) {
	p := r.cluster.Pod(a.Pod)
	name := r.cluster.Text(p.Class.Namespace) + "/" + p.Name
	if tracker := r.trackers[name]; tracker != nil {
		r.check("explain --at: attempt", func() error { tracker.Attempted(a, now); return nil })
	}
	due := r.attempts%200 == 0
	if a.Outcome == scheduler.Rejected {
		due = due || len(r.rejected)%50 == 0
		r.rejected = append(r.rejected, podAt{name, now})
	}
	if r.attempts++; !due && a.Nominated == cluster.None || r.asked["explain"] > maxExplained {
		return
	}
	for _, q := range r.afterAttempt {
		r.check(q.name, func() error { return q.ask(r, a) })
	}
}

func (r *askedRun) passing(next clock.Time) {
	for _, pod := range slices.Sorted(maps.Keys(r.trackers)) {
		if tracker := r.trackers[pod]; next > tracker.Until {
			r.check("explain --at: instant", func() error { tracker.BeforeAdvance(next); return nil })
			delete(r.trackers, pod) // it knows enough
		}
	}
	for ; len(r.instants) > 0 && next > r.instants[0]; r.instants = r.instants[1:] {
		for _, q := range r.between {
			r.check(q.name, func() error { return q.ask(r, nil) })
		}
	}
}

// askExplain explains an attempt with all that can be asked of it.
func askExplain(r *askedRun, a *scheduler.Attempt) error {
	if err := agrees(r.run, a); err != nil {
		return err
	}
	order := r.cluster.Order()
	e, err := explain.Attempt(r.run.Config.Scheduler, r.cluster, a, explain.Options{
		Top: 3, Nodes: true, Node: r.cluster.Node(order[len(order)-1]).Name, Daemons: r.run.Config.Daemons,
	})
	if err != nil {
		return err
	}
	for _, c := range e.Changes {
		r.asked["change: "+c.Kind]++
	}
	if p := e.Preemption; p != nil {
		r.asked["preemption"]++
		if p.Candidates == 0 || p.Next != nil && (p.Next.Ahead || p.Next.Rule == "") {
			return fmt.Errorf("of %d nodes, %s is taken, and %+v is the next best", p.Candidates, p.Node, p.Next)
		}
	}
	return nil
}

// askRoom asks how many more pods of each of some classes there is room for.
func askRoom(r *askedRun, _ *scheduler.Attempt) error {
	for id := range min(r.cluster.NumClasses(), 8) {
		nodes, _ := place.Room(r.cluster, r.run.Config.Scheduler, r.cluster.Class(cluster.ClassID(id)), 50)
		r.asked["pods placed on trial"] += len(nodes)
	}
	return nil
}

// askCapacity asks how many replicas fit into a snapshot.
func askCapacity(r *askedRun, _ *scheduler.Attempt) error {
	snapshot, err := scenarios.ReadSnapshot(scenarios.PlaceOptions{Files: []string{filepath.Join(library, "misfits")}, Order: place.QueueOrder})
	if err != nil {
		return err
	}
	templates, err := snapshot.Replicas(r.template)
	if err != nil {
		return err
	}
	fresh := func() (capacity.Cluster, error) {
		p, err := snapshot.Placement()
		if err != nil {
			return capacity.Cluster{}, err
		}
		return capacity.Cluster{Placement: &p.Placement, Pods: p.Pods}, nil
	}
	found, err := capacity.Measure(r.ctx, fresh, templates, capacity.Options{Max: 50, Pending: true})
	if err == nil {
		r.asked["replicas counted"] += found.Fillings[0].Sets
	}
	return err
}

// askPlan asks for a fleet of a few minutes of the scenario of the run.
func askPlan(r *askedRun, _ *scheduler.Attempt) error {
	if r.asked["plan"] > 0 {
		return nil
	}
	fleet := r.scenario.File.Fleet
	i := slices.IndexFunc(fleet, func(f scenarios.Fleet) bool { return f.Pool != "" && f.Count > 0 })
	if i < 0 {
		return nil
	}
	always, err := goal.Parse("placement.pending >= 0")
	if err != nil {
		return err
	}
	horizon := recipe.Horizon(2 * clock.Minute)
	_, err = (&plan.Plan{
		Scenario: r.scenario, Options: scenarios.Options{Recipe: recipe.Recipe{Horizon: &horizon}},
		Objectives: plan.Objectives{{Goal: always}}, Axes: []plan.Axis{{Pool: fleet[i].Pool, Low: 1, High: fleet[i].Count + 1}},
		Seeds: experiment.Seeds(1, 1), Quantile: 100, Probes: 2,
	}).Search(r.ctx)
	r.asked["fleets planned"]++
	return err
}

// askedScenarios are the bundled scenarios, and how much of each is run.
var askedScenarios = map[string]clock.Time{
	"bin-packing": 20 * clock.Minute, "diurnal": 490 * clock.Minute, "gang-deadlock": clock.Hour, "gang-timeouts": clock.Hour,
	"gpu-churn": clock.Hour, "gpu-fleet": 20 * clock.Minute, "heterogeneous": 190 * clock.Minute, "preemption": 70 * clock.Minute,
	"quickstart": 30 * clock.Minute,
}

// allQuestions are asked at several instants of a run whose rejected attempts are known.
func allQuestions(horizon clock.Time, rejected []podAt) questions {
	q := questions{
		afterAttempt: []question{{"explain", askExplain}},
		between:      []question{{"room", askRoom}, {"capacity", askCapacity}, {"plan", askPlan}},
		instants:     []clock.Time{horizon / 4, horizon / 2, horizon * 3 / 4},
	}
	for i := range min(len(rejected), 3) {
		q.pods = append(q.pods, rejected[i*len(rejected)/3])
	}
	return q
}

// TestQuestionsBesideARunLeaveNoTrace: what is asked in the middle of a run leaves the state as it
// is, and the run writes the records that it writes without questions.
func TestQuestionsBesideARunLeaveNoTrace(t *testing.T) {
	asked := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(askedScenarios)) {
		for _, tie := range []scheduler.TieBreak{scheduler.TieRandom, scheduler.TieRank, scheduler.TieFirst} {
			horizon := askedScenarios[name]
			plain := runAsked(t, name, tie, horizon, questions{})
			with := runAsked(t, name, tie, horizon, allQuestions(horizon, plain.rejected))
			if with.err != nil {
				t.Errorf("%s, tie %s: %v", name, tie, with.err)
			}
			if with.records != plain.records {
				t.Errorf("%s, tie %s: the run has other records when questions are asked", name, tie)
			}
			for what, times := range with.asked {
				asked[what] += times
			}
		}
	}
	for _, what := range []string{
		"explain", "explain --at: attempt", "explain --at: instant", "room", "pods placed on trial", "capacity", "plan", "fleets planned",
		"replicas counted", "preemption", "change: addNode", "change: removePod", "change: request",
	} {
		if t.Logf("%5d %s", asked[what], what); asked[what] == 0 {
			t.Errorf("%s: this was not asked", what)
		}
	}
}

// TestTracesOfQuestionsAreNoticed plants questions that leave something: in the state of the
// cluster, or elsewhere, which the records of the rest of the run show.
func TestTracesOfQuestionsAreNoticed(t *testing.T) {
	var mark cluster.Mark
	addNode := func(r *askedRun) (cluster.NodeID, error) {
		return r.cluster.AddNode(cluster.NodeSpec{Name: "one more", Allocatable: []cluster.Quantity{{Resource: cluster.Pods, Amount: 1}}})
	}
	for _, plant := range []struct {
		name, scenario string
		questions      []question
		inState        bool // that is where the trace is
	}{
		{"a rollback is skipped", "quickstart", []question{
			{"forget", func(r *askedRun, _ *scheduler.Attempt) error {
				mark = r.cluster.Mark()
				_, err := addNode(r)
				return err
			}},
			{"remember", func(r *askedRun, _ *scheduler.Attempt) error { r.cluster.Rollback(mark); return nil }},
		}, true},
		{"an id is not given back", "quickstart", []question{{"add and remove", func(r *askedRun, _ *scheduler.Attempt) error {
			id, err := addNode(r)
			r.cluster.RemoveNode(id)
			return err
		}}}, true},
		{"pods that wait are woken", "gang-deadlock", []question{{"wake", func(r *askedRun, _ *scheduler.Attempt) error {
			r.run.Config.Scheduler.Observe(scheduler.ClusterEvent{Kind: scheduler.NodeAdded, Node: r.cluster.ByCreation()[0]}, r.instants[0])
			return nil
		}}}, false},
		{"a class has a number in records", "gpu-fleet", []question{{"declare", func(r *askedRun, _ *scheduler.Attempt) error {
			r.cluster.AddClass(fmt.Sprint("asked ", r.cluster.NumClasses()), cluster.Class{})
			return nil
		}}}, false},
	} {
		horizon := askedScenarios[plant.scenario]
		plain := runAsked(t, plant.scenario, scheduler.TieFirst, horizon, questions{})
		with := runAsked(t, plant.scenario, scheduler.TieFirst, horizon, questions{between: plant.questions, instants: []clock.Time{horizon / 2, horizon * 3 / 4}})
		if inState := with.err != nil; inState != plant.inState {
			t.Errorf("%s: in the state: %v", plant.name, with.err)
		}
		if !plant.inState && with.records == plain.records {
			t.Errorf("%s: the records are the same", plant.name)
		}
	}
}
