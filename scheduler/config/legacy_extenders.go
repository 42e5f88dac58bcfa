package config

import (
	"time"

	"github.com/berth-sim/berth/scheduler/legacy"
	"github.com/berth-sim/berth/sim/files/document"
)

// legacyExtender is an extender as a Policy has it: its timeout is a number of nanoseconds.
//
// Upstream: ExtenderConfig, pkg/scheduler/api/v1/types.go, v1.16.15.
// Differs: fields are not taken in other letters than these.
type legacyExtender struct {
	URLPrefix        string            `json:"urlPrefix"`
	FilterVerb       string            `json:"filterVerb"`
	PreemptVerb      string            `json:"preemptVerb"`
	PrioritizeVerb   string            `json:"prioritizeVerb"`
	Weight           int64             `json:"weight"`
	BindVerb         string            `json:"bindVerb"`
	EnableHTTPS      bool              `json:"enableHttps"`
	TLSConfig        *tlsSection       `json:"tlsConfig"`
	HTTPTimeout      int64             `json:"httpTimeout"`
	NodeCacheCapable bool              `json:"nodeCacheCapable"`
	ManagedResources []managedResource `json:"managedResources"`
	Ignorable        bool              `json:"ignorable"`

	// APIVersion is in many files. It was never read.
	APIVersion string `json:"apiVersion"`
}

// legacyExtenders reads the extenders of a Policy, and has the rule about resources ignore
// what they manage and say that it should.
func (l *legacyReading) legacyExtenders(sections []document.Value) {
	ignored := l.extenderList(sections, func(v document.Value) extenderSection {
		var s legacyExtender
		l.errors.Append(document.Decode(v, &s))
		return extenderSection{
			URLPrefix: s.URLPrefix, FilterVerb: s.FilterVerb, PreemptVerb: s.PreemptVerb, PrioritizeVerb: s.PrioritizeVerb,
			Weight: s.Weight, BindVerb: s.BindVerb, EnableHTTPS: s.EnableHTTPS, TLSConfig: s.TLSConfig,
			HTTPTimeout: span(time.Duration(s.HTTPTimeout)), NodeCacheCapable: s.NodeCacheCapable,
			ManagedResources: s.ManagedResources, Ignorable: s.Ignorable,
		}
	})
	if len(ignored) > 0 {
		for _, name := range legacy.AmountPredicates() {
			l.profile.Args[name] = legacy.FitArgs{Ignored: ignored}
		}
	}
}
