package scenarios

import (
	"errors"
	"os"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/workloads"
	"github.com/berth-sim/berth/workloads/fgd"
)

// paperSeed is the first seed of the paper's runs.
const paperSeed = 42

// protocolHorizon is when a run of the protocol ends: when the queue would first try those
// pods again that did not fit. In the protocol each pod is tried once.
const protocolHorizon = 5 * clock.Minute

// protocol makes the scenario that of the paper on fragmentation gradient descent: each pod is
// tried once, when it arrives, and stays.
func (i Import) protocol(out *imported, trace map[string]any) error {
	pods, err := i.dealtPods()
	if err != nil {
		return err
	}
	out.Metadata.Name, out.Horizon = "openb-fgd", protocolHorizon.String()
	out.Seed, out.TieBreak = paperSeed, string(scheduler.TieRank)
	out.Latency = map[string]any{"preset": "none"}
	out.Collect = map[string]any{"every": "1s", "fragmentation": map[string]any{"off": true}}
	trace["times"], trace["spacing"] = "atOnce", spacing(pods).String()
	trace["fgd"] = map[string]any{"demand": fgd.PaperDemand}
	return nil
}

// spacing is the time from pod to pod for which so many pods, and a tenth more with another
// seed, come within the horizon: 1, 2 or 5 of a power of ten.
func spacing(pods int) clock.Time {
	most := protocolHorizon / clock.Time(pods+pods/10+1)
	for unit := clock.Second; unit > 1; unit /= 10 {
		for _, n := range []clock.Time{5, 2, 1} {
			if n*unit <= most {
				return n * unit
			}
		}
	}
	return 1
}

// dealtPods is how many pods the paper's first seed deals.
func (i Import) dealtPods() (int, error) {
	file, err := os.Open(i.Openb.Pods)
	if err != nil {
		return 0, plainPathError(err)
	}
	deal, err := fgd.Read(i.Openb.Pods, file, i.Openb.SkipBadLines)
	if err := errors.Join(err, file.Close()); err != nil {
		return 0, err
	}
	nodes, _, err := workloads.OpenbFleet{File: i.Nodes, SkipBad: i.Openb.SkipBadLines}.Nodes(manifest.New(cluster.NewVocabulary()))
	if err != nil {
		return 0, err
	}
	names, capacity := devicesOf(nodes)
	if err := deal.Shuffle(paperSeed, fgd.PaperDemand, capacity, names); err != nil {
		return 0, &document.Error{File: i.Openb.Pods, What: err.Error(), Err: err}
	}
	return len(deal.Pods), nil
}

// devicesOf are the names of nodes, and what their devices come to in thousandths.
func devicesOf(nodes []cluster.NodeSpec) (names []string, capacity int64) {
	for i := range nodes {
		names = append(names, nodes[i].Name)
		capacity += int64(nodes[i].Devices.Count) * cluster.WholeDevice
	}
	return names, capacity
}
