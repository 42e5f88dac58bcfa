package metric

import (
	"bytes"
	"encoding/json"

	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/files/jsontext"
)

// MarshalJSON implements json.Marshaler. Keys are in the order of the declarations; what has no value is null.
//
//	{"schema": "berth/summary/v1", "run": {…},
//	 "metrics": {"run": {"placement.arrived": 12, "utilization.allocated[cpu]": 0.5, …},
//	             "workload": {"web": {…}}, "priority": {"0": {…}}, "pool": {"general": {…}}},
//	 "units": {"placement.arrived": "pods", …}}
func (s *Summary) MarshalJSON() ([]byte, error) {
	run, err := json.Marshal(struct {
		Scenario       string  `json:"scenario"`
		Policy         string  `json:"policy"`
		Kubernetes     string  `json:"kubernetes,omitempty"`
		Seed           uint64  `json:"seed"`
		Ended          string  `json:"ended"`
		Partial        bool    `json:"partial"`
		VirtualSeconds float64 `json:"virtualSeconds"`
	}{s.Run.Scenario, s.Run.Policy, s.Run.Kubernetes, s.Run.Seed, s.Run.Ended, s.Run.Partial, s.Run.VirtualSeconds})
	if err != nil {
		return nil, err
	}
	metrics := orderedObject{{"run", s.Scopes[0].object()}}
	for _, known := range scopeNames {
		scopes := s.ScopesOf(known.scope)
		if known.scope == ScopeRun || len(scopes) == 0 {
			continue
		}
		var byName orderedObject
		for _, values := range scopes {
			byName = append(byName, member{values.Name, values.object()})
		}
		metrics = append(metrics, member{known.name, byName.text()})
	}
	var units orderedObject
	for _, v := range s.Scopes[0].Values {
		units = append(units, member{v.Metric.Key(v.Label), jsontext.Quote(v.Metric.Unit.Of(v.Label))})
	}
	return []byte(orderedObject{
		{"schema", jsontext.Quote(SummarySchema)}, {"run", string(run)}, {"metrics", metrics.text()}, {"units", units.text()},
	}.text()), nil
}

// object are the values of the scope as a JSON object.
func (s *ScopeValues) object() string {
	var out orderedObject
	for _, v := range s.Values {
		number, _ := output.Number(v.Value).MarshalJSON() // it has no errors
		out = append(out, member{v.Metric.Key(v.Label), string(number)})
	}
	return out.text()
}

// orderedObject is a JSON object whose members keep their order.
type orderedObject []member

// member is a member of an object; its value is JSON.
type member struct{ key, value string }

func (o orderedObject) text() string {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(jsontext.Quote(m.key) + ":" + m.value)
	}
	b.WriteByte('}')
	return b.String()
}
