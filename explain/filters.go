package explain

// Filters by what they look at. The names behind the first are those of the legacy
// generation.
var (
	amountFilters   = []string{"NodeResourcesFit", "PodFitsResources", "GeneralPredicates"}
	taintFilters    = []string{"TaintToleration", "PodToleratesNodeTaints", "PodToleratesNodeNoExecuteTaints"}
	cordonFilters   = []string{"NodeUnschedulable", "CheckNodeUnschedulable"}
	selectorFilters = []string{"NodeAffinity", "MatchNodeSelector", "GeneralPredicates"}
	portFilters     = []string{"NodePorts", "PodFitsHostPorts", "GeneralPredicates"}
	spreadFilters   = []string{"PodTopologySpread", "EvenPodsSpread"}
	podTermFilters  = []string{"InterPodAffinity", "MatchInterPodAffinity"}
	diskFilters     = []string{"VolumeRestrictions", "NoDiskConflict"}
	volumeFilters   = append([]string{
		"NodeVolumeLimits", "VolumeBinding", "VolumeZone", "MaxEBSVolumeCount", "MaxGCEPDVolumeCount", "MaxCSIVolumeCountPred",
		"MaxAzureDiskVolumeCount", "MaxCinderVolumeCount", "CheckVolumeBinding", "NoVolumeZoneConflict",
	}, diskFilters...)
)
