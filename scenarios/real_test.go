package scenarios_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/record"
)

// realData is where real traces are, seen from this package.
const realData = "../../shared/data"

// TestRealTraces replays the beginning of each of the real traces that are there.
func TestRealTraces(t *testing.T) {
	const pool = `fleet: [{pool: a, count: 64, template: {status: {allocatable:
  {cpu: "128", memory: 512Gi, nvidia.com/gpu: "8"}}}}]
`
	for name, c := range map[string]struct {
		files []string
		text  string
		pods  int
	}{
		"openb": {
			[]string{"openb/openb_node_list_gpu_node.csv", "openb/openb_pod_list_default.csv"},
			"horizon: untilDone\ncollect: {every: 1h}\nfleet: [{trace: {openb: {nodes: $0}}}]\nworkloads: [{name: a, lifetime: 1h, trace: {openb: {pods: $1, times: atOnce, limit: 500}}}]", 500,
		},
		"openb in real time": {
			[]string{"openb/openb_node_list_gpu_node.csv", "openb/openb_pod_list_default.csv"},
			"horizon: untilDone\ncollect: {every: 1d}\nfleet: [{trace: {openb: {nodes: $0, gpu: device}}}]\nworkloads: [{name: a, trace: {openb: {pods: $1, gpu: device, limit: 500}}}]", 500,
		},
		"swf": {
			[]string{"swf/NASA-iPSC-1993-3.1-cln.swf.gz"},
			pool + "horizon: untilDone\nworkloads: [{name: a, trace: {swf: {jobs: $0, limit: 300}}}]", 0,
		},
		"philly": {
			[]string{"philly/philly_jobs.csv.gz"},
			pool + "horizon: untilDone\ncollect: {every: 1h}\nworkloads: [{name: a, trace: {philly: {jobs: $0, limit: 300}}}]", 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			for i, file := range c.files {
				path, err := filepath.Abs(filepath.Join(realData, file))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := os.Stat(path); err != nil {
					t.Skip("the trace is not there: ", err)
				}
				c.text = strings.ReplaceAll(c.text, "$"+string(rune('0'+i)), path)
			}
			run := builtFrom(t, c.text)
			log := play(t, run)
			if log.err != nil {
				t.Fatal(log.err)
			}
			arrived, done := log.counts[record.PodArrived], log.counts[record.PodCompleted]
			if c.pods > 0 && arrived != c.pods || arrived < 300 {
				t.Errorf("%d pods arrived", arrived)
			}
			if done != arrived {
				t.Errorf("%s, %d of %d pods completed", log.end, done, arrived)
			}
		})
	}
}
