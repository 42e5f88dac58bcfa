package fragment

import (
	"cmp"
	"slices"
)

// Shape is what makes pods equal to the target workload. Spec is how they name the models
// that they accept: two names for the same models are two shapes.
type Shape struct {
	MilliCPU int64
	Milli    int32
	Count    int
	Spec     string
}

func (s Shape) compare(other Shape) int {
	return cmp.Or(
		cmp.Compare(s.MilliCPU, other.MilliCPU), cmp.Compare(s.Milli, other.Milli),
		cmp.Compare(s.Count, other.Count), cmp.Compare(s.Spec, other.Spec),
	)
}

// PaperShare is the share of the pods that the paper's target workload covers, in percent.
const PaperShare = 95

// NewTarget takes the most frequent shapes until they make up that share of all pods, in
// percent; of equally frequent ones the larger comes first. models resolves a Spec.
//
// Source: GetTypicalPods of the authors' simulator.
func NewTarget(counts map[Shape]int64, percent float64, models func(spec string) []int32) *Target {
	shapes := make([]Shape, 0, len(counts))
	var total int64
	for shape, pods := range counts {
		shapes = append(shapes, shape)
		total += pods
	}
	slices.SortFunc(shapes, func(a, b Shape) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), b.compare(a))
	})
	t := &Target{}
	expected := percent * float64(total) / 100
	for _, shape := range shapes {
		if float64(t.Pods) >= expected {
			break
		}
		t.Pods += counts[shape]
		t.Classes = append(t.Classes, Class{
			Pod:   Pod{MilliCPU: shape.MilliCPU, Count: shape.Count, Milli: shape.Milli, Models: models(shape.Spec)},
			Pods:  counts[shape],
			Share: float64(counts[shape]) / float64(total),
		})
	}
	if len(t.Classes) < len(shapes) {
		for i := range t.Classes {
			t.Classes[i].Share /= float64(t.Pods) / float64(total)
		}
	}
	return t
}
