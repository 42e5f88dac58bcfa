package explain

const allFilters = "AlwaysCheckAllPredicates"

// Filters by what they look at. The names behind the first are those of the legacy
// generation, in which one can stand for all.
var (
	amountFilters   = []string{"NodeResourcesFit", "PodFitsResources", "GeneralPredicates", allFilters}
	deviceFilters   = []string{"NodeDevicesFit"}
	taintFilters    = []string{"TaintToleration", "PodToleratesNodeTaints", "PodToleratesNodeNoExecuteTaints", allFilters}
	cordonFilters   = []string{"NodeUnschedulable", "CheckNodeUnschedulable", allFilters}
	selectorFilters = []string{"NodeAffinity", "MatchNodeSelector", "GeneralPredicates", allFilters}
	portFilters     = []string{"NodePorts", "PodFitsHostPorts", "GeneralPredicates", allFilters}
	spreadFilters   = []string{"PodTopologySpread", "EvenPodsSpread", allFilters}
	podTermFilters  = []string{"InterPodAffinity", "MatchInterPodAffinity", allFilters}
	diskFilters     = []string{"VolumeRestrictions", "NoDiskConflict", allFilters}
	volumeFilters   = append([]string{
		"NodeVolumeLimits", "VolumeBinding", "VolumeZone", "MaxEBSVolumeCount", "MaxGCEPDVolumeCount", "MaxCSIVolumeCountPred",
		"MaxAzureDiskVolumeCount", "MaxCinderVolumeCount", "CheckVolumeBinding", "NoVolumeZoneConflict", "PodPassesBasicChecks",
	}, diskFilters...)
)
