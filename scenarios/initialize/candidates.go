package initialize

import (
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// Candidate is a pool that nodes could be added to: its nodes are alike in all that pods of the snapshot can distinguish.
type Candidate struct {
	Pool  string // the name that init gives it
	Type  string // the instance type of its nodes; empty: they have no such label
	Nodes int    // that the snapshot has of the kind
	// Node makes a new one.
	Node func(name string) cluster.NodeSpec
}

// Candidates returns the pools of a snapshot, those of the most nodes first, as init would write them.
func Candidates(s *scenarios.Snapshot) ([]Candidate, error) {
	read := map[string]bool{}
	for _, doc := range s.Documents() {
		readLabels(doc.Root(), read)
	}
	d := &dump{shapes: shapesOf(s.Nodes(), read)}
	var out []Candidate
	for _, p := range d.pools() {
		text, err := document.Marshal(p.Template)
		if err != nil {
			return nil, err
		}
		docs, err := document.Parse("pool "+p.Pool, text)
		if err != nil {
			return nil, err
		}
		template, err := s.NodeTemplate(docs[0].Root())
		if err != nil {
			return nil, err
		}
		zone := ""
		if len(p.Zones) > 0 {
			zone = p.Zones[0]
		}
		kind, _ := field(p.Template, "metadata", "labels", typeLabel).(string)
		out = append(out, Candidate{Pool: p.Pool, Type: kind, Nodes: p.shape.nodes, Node: nodeOf(template, p.Pool, zone)})
	}
	return out, nil
}

// nodeOf returns a function that makes nodes of a template.
func nodeOf(template manifest.NodeTemplate, pool, zone string) func(string) cluster.NodeSpec {
	return func(name string) cluster.NodeSpec {
		spec := template.Instance(name, zone)
		spec.Pool = pool
		return spec
	}
}
