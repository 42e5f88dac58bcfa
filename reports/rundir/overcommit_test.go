package rundir

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/model/record/recordtest"
)

// overcommitted is a log in which a pod is assumed on a node that lacks the room for it.
const overcommitted = `0 workload workload=0 text=w
0 nodeAdd node=0 name=a cpu=100
0 class class=0 cpu=600
0 arrive pod=0
1 attempt pod=0 count=1 outcome=scheduled to=0
2 end text=done`

// TestRereadingChecksOvercommit: a log with overcommitted nodes is refused unless the manifest allows it.
func TestRereadingChecksOvercommit(t *testing.T) {
	for _, allowed := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "run")
		w, err := NewWriter(dir)
		if err != nil {
			t.Fatal(err)
		}
		l := metric.NewLedger()
		l.AllowOvercommit()
		for _, line := range strings.Split(overcommitted, "\n") {
			r := recordtest.Parse(t, line)
			l.Observe(r)
			w.Record(r)
		}
		settings := recipe.Recipe{Policy: "p", Kubernetes: "1.37", Seed: new(uint64(7)), TieBreak: "first", Horizon: new(recipe.Horizon(clock.Hour)), Overcommit: allowed}
		s := l.Summary(metric.Facts{Scenario: "s", Policy: "p", Kubernetes: "1.37", Seed: 7})
		if err := w.Close(Manifest{Version: "v0", Scenario: "s", Recipe: settings, Ended: s.Run.Ended}, s, l); err != nil {
			t.Fatal(err)
		}
		run, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		err = run.Replay(nil)
		if refused := err != nil && strings.Contains(err.Error(), "node a has 500 of cpu too little for the pod"); refused == allowed || allowed && err != nil {
			t.Errorf("overcommit %v: the error is %v", allowed, err)
		}
	}
}
