package html

// limits bound what a page shows of a run, so that its size does not grow with the run.
type limits struct {
	columns     int // of time in charts
	heatColumns int // of time for each node
	occupancies int // of pods on nodes
	pods        int // with the longest waits; half as many by each other measure
	preemptions int
	gangs       int
	reasons     int // to be pending
	reasonPods  int // that waited longest for each of them
	nodes       int // in the table, besides those of the pods shown
}

// Limits of a page.
const (
	maxCells       = 3_000_000 // of nodes × columns × resources
	fewColumns     = 24
	manyColumns    = 192
	maxOccupancies = 160_000
	// maxNodes is the largest number of nodes that are shown one by one.
	maxNodes = 40_000
)

// limitsOf divides the limits of a page among its runs.
func limitsOf(runs, nodes, resources int) limits {
	cells := max(1, nodes*resources)
	return limits{
		columns:     240,
		heatColumns: max(fewColumns, min(manyColumns, maxCells/runs/cells)),
		occupancies: maxOccupancies / runs,
		pods:        80 / runs, preemptions: 120 / runs, gangs: 40,
		reasons: 24 / runs, reasonPods: 8 / min(runs, 2), nodes: 80 / runs,
	}
}
