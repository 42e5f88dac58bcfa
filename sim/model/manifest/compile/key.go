package compile

import (
	"encoding/binary"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// Intern returns the class of pods that are equal to c in all that matters.
func (compiler *Compiler) Intern(c cluster.Class) *cluster.Class {
	k := keyWriter(compiler.key[:0])
	k.class(&c)
	compiler.key = k
	return compiler.vocabulary.AddClass(string(k), c)
}

// keyWriter writes what a class is made of without ambiguity: every number and text in a form that ends by
// itself, every list behind its length.
type keyWriter []byte

func (k *keyWriter) number(n int64) { *k = binary.AppendVarint(*k, n) }

func (k *keyWriter) text(s string) {
	k.number(int64(len(s)))
	*k = append(*k, s...)
}

func (k *keyWriter) flag(b bool) {
	if b {
		k.number(1)
	} else {
		k.number(0)
	}
}

func (k *keyWriter) syms(list []cluster.Symbol) {
	k.number(int64(len(list)))
	for _, s := range list {
		k.number(int64(s))
	}
}

func (k *keyWriter) labels(list []cluster.Label) {
	k.number(int64(len(list)))
	for _, l := range list {
		k.number(int64(l.Key))
		k.number(int64(l.Value))
	}
}

func (k *keyWriter) quantities(list []cluster.Quantity) {
	k.number(int64(len(list)))
	for _, q := range list {
		k.number(int64(q.Resource))
		k.number(q.Amount)
	}
}

func (k *keyWriter) requirements(list []cluster.Requirement) {
	k.number(int64(len(list)))
	for i := range list {
		k.number(int64(list[i].Key))
		k.number(int64(list[i].Op))
		k.number(list[i].Bound)
		k.syms(list[i].Values)
	}
}

func (k *keyWriter) term(t *cluster.NodeTerm) {
	k.requirements(t.Labels)
	k.requirements(t.Names)
	k.text(t.Fault)
}

// podTerms writes the terms of a class, each of which has its number.
func (k *keyWriter) podTerms(c *cluster.Class) {
	for _, list := range [2][]*cluster.PodTerm{c.Affinity, c.AntiAffinity} {
		k.number(int64(len(list)))
		for _, t := range list {
			k.number(int64(t.ID))
		}
	}
	for _, list := range [2][]cluster.WeightedPodTerm{c.PreferredAffinity, c.PreferredAntiAffinity} {
		k.number(int64(len(list)))
		for _, t := range list {
			k.number(t.Weight)
			k.number(int64(t.Term.ID))
		}
	}
}

func (k *keyWriter) selector(s *cluster.LabelSelector) {
	k.flag(s.Nothing)
	k.requirements(s.Requirements)
}

func (k *keyWriter) spread(c *cluster.Class) {
	k.selector(&c.SpreadSelector)
	k.number(int64(len(c.Services)))
	for i := range c.Services {
		k.selector(&c.Services[i])
	}
	k.number(int64(len(c.Spread)))
	for i := range c.Spread {
		s := &c.Spread[i]
		k.number(int64(s.TopologyKey))
		k.number(int64(s.MaxSkew))
		k.number(int64(s.MinDomains))
		k.flag(s.Hard)
		k.flag(s.HonorNodeAffinity)
		k.flag(s.HonorNodeTaints)
		k.selector(&s.Selector)
	}
}

func (k *keyWriter) class(c *cluster.Class) {
	k.number(int64(c.Namespace))
	k.labels(c.Labels)
	k.text(c.SchedulerName)
	k.number(int64(c.Priority))
	k.flag(c.NeverPreempt)
	k.quantities(c.Requests)
	k.quantities(c.ScoreRequests)
	for i := range c.NonZero {
		k.number(c.NonZero[i])
		k.number(c.ScoreNonZero[i])
	}
	k.text(c.NodeName)
	k.labels(c.NodeSelector)
	k.flag(c.HasRequired)
	k.number(int64(len(c.Required)))
	for i := range c.Required {
		k.term(&c.Required[i])
	}
	k.number(int64(len(c.Preferred)))
	for i := range c.Preferred {
		k.number(c.Preferred[i].Weight)
		k.term(&c.Preferred[i].Term)
	}
	k.podTerms(c)
	k.spread(c)
	k.number(int64(len(c.Tolerations)))
	for _, t := range c.Tolerations {
		k.number(int64(t.Key))
		k.number(int64(t.Value))
		k.flag(t.Exists)
		k.number(int64(t.Effect))
		k.flag(t.HasTolerationSeconds)
		k.number(int64(t.TolerationSeconds))
	}
	k.number(int64(len(c.Ports)))
	for _, p := range c.Ports {
		k.number(int64(p.IP))
		k.number(int64(p.Protocol))
		k.number(int64(p.Port))
	}
	k.syms(c.Images)
	k.number(int64(c.ImageVolumes))
	k.volumes(c.Volumes)
	k.devices(&c.Devices)
	k.number(int64(c.Containers))
	k.number(int64(c.InitContainers))
	k.number(int64(c.QoS))
	k.number(int64(c.Controller))
	k.number(int64(len(c.Gates)))
	for _, gate := range c.Gates {
		k.text(gate)
	}
	k.number(int64(c.TerminationGrace))
	k.number(int64(c.Features))
	k.text(string(c.Object))
}
