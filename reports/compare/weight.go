package compare

import (
	"math"

	"github.com/berth-sim/berth/reports/metric"
)

// Values and differences below these shares of what there could be are small.
const (
	smallValue      = 0.01
	smallDifference = 0.001
)

// weigh is how large the difference is beside the baseline's mean, where that is not small. A
// value is small below a hundredth of the whole, so that a wait of 4 ms that was 2 ms in a run
// of two hours weighs next to nothing, as does the third victim among thousands of pods.
func (r *Row) weigh(runs []*metric.Summary) float64 {
	if r.Difference.Mean == 0 || math.IsNaN(r.Difference.Mean) {
		return 0
	}
	return math.Abs(r.Difference.Mean) / (math.Abs(r.Baseline) + float64(smallValue*whole(r.Metric, runs)))
}

// whole is about what a value would be if all pods or nodes, or all of the time, were meant: 0
// for those that can only be held against another one.
func whole(m *metric.Declaration, runs []*metric.Summary) float64 {
	sum := 0.0
	for _, s := range runs {
		of := func(metric string) float64 { v, _ := s.Value(metric, ""); return v }
		switch m.Unit {
		case metric.UnitPods, metric.UnitCount:
			sum += of("placement.arrived")
		case metric.UnitNodes:
			sum += of("utilization.nodes")
		case metric.UnitGangs:
			sum += of("placement.gangs")
		case metric.UnitDevices:
			sum += of("devices.count")
		case metric.UnitSeconds:
			sum += s.Run.VirtualSeconds
		case metric.UnitPodSeconds:
			sum += float64(of("placement.arrived") * s.Run.VirtualSeconds)
		case metric.UnitShare, metric.UnitRatio:
			sum++
		}
	}
	return sum / float64(len(runs))
}
