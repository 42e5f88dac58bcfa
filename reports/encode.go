package reports

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
)

// WriteJSON writes a value as indented JSON, as all of berth's documents are written.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// WriteJSON writes the summary as one JSON object. Keys are in the order of the
// declarations; what has no value is null.
//
//	{"schema": "berth/summary/v1", "run": {…},
//	 "metrics": {"run": {"placement.arrived": 12, "utilisation.allocated[cpu]": 0.5, …},
//	             "workload": {"web": {…}}, "priority": {"0": {…}}, "pool": {"general": {…}}},
//	 "units": {"placement.arrived": "pods", …}}
func (s *Summary) WriteJSON(w io.Writer) error {
	out := bufio.NewWriter(w)
	out.WriteString("{\n  \"schema\": " + quote(SummarySchema) + ",\n  \"run\": ")
	run, err := json.MarshalIndent(struct {
		Scenario       string  `json:"scenario"`
		Policy         string  `json:"policy"`
		Seed           uint64  `json:"seed"`
		Ended          string  `json:"ended"`
		Partial        bool    `json:"partial"`
		VirtualSeconds float64 `json:"virtualSeconds"`
	}{s.Run.Scenario, s.Run.Policy, s.Run.Seed, s.Run.Ended, s.Run.Partial, s.Run.VirtualSeconds}, "  ", "  ")
	if err != nil {
		return err
	}
	out.Write(run)
	out.WriteString(",\n  \"metrics\": {\n    \"run\": ")
	s.Scopes[0].writeJSON(out, "    ")
	for _, known := range scopeNames {
		scopes := s.of(known.scope)
		if known.scope == ScopeRun || len(scopes) == 0 {
			continue
		}
		out.WriteString(",\n    " + quote(known.name) + ": {")
		for i, values := range scopes {
			out.WriteString(separator(i) + "\n      " + quote(values.Name) + ": ")
			values.writeJSON(out, "      ")
		}
		out.WriteString("\n    }")
	}
	out.WriteString("\n  },\n  \"units\": {")
	for i, v := range s.Scopes[0].Values {
		out.WriteString(separator(i) + "\n    " + quote(v.Metric.Key(v.Label)) + ": " + quote(v.Metric.Unit.Of(v.Label)))
	}
	out.WriteString("\n  }\n}\n")
	return out.Flush()
}

func (s *ScopeValues) writeJSON(out *bufio.Writer, indent string) {
	out.WriteByte('{')
	for i, v := range s.Values {
		out.WriteString(separator(i) + "\n  " + indent + quote(v.Metric.Key(v.Label)) + ": ")
		if math.IsNaN(v.Value) {
			out.WriteString("null")
		} else {
			out.WriteString(formatNumber(v.Value))
		}
	}
	out.WriteString("\n" + indent + "}")
}

func separator(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

// quote is s as a JSON string, without the escapes that only HTML needs.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a string can always be encoded
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// WriteCSV writes the summary with one value a row: metric, scope, name of the scope,
// label, unit, value. The value is empty where there is none.
func (s *Summary) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"metric", "scope", "name", "label", "unit", "value"}}
	for _, values := range s.Scopes {
		for _, v := range values.Values {
			value := ""
			if !math.IsNaN(v.Value) {
				value = formatNumber(v.Value)
			}
			rows = append(rows, []string{
				v.Metric.Name, values.Scope.String(), values.Name, v.Label, v.Metric.Unit.Of(v.Label), value,
			})
		}
	}
	return out.WriteAll(rows)
}
