package reports

import "math"

// Values and differences below these shares of what there could be are small.
const (
	smallValue      = 0.01
	smallDifference = 0.001
)

// weigh is how large the difference is beside the baseline's mean, where that is not small. A
// value is small below a hundredth of the whole, so that a wait of 4 ms that was 2 ms in a run
// of two hours weighs next to nothing, as does the third victim among thousands of pods.
func (r *ContrastRow) weigh(runs []*Summary) float64 {
	if r.Difference.Mean == 0 || math.IsNaN(r.Difference.Mean) {
		return 0
	}
	return math.Abs(r.Difference.Mean) / (math.Abs(r.Baseline) + float64(smallValue*whole(r.Metric, runs)))
}

// whole is about what a value would be if all pods or nodes, or all of the time, were meant: 0
// for those that can only be held against another one.
func whole(m *Metric, runs []*Summary) float64 {
	sum := 0.0
	for _, s := range runs {
		of := func(metric string) float64 { v, _ := s.Value(metric, ""); return v }
		switch m.Unit {
		case UnitPods, UnitCount:
			sum += of("placement.arrived")
		case UnitNodes:
			sum += of("utilisation.nodes")
		case UnitGangs:
			sum += of("placement.gangs")
		case UnitDevices:
			sum += of("devices.count")
		case UnitSeconds:
			sum += s.Run.VirtualSeconds
		case UnitPodSeconds:
			sum += float64(of("placement.arrived") * s.Run.VirtualSeconds)
		case UnitShare, UnitRatio:
			sum++
		}
	}
	return sum / float64(len(runs))
}
