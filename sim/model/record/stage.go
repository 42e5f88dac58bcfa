package record

// Stage is how far a pod has come that has a node and is not bound to it yet.
//
//	      found                volumes, if any
//	InCycle ──▶ (InPermit) ──▶ InPreBind ──▶ InBind ──▶ (bound)
type Stage string

// The stages.
const (
	InCycle   Stage = "scheduling cycle" // the one that found the node is not over
	InPermit  Stage = "Permit"
	InPreBind Stage = "PreBind"
	InBind    Stage = "Bind"
)
