// Package upgrades says what changes between Kubernetes releases for the same pods and nodes, and which rules change it.
package upgrades

import "github.com/berth-sim/berth/reports/compare"

// Upgrade is what several releases make of the same input, and what separates each from the one before it.
type Upgrade struct {
	Subject  string // the scenario, or the manifests
	Policy   string
	Seed     uint64
	OneShot  bool // pods are placed once, without a clock
	Partial  bool // it was interrupted: steps may be missing
	Releases []Release
	Steps    []Step // between neighbors of Releases
}

// Release is the outcome under one release.
type Release struct {
	Name     string  `json:"name"`   // as 1.37
	Pods     int     `json:"pods"`   // how many pods there were, and how many of them got a node
	Placed   int     `json:"placed"` // how many pods there were, and how many of them got a node
	Attempts int     `json:"attempts"`
	Victims  int     `json:"victims"`
	MeanWait float64 `json:"meanWait,omitempty"` // until the pod was bound, in seconds; 0 without a clock
	MostWait float64 `json:"mostWait,omitempty"` // until the pod was bound, in seconds; 0 without a clock
}

// Step is what changes from one release to the next.
type Step struct {
	From       string      `json:"from"`
	To         string      `json:"to"`
	Change     Change      `json:"change"`
	Divergence *Divergence `json:"divergence,omitempty"` // the first decision that differs; nil if there is none
	// Metrics are the differences of the metrics; none without a clock.
	Metrics []compare.Delta `json:"metrics,omitempty"`
	// Rules alone make a difference when they are changed in From.
	Rules []RuleEffect `json:"rules,omitempty"`
	// Together are sets of rules that make a difference only together.
	Together [][]string `json:"together,omitempty"`
	// Rest: what Rules and Together change in From does not give all of the outcome of To.
	Rest bool `json:"rest,omitempty"`
	// Idle are the rules that differ between the releases and make no difference here, at least not beyond that of Rules and
	// Together.
	Idle []string `json:"idle,omitempty"`
}

// Change counts the pods for which two outcomes differ.
type Change struct {
	Moved    int      `json:"moved"`    // have a node in both, but another one
	Gained   int      `json:"gained"`   // have a node only after the change
	Lost     int      `json:"lost"`     // had a node only before the change
	Sooner   int      `json:"sooner"`   // have the same node, and got it sooner
	Later    int      `json:"later"`    // have the same node, and got it later
	Messages int      `json:"messages"` // have the same node, or none, and other messages
	Examples []string `json:"examples,omitempty"`
}

// IsNone reports whether the outcomes are the same for every pod.
func (c *Change) IsNone() bool {
	return c.Moved+c.Gained+c.Lost+c.Sooner+c.Later+c.Messages == 0
}

// RuleEffect is what one rule changes by itself.
type RuleEffect struct {
	Rule       string      `json:"rule"`
	Meaning    string      `json:"meaning"`
	Values     [2]string   `json:"values"`   // before and after
	Meanings   [2]string   `json:"meanings"` // of the values
	Change     Change      `json:"change"`
	Divergence *Divergence `json:"divergence,omitempty"`
}

// Divergence is the first decision that differs between two outcomes.
type Divergence struct {
	Pod     string    `json:"pod"`
	Seconds float64   `json:"seconds,omitempty"` // of virtual time; 0 without a clock
	What    [2]string `json:"what"`              // what happened to the pod before and after the change
	// TextOnly: the decisions are the same, and what is said of them differs.
	TextOnly bool `json:"textOnly,omitempty"`
}
