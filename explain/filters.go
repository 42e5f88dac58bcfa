package explain

// Filters by what they look at. The names behind the first are those of the legacy
// generation.
var (
	amountFilters = []string{"NodeResourcesFit", "PodFitsResources", "GeneralPredicates"}
	taintFilters  = []string{"TaintToleration", "PodToleratesNodeTaints", "PodToleratesNodeNoExecuteTaints"}
	cordonFilters = []string{"NodeUnschedulable", "CheckNodeUnschedulable"}
	portFilters   = []string{"NodePorts", "PodFitsHostPorts", "GeneralPredicates"}
	spreadFilters = []string{"PodTopologySpread", "EvenPodsSpread"}
)
