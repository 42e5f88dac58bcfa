package schema

import (
	"regexp"
	"strings"

	"github.com/berth-sim/berth/reports/gate"
	"github.com/berth-sim/berth/reports/metric"
)

// gatePaths are the fields of a gate.
func gatePaths() map[string]place {
	return map[string]place{
		"apiVersion": {meaning: "`" + gate.APIVersion + "`"},
		"kind":       {meaning: "`" + gate.Kind + "`"},
		"seeds":      {meaning: "how many seeds to run the scenario with", refine: func(n *node) { n.Minimum = new(1.0) }},
		"notShown": {
			meaning: "what becomes of the gate if a value is not shown to be worse or no worse: `pass`, with a warning, or `fail`",
			shape: func(*maker) *node {
				return &node{Type: "string", Enum: []any{string(gate.NotShownPasses), string(gate.NotShownFails)}}
			},
		},
		"tolerances": {
			meaning: "by metric or pattern, how much worse it may be than in the baseline: in its unit, a share of the baseline's mean such as 5%, " +
				"both such as 1 and 5%, or default",
			shape: func(*maker) *node {
				n := byMetric(tolerance, metric.Lower, metric.Higher)
				n.Patterns = append(n.Patterns, property{`\*`, sharedTolerance()})
				return n
			},
		},
		"limits": {
			meaning: "by metric, the values that are allowed whatever the baseline says",
			shape:   func(*maker) *node { return byMetric(limit, metric.Lower, metric.Neutral, metric.Higher) },
		},
	}
}

// amount matches what goals and gates write beside figures: 30s, 60%, 8Gi.
const amount = `[0-9.][0-9a-zA-Z._+-]*\s*%?\s*$`

// tolerance is an amount or a share. A number may stand in quotes.
func tolerance() *node {
	return &node{AnyOf: []*node{
		{Type: "number", Minimum: new(0.0)},
		{
			Type: "string", Pattern: `^\s*(` + gate.DefaultTolerance + `\s*$|([+]?[0-9.][0-9a-zA-Z._+-]*\s*%?\s+and\s+)?[+]?` + amount + `)`,
			PatternError: "is neither an amount such as 30s or 8Gi nor a share such as 5%, both such as 1 and 5%, or default",
		},
	}}
}

// sharedTolerance is the tolerance of a pattern, whose metrics have different units.
func sharedTolerance() *node {
	return &node{
		Type: "string", Description: "all judged metrics whose names match", Pattern: `^\s*(` + gate.DefaultTolerance + `|[+]?[0-9][0-9.e+-]*\s*%)\s*$`,
		PatternError: "is neither default nor a share such as 5%",
	}
}

func limit() *node {
	bound := func(about string) *node {
		return &node{Description: about, AnyOf: []*node{
			{Type: nullable("number")},
			{Type: "string", Pattern: `^\s*[+-]?` + amount, PatternError: "is not an amount such as 30s, 60% or 8Gi"},
		}}
	}
	return &node{
		Type: "object", Others: false, Least: 1,
		Properties: properties{{"min", bound("the least that is allowed")}, {"max", bound("the most that is allowed")}},
	}
}

// byMetric is a mapping from the metrics of whole runs whose values are better in one of the
// directions. Those with labels of their own are matched, all others are listed.
func byMetric(value func() *node, directions ...metric.Direction) *node {
	out := &node{Type: nullable("object"), Others: false}
	wanted := map[metric.Direction]bool{}
	for _, d := range directions {
		wanted[d] = true
	}
	for i := range metric.All {
		m := &metric.All[i]
		if m.Scopes&metric.ScopeRun == 0 || !wanted[m.Better] {
			continue
		}
		about := func() *node {
			n := value()
			n.Description = strings.TrimSpace(m.Title + ": " + m.Formula)
			return n
		}
		if m.Label == metric.NoLabel {
			out.Properties = append(out.Properties, property{m.Name, about()})
		}
		for _, label := range m.Label.Known() {
			out.Properties = append(out.Properties, property{m.Key(label), about()})
		}
		if pattern := keyPattern(m); pattern != "" {
			out.Patterns = append(out.Patterns, property{pattern, about()})
		}
	}
	return out
}

// keyPattern matches the names of the values of a metric that cannot be listed: those of parts
// of a run, and those with labels that only runs know. It is empty where there are none.
func keyPattern(m *metric.Declaration) string {
	label := ""
	switch known := m.Label.Known(); {
	case m.Label == metric.ByStatistic:
		label = `\[(` + strings.Join(known, "|") + `)\]`
	case m.Label != metric.NoLabel:
		label = `\[.+\]`
	}
	var parts []string
	for _, scope := range m.PartScopes() {
		form := scope + `\s*=.+`
		if scope == metric.ScopePriority.String() {
			form = scope + `\s*=\s*[+-]?[0-9]+\s*`
		}
		parts = append(parts, form)
	}
	part := `\{\s*(` + strings.Join(parts, "|") + `)\}`
	switch open := m.Label != metric.NoLabel && m.Label != metric.ByStatistic; {
	case open && len(parts) > 0:
		part = "(" + part + ")?"
	case open:
		part = ""
	case len(parts) == 0:
		return ""
	}
	return "^" + regexp.QuoteMeta(m.Name) + label + part + "$"
}
