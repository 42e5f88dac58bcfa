// Package protocol is what the harness and a program that runs kube-scheduler send each other: net/rpc over the standard
// input and output of the program. It imports no other module, so that it does not choose versions of modules for either of them.
package protocol

import "time"

// Name is the name under which the program registers its methods.
const Name = "Kube"

// The methods of the program, with what each takes and returns. Objects and configurations are YAML or JSON.
const (
	Decide           = Name + ".Decide"           // Case → []Attempt
	Validate         = Name + ".Validate"         // Case → []string: what the API server rejects in it
	Configure        = Name + ".Configure"        // []byte, a configuration → string: why kube-scheduler does not start with it
	Admit            = Name + ".Admit"            // Admission → Admitted
	QualityOfService = Name + ".QualityOfService" // []byte, a pod → string
	Measure          = Name + ".Measure"          // Measurement → float64: pods decided in a second
)

// Case is a cluster with its pending pods, and the configuration of the scheduler.
type Case struct {
	Configuration []byte
	Objects       [][]byte
	// Heap leaves the choice among equal nodes to kube-scheduler; else it takes the smallest name.
	Heap bool
	// Queue tries pods in the order of the scheduling queue; else each is tried once, in the order of the
	// objects, and again as long as it preempts.
	Queue bool
}

// Attempt is what one scheduling cycle decided, in names.
type Attempt struct {
	Pod  string // namespace/name
	Node string // empty: none
	// Start is where the search began in the order of nodes.
	Start int
	// Feasible are the nodes that passed the filters, sorted.
	Feasible []string
	// Rejected are the nodes that were looked at and did not pass.
	Rejected map[string]Verdict
	// Scores are the weighted scores by node and plugin; empty where nothing was scored.
	Scores map[string]map[string]int64
	// Ties are the nodes of the highest total, sorted; the only feasible node among them.
	Ties      []string
	Message   string
	Nominated string
	Victims   []string // the most important first
	Cleared   []string // pods that lost their nomination, sorted
}

// TotalScore is the name under which Scores has the sum of all plugins and extenders.
const TotalScore = "TotalScore"

// Verdict is why a node was rejected.
type Verdict struct {
	Plugin       string
	Unresolvable bool     // preemption cannot help
	Reasons      []string // sorted: upstream lists extended resources in the order of a map
}

// Admission is a pod to admit by the admission plugins that berth has switches for, in a namespace with a LimitRange.
type Admission struct {
	Namespace, LimitRange, Pod []byte
}

// Admitted is the answer to an Admission.
type Admitted struct {
	LimitRange string // why the API server rejects the LimitRange; empty: it does not
	Refused    string // why the pod is not admitted; empty: it is
	Pod        []byte // the pod as it was admitted
}

// Measurement says how fast to let kube-scheduler decide the pods of a case, and how.
type Measurement struct {
	Case    Case
	Workers int           // that look at nodes
	Pods    int           // at most
	Time    time.Duration // at most
}

// AdmissionPlugins are the admission plugins that admit, in kube-apiserver's order.
var AdmissionPlugins = []string{
	"LimitRanger", "PodNodeSelector", "DefaultTolerationSeconds", "PodTolerationRestriction", "ExtendedResourceToleration",
}
