package compare

import (
	"math"

	"github.com/berth-sim/berth/reports/metric"
)

// Values and differences below these shares of their scale are small.
const (
	smallValue      = 0.01
	smallDifference = 0.001
)

// relativeSize returns the difference as a share of the baseline's mean, to which a hundredth of the metric's scale is added.
// So a wait of 4 ms instead of 2 ms in a run
// of two hours has a weight near 0, as has a third victim among thousands of pods.
func (r *Row) relativeSize(runs []*metric.Summary) float64 {
	if r.Difference.Mean == 0 || math.IsNaN(r.Difference.Mean) {
		return 0
	}
	return math.Abs(r.Difference.Mean) / (math.Abs(r.Baseline) + float64(smallValue*scale(r.Metric, runs)))
}

// scale returns the order of magnitude of a metric's largest value: all pods, all nodes, or the length of the run. It is 0
// for units without such a value.
func scale(m *metric.Declaration, runs []*metric.Summary) float64 {
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
