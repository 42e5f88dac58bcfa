package manifest

import (
	"time"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// Objects is what a Loader has read, each list in the order of the documents.
type Objects struct {
	Nodes           []Node
	Pods            []Pod
	Controllers     []Controller
	PodGroups       []PodGroup
	PriorityClasses []admit.PriorityClass // without the built-in ones
	Namespaces      []Namespace
	Budgets         []Budget
	Storage         Storage

	// Skipped counts the objects of kinds that do not affect scheduling, and LeftOut those of kinds that the user has left
	// out, both in the order of first sight.
	Skipped, LeftOut []KindCount
	// Warnings say, one sentence each, what was read and may not mean what its author thinks.
	Warnings []string
}

// KindCount is a kind and how many objects of it there are.
type KindCount struct {
	Kind  string
	Count int
}

// Node is a Node object.
type Node struct {
	Spec cluster.NodeSpec
	At   document.Value
}

// Pod is a Pod object.
type Pod struct {
	Namespace, Name string
	UID             string // metadata.uid; empty if there is none
	// Class is what scheduling knows of the pod; nil if Finished. Its NodeName is empty: that of a
	// pod which runs is in NodeName.
	Class             *cluster.Class
	NodeName          string    // spec.nodeName: the pod runs there already
	Devices           []int32   // that it says it holds there; nil: it does not say
	NominatedNodeName string    // status.nominatedNodeName
	StartTime         time.Time // status.startTime; zero if there is none
	Terminating       bool      // it has a deletionTimestamp
	Preempted         bool      // it terminates because the scheduler chose it as a victim
	Finished          bool      // its phase is Succeeded or Failed: it takes no room and is for no scheduler
	Absent            bool      // it runs on a node that does not exist: its controller counts it, and it takes no part
	Group             string    // namespace/name of its PodGroup; empty if it is in none
	Owner             string    // kind/name of the controller that made it; empty if there is none
	// Recreated is the class of the pod when it is re-created elsewhere; nil if that is Class. It differs
	// where the pod has been resized in place.
	Recreated *cluster.Class
	At        document.Value
}

// Controller is an object that makes pods.
type Controller struct {
	validate.ControllerSpec
	Template *Template

	claims []claimTemplate // of a StatefulSet
}

// PodGroup is an object of scheduling.x-k8s.io/v1alpha1, as sigs.k8s.io/scheduler-plugins has it:
// its members run together or not at all.
type PodGroup struct {
	Namespace, Name string
	MinMember       int
	ScheduleTimeout time.Duration // how long a member waits for the others; 60 s if not given
	At              document.Value
}

// Namespace is a Namespace object.
type Namespace struct {
	Name   string
	Labels map[string]string // with kubernetes.io/metadata.name
	At     document.Value
}

// Budget is a PodDisruptionBudget object.
type Budget struct {
	Budget cluster.Budget
	At     document.Value
}
