// Package explain explains one scheduling attempt of a pod: why its node was selected, or why each
// node was rejected, and which single change would let the pod fit. The filters that rejected nodes
// determine which changes are tried. Each change is applied to the state that the attempt saw, and
// the filters run again.
package explain

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// The states of a pod that has been explained.
const (
	Placed        = "scheduled"     // the attempt found a node
	Assumed       = "assumed"       // it found one, and the pod is not bound to it yet
	Waiting       = "waiting"       // it found one, and the pod waits in Permit
	Unschedulable = "unschedulable" // it found none
	Failed        = "error"         // a plugin failed
	Running       = "running"       // it came with a node: no scheduler looked at it
	Gated         = "gated"         // it is kept from the queue
	Queued        = "queued"        // it has not been tried yet
)

// Explanation is why a pod is where it is. What has no meaning for its State is empty.
type Explanation struct {
	Pod       string     `json:"pod"` // namespace/name
	State     string     `json:"state"`
	At        clock.Time `json:"-"`       // of the attempt, or since when the state holds
	Clock     bool       `json:"-"`       // there is a virtual time that At is in
	Attempt   int        `json:"attempt"` // its number; 0: there was none
	Recreated clock.Time `json:"-"`       // when the pod came in place of an earlier one of its name; 0: it did not
	Node      string     `json:"node"`    // empty: none
	Message   string     `json:"message"` // of kube-scheduler, or why the pod is gated

	Search            Search        `json:"search"`
	Reasons           []Reason      `json:"reasons"`            // why nodes were rejected, as the message counts them
	Groups            []Group       `json:"groups"`             // the nodes that were rejected, equal ones together
	Plugins           []Plugin      `json:"plugins"`            // how many nodes each one rejects, and how many it alone
	Rules             []Rule        `json:"rules"`              // about topology domains, that reject nodes
	Shortages         []Shortage    `json:"lacks"`              // what the nodes lack
	Changes           []Change      `json:"changes"`            // that would let the pod fit, the smallest first
	Untried           string        `json:"untried"`            // why changes, or some of them, were not tried; empty: they were
	Devices           *Devices      `json:"devices"`            // that the pod asks for; nil: none
	Choice            *Choice       `json:"choice"`             // how the node was chosen, if several were feasible
	Preemption        *Preemption   `json:"preemption"`         // of this attempt
	EarlierPreemption *Preemption   `json:"madeRoom"`           // of an earlier attempt, on the node that the pod got
	Wait              *Wait         `json:"-"`                  // what keeps the pod from being bound at the time asked for; nil: nothing does
	RejectedNodes     []NodeReasons `json:"eachNode,omitempty"` // asked for by Options.Nodes
	NodeDetail        *NodeDetail   `json:"oneNode,omitempty"`  // asked for by Options.Node
	Later             []Event       `json:"-"`                  // what became of the pod since, up to the time asked for
	Namesakes         []string      `json:"namesakes"`          // pods of that name in other namespaces, where none was asked for
}

// empty is an explanation whose lists are there, without elements: they are read as JSON.
func empty() *Explanation {
	return &Explanation{
		Reasons: []Reason{}, Groups: []Group{}, Plugins: []Plugin{}, Rules: []Rule{}, Shortages: []Shortage{}, Changes: []Change{}, Namesakes: []string{},
	}
}

// Event is one thing that happened to a pod.
type Event struct {
	What string
	At   clock.Time
}

// Search is which nodes the attempt looked at.
type Search struct {
	Nodes      int `json:"nodes"`          // in the cluster
	Evaluated  int `json:"evaluatedNodes"` // looked at
	Feasible   int `json:"feasibleNodes"`  // that passed the filters
	StartIndex int `json:"startIndex"`     // where in the order of nodes the search began
}

// Reason is how many nodes a plugin rejected for one reason.
type Reason struct {
	Plugin string `json:"plugin"`
	Reason string `json:"reason"`
	Nodes  int    `json:"nodes"`
}

// Group is nodes of one pool that were rejected for the same reasons; Node is the one
// that was looked at first.
type Group struct {
	Pool  string `json:"pool"` // empty: the nodes are in no pool
	Nodes int    `json:"nodes"`
	NodeReasons
}

// NodeReasons are why a node was rejected.
type NodeReasons struct {
	Node    string   `json:"node"`
	Plugin  string   `json:"plugin"` // the one that rejected it
	Reasons []string `json:"reasons"`
	// Behind are the filters that would have rejected it next: "plugin: reason, reason".
	Behind []string `json:"behind"`
}

// Plugin is how many nodes one plugin rejects.
type Plugin struct {
	Name  string `json:"name"`
	Nodes int    `json:"nodes"` // that it rejects, whether or not another one does so before
	Alone int    `json:"alone"` // that no other one rejects
}

