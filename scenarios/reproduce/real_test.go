package reproduce

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/berth-sim/berth/reports/curves"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

const (
	data     = "../../../shared/data"
	policies = "../policies/gpu"
)

func skipWithoutData(t testing.TB, name string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(data, name)); err != nil {
		t.Skip("the published data is not there: ", err)
	}
}

// Every curve point of the default list equals the published one to the last digit, for each
// policy that is not random.
func TestPublishedCurves(t *testing.T) {
	skipWithoutData(t, "fgd-expected")
	s := Study{
		Data: data, Lists: []string{"openb_pod_list_default"}, Seeds: []uint64{42}, Dir: policies, Out: t.TempDir(),
		Policies: []string{"DotProd", "GpuClustering", "GpuPacking", "BestFit", "FGD"},
	}
	entries, err := s.Run(t.Context(), func(curves.Entry, bool) {})
	if err != nil {
		t.Fatal(err)
	}
	published, err := curves.ReadPublished(func(name string) (io.ReadCloser, error) {
		return os.Open(filepath.Join(data, "fgd-expected", name+".csv"))
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range curves.Tables() {
		if a := table.Compare(entries, published); a.Runs != 5 || a.Points != 5*curves.Columns || a.Equal != a.Points {
			t.Errorf("%s: %d of %d points of %d runs are equal: %q", table.Name, a.Equal, a.Points, a.Runs, a.First)
		}
	}
}

// The decisions, and all that is counted after each of them, are those of the authors' own
// simulator, whose log of a run is at hand for two policies.
func TestEventsAreTheAuthors(t *testing.T) {
	skipWithoutData(t, "fgd-expected")
	for policy, log := range map[string]string{"fgd.yaml": "FGD", "best-fit.yaml": "BestFit"} {
		t.Run(log, func(t *testing.T) {
			rows := readLog(t, filepath.Join(data, "fgd-expected", "peer_events_default_"+log+"_seed42.csv.gz"))
			events := loggedEvents(t, policy)
			if len(events) != len(rows) {
				t.Fatalf("%d pods were tried, by the authors %d", len(events), len(rows))
			}
			for i, row := range rows {
				if want := fmt.Sprint(row[1:11]); events[i] != want {
					t.Fatalf("event %d is %s, of the authors %s", i, events[i], want)
				}
			}
		})
	}
}

func readLog(t *testing.T, path string) [][]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(bufio.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(unzipped).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// loggedEvents runs the default list with seed 42 and words each event as the authors' log
// does.
func loggedEvents(t *testing.T, policy string) []string {
	t.Helper()
	s := Study{Data: data, Out: t.TempDir()}
	scenario, err := s.scenario("openb_pod_list_default")
	if err != nil {
		t.Fatal(err)
	}
	run, err := scenario.Build(scenarios.Options{Recipe: recipe.Recipe{Policy: filepath.Join(policies, policy)}})
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	follower := curves.NewFollower()
	names, nodes := map[int64]string{}, map[int32]string{}
	var events []string
	cfg := run.Config
	cfg.SampleEvery, cfg.FragmentationMeter = 0, nil
	cfg.Record = func(r *record.Record) {
		follower.Observe(r)
		switch r.Kind {
		case record.NodeAdded:
			nodes[r.Node] = r.NodeInfo.Name
		case record.PodArrived:
			names[r.Pod] = r.Text[len("default/"):]
		case record.PodAttempted:
			node, rank := nodes[r.Attempt.Node], ""
			if r.Attempt.Node >= 0 {
				rank = strconv.Itoa(run.Ranks[node])
			}
			p := follower.Points[len(follower.Points)-1]
			two := func(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }
			percent := func(x float64) string { return two(100 * x / float64(p.Idle)) }
			events = append(events, fmt.Sprint([]string{
				names[r.Pod], rank, node, strconv.FormatInt(p.Arrived, 10), strconv.FormatInt(p.Used, 10),
				strconv.FormatInt(p.Nodes, 10), strconv.FormatInt(p.Devices, 10), two(p.Fragmented), percent(p.Fragmented), percent(p.Useless),
			}))
		}
	}
	if _, err := world.New(cfg).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return events
}
