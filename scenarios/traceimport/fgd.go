package traceimport

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

// protocolHorizon is when a run of the paper's protocol ends. In the protocol each pod is tried once; at that time the
// queue would retry the unschedulable pods.
const protocolHorizon = 5 * clock.Minute

// protocol changes the imported scenario to the protocol of the paper on fragmentation gradient descent: each pod is
// tried once, when it arrives, and never completes.
func (i Import) protocol(out *imported, trace map[string]any) error {
	pods, err := i.fgdPods()
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

// spacing returns the time between two arrivals with which so many pods arrive before the horizon, even if another seed
// makes a tenth more. It is 1, 2 or 5 times a power of ten.
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

// fgdPods returns how many pods the shuffled list has with the paper's first seed.
func (i Import) fgdPods() (int, error) {
	file, err := os.Open(i.Openb.Pods)
	if err != nil {
		return 0, document.FileError(err)
	}
	list, err := fgd.Read(i.Openb.Pods, file, i.Openb.SkipBadLines)
	if err := errors.Join(err, file.Close()); err != nil {
		return 0, err
	}
	nodes, _, err := workloads.OpenbFleet{File: i.Nodes, SkipBad: i.Openb.SkipBadLines}.Nodes(manifest.New(cluster.NewVocabulary()))
	if err != nil {
		return 0, err
	}
	names, capacity := devicesOf(nodes)
	if err := list.Shuffle(paperSeed, fgd.PaperDemand, capacity, names); err != nil {
		return 0, &document.Error{File: i.Openb.Pods, What: err.Error(), Err: err}
	}
	return len(list.Pods), nil
}

// devicesOf returns the names of nodes, and the sum of their devices in thousandths.
func devicesOf(nodes []cluster.NodeSpec) (names []string, capacity int64) {
	for i := range nodes {
		names = append(names, nodes[i].Name)
		capacity += int64(nodes[i].Devices.Count) * cluster.WholeDevice
	}
	return names, capacity
}