// Rule is a rule about the pods in the domains of a topology key: of the pod, of the policy
// or of pods that are there.
type Rule struct {
	Plugin   string   `json:"plugin"`
	Topology string   `json:"topologyKey"`
	Text     string   `json:"text"` // what it asks for
	Domains  []Domain `json:"domains"`
}

// Domain is domains in which a rule finds the same.
type Domain struct {
	Domain  string `json:"domain"`  // the first of them; empty: its nodes lack the label
	Domains int    `json:"domains"` // how many there are
	Nodes   int    `json:"nodes"`   // in all of them
	Pods    int64  `json:"pods"`    // in each, that the rule counts
	Pod     string `json:"pod"`     // one of these, in the first; empty: there is none
	// Rejected: the rule rejects their nodes; Uncounted: it does not count them.
	Rejected  bool `json:"rejectedNodes"`
	Uncounted bool `json:"uncounted"`
	// Others are the plugins that reject all nodes of such a domain, or the rest of them.
	Others []string `json:"others"`
}

// Shortage is how much of one resource nodes lack for the pod. Amounts are in base units.
type Shortage struct {
	Resource string `json:"resource"`
	Request  int64  `json:"request"`
	Lacking  int    `json:"lacking"` // nodes that have too little of it free
	// Alone is the number of nodes that lack only this resource and that no other plugin rejects.
	Alone int `json:"alone"`
	// Least is the smallest lack among the nodes of Alone, or among all nodes if Alone is 0. AtLeast
	// is the number of nodes with that lack, Nearest the first of them.
	Least        int64  `json:"least"`
	NodesAtLeast int    `json:"atLeast"`
	Nearest      string `json:"nearest"`
	// OtherReasons lists the other resources that this node lacks and the other plugins that reject it.
	OtherReasons []string `json:"besides"`

	nearest int // index in analysis.nodes
}

// Change is a single change after which the pod would fit, found by trying it.
type Change struct {
	Kind string `json:"kind"` // "request", "toleration", …
	Text string `json:"text"` // what to change, to be read
	// Size ranks changes: 0 is nothing, 1 a node more or a pod less.
	Size  float64 `json:"size"`
	Nodes int     `json:"nodes"` // that the pod would fit on
	Node  string  `json:"node"`  // the first of them; empty: a new one
}

// PodOn is a pod that has a node.
type PodOn struct {
	Pod      string `json:"pod"`
	Priority int32  `json:"priority"`
}

// Preemption is how an attempt made room for the pod.
type Preemption struct {
	Attempt  int     `json:"attempt"` // number of the attempt
	Node     string  `json:"node"`
	Priority int32   `json:"priority"` // of the pod
	Victims  []PodOn `json:"victims"`  // by falling importance
	// Candidates is how many nodes could be freed, Next the best of the others; nil: there
	// is none.
	Candidates int                   `json:"candidates"`
	Next       *AlternativeCandidate `json:"next"`
}

// AlternativeCandidate is another node that preemption could have freed.
type AlternativeCandidate struct {
	Node    string  `json:"node"`
	Victims []PodOn `json:"victims"`
	// Rule is the criterion that decided between the nodes, Ahead whether in favor of this one: then the search
	// did not get that far, or an extender removed it.
	Rule  string `json:"rule"`
	Ahead bool   `json:"ahead"`
}

// NodeDetail is what every filter says of one node.
type NodeDetail struct {
	Node    string         `json:"node"`
	Pool    string         `json:"pool"`
	Fits    bool           `json:"fits"`
	Note    string         `json:"note"` // what happened to the node as a whole
	Filters []FilterAnswer `json:"filters"`
	Amounts []NodeAmount   `json:"amounts"`
	Devices []int32        `json:"devices"` // what is free of each, in thousandths
	Score   *Row           `json:"score"`   // of a node that was scored
}

// FilterAnswer is what one filter says of a node; no Reasons: it passes.
type FilterAnswer struct {
	Plugin  string   `json:"plugin"`
	Asked   bool     `json:"asked"` // it has something to say to this pod
	Reasons []string `json:"reasons"`
}

// NodeAmount is what there is of a resource on a node, in base units.
type NodeAmount struct {
	Resource    string `json:"resource"`
	Request     int64  `json:"request"`
	Allocatable int64  `json:"allocatable"`
	Taken       int64  `json:"taken"` // by the pods on the node
	Kept        int64  `json:"kept"`  // for pods that are nominated to it
}

// Free returns the free amount; it is negative on an overcommitted node.
func (a NodeAmount) Free() int64 { return a.Allocatable - a.Taken - a.Kept }

// podName is namespace/name.
func podName(c *cluster.Cluster, id cluster.PodID) string {
	p := c.Pod(id)
	return c.Text(p.Class.Namespace) + "/" + p.Name
}
