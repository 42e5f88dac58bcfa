package churn

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// targetShare is the share of the demand that a target workload covers, as it is that of the pods
// where pods are counted.
const targetShare = 0.95

// class is what pods of the target workload ask for, without memory.
type class struct{ milliCPU, gpus, milli int64 }

// demandOf is the demand for GPUs by class, in the proportions in which the parts come.
func (m *mixture) demandOf() map[class]float64 {
	out := map[class]float64{}
	for _, p := range m.parts {
		whole := 0.0
		for _, s := range p.streams {
			whole += s.demand()
		}
		for _, s := range p.streams {
			for _, sh := range slices.SortedFunc(maps.Keys(s.shapes), shape.compare) { // sums depend on the order
				held := float64(float64(s.shapes[sh]) * float64(s.pods) * float64(sh.gpus*sh.milli) / 1000 * s.meanLifetime())
				out[class{sh.milliCPU, sh.gpus, sh.milli}] += p.share * held / whole
			}
		}
	}
	return out
}

// writeTarget writes the classes that hold most of the GPUs as the target workload, weighed by
// how much they hold.
func (m *mixture) writeTarget(b *strings.Builder) {
	demand := m.demandOf()
	largest := slices.SortedFunc(maps.Keys(demand), func(a, b class) int {
		return cmp.Or(
			cmp.Compare(demand[b], demand[a]),
			cmp.Compare(a.gpus, b.gpus), cmp.Compare(a.milli, b.milli), cmp.Compare(a.milliCPU, b.milliCPU),
		)
	})
	b.WriteString("target:\n")
	const parts = 100_000 // of the whole
	covered := 0.0
	for _, c := range largest {
		if pods := int64(parts * demand[c]); covered < targetShare && pods > 0 {
			fmt.Fprintf(b, "  - {pods: %d, cpu: %dm, devices: {count: %d, milli: %d}}\n", pods, c.milliCPU, c.gpus, c.milli)
		}
		covered += demand[c]
	}
}
