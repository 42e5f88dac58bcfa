package world_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/plugins"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// usePolicy gives a random world the scheduler of a configuration.
func (rw *randomWorld) usePolicy(t testing.TB, text string, seed uint64) {
	t.Helper()
	docs, err := document.Parse("policy.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	policy, err := config.Reader{Registry: plugins.Registry(), Vocabulary: rw.cluster.Vocabulary, Rules: rw.rules}.Parse(docs[0])
	if err != nil {
		t.Fatal(err)
	}
	rw.cfg.Scheduler, err = scheduler.New(rw.cluster, scheduler.Config{
		Profiles: policy.Profiles, Registry: plugins.Registry(), Tie: scheduler.TieRandom,
		InitialBackoff: policy.InitialBackoff, MaxBackoff: policy.MaxBackoff, Streams: clock.NewStreams(seed), Rules: rw.rules,
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Worlds of the legacy scheduler in which most pods have volumes, some of which come too late.
func TestLawsHoldInTheLegacyScheduler(t *testing.T) {
	policies := []string{
		"{apiVersion: kubescheduler.config.k8s.io/v1alpha1, kind: KubeSchedulerConfiguration, bindTimeoutSeconds: 2}",
		"{apiVersion: v1, kind: Policy, alwaysCheckAllPredicates: true}",
	}
	rejected, late := 0, 0
	for seed := range uint64(12) {
		rw := newRandomWorld(t, seed, func(rw *randomWorld) {
			rw.addStorage(t)
			rnd := rand.New(rand.NewPCG(seed, 1))
			for i := range rw.cfg.Arrivals.(*arrivalList).left {
				a := &rw.cfg.Arrivals.(*arrivalList).left[i]
				if storage := []string{"", "made", "instant", "local"}[rnd.IntN(4)]; storage != "" {
					a.Class = rw.withVolume(a.Class, storage)
				}
			}
			rw.cfg.Latency.VolumeBind, rw.cfg.Latency.Provision = fixed(clock.Second/2), fixed(seed%5*uint64(clock.Second))
		})
		rw.usePolicy(t, policies[seed%2], seed)
		err := rw.run(t, rw.laws())
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		for _, r := range rw.records {
			if r.Kind == record.PodAttempted && slices.ContainsFunc(r.Attempt.Reasons, func(why record.ReasonCount) bool {
				return strings.Contains(why.Reason, "volume")
			}) {
				rejected++
			}
			if r.Kind == record.PodRolledBack && strings.Contains(r.Text, "binding volumes") {
				late++
			}
		}
	}
	if rejected == 0 || late == 0 {
		t.Errorf("volumes kept %d attempts from success, and %d came too late: the laws were not tested", rejected, late)
	}
}
