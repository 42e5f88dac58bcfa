package goal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/berth-sim/berth/reports"
)

// metric reads the name of a value: group.name, or group.name[label].
func (c *checker) metric(n ast.Node) kind {
	path, known := names(n)
	if !known {
		return c.fault(n, "%s is no metric", n)
	}
	name, label := strings.Join(path[:min(len(path), 2)], "."), strings.Join(path[min(len(path), 2):], ".")
	m, err := reports.FindMetric(name)
	switch {
	case err != nil:
		return c.fault(n, "%s %v", name, err)
	case len(path) > 3:
		return c.fault(n, "%s has one label at most", name)
	}
	if err := m.CheckLabel(label, len(path) == 3); err != nil {
		return c.fault(n, "%s %v", name, err)
	}
	if k := (reports.Key{Metric: m, Label: label}); !slices.Contains(c.term.Keys, k) {
		c.term.Keys = append(c.term.Keys, k)
	}
	return kind{unit: unitOf(m, label)}
}

// names are the parts of a.b[c]; false: it is something else.
func names(n ast.Node) ([]string, bool) {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return []string{n.Value}, true
	case *ast.MemberNode:
		before, known := names(n.Node)
		property, isText := n.Property.(*ast.StringNode)
		if !known || !isText || n.Optional {
			return nil, false
		}
		return append(before, property.Value), true
	}
	return nil, false
}

// The units that numbers are resolved for; those of all other metrics have no other way
// to be written.
const (
	unitSeconds = string(reports.UnitSeconds)
	unitMilli   = "milli"
	unitBytes   = "bytes"
)

// unitOf is the unit of a value; plain numbers, shares and ratios have none.
func unitOf(m *reports.Metric, label string) string {
	switch m.Unit {
	case reports.UnitShare, reports.UnitRatio, reports.UnitCount:
		return ""
	}
	return m.Unit.Of(label)
}

// scales are the units that numbers can be written in, and what they are of the unit of the
// metric. Beside each there is the number without a unit.
var scales = map[string]map[string]float64{
	"":          {"": 1, "%": 0.01},
	unitSeconds: {"": 1, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400},
	unitMilli:   {"": 1000, "m": 1}, // as in Kubernetes: cores, or milli
	unitBytes: {
		"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15,
		"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40, "Pi": 1 << 50,
	},
}

// ways are how numbers of the units are written.
var ways = map[string]string{
	"":          "a plain number or a percentage, as 0.6 or 60%",
	unitSeconds: "a time, as 30s, 5m or 2h",
	unitMilli:   "an amount of cpu, as 2 or 500m",
	unitBytes:   "an amount of bytes, as 8Gi",
}

// amount is the value of a number that is written beside a value of that unit.
func amount(text, unit string) (float64, error) {
	end := strings.TrimRight(text, "%abcdfghijklmnopqrstuvwxyzABCDFGHIJKLMNOPQRSTUVWXYZ") // not e: of 1e3
	number, err := strconv.ParseFloat(strings.ReplaceAll(end, "_", ""), 64)
	scale, known := scales[unit][text[len(end):]]
	if scales[unit] == nil && text == end {
		scale, known = 1, true
	}
	switch way, has := ways[unit]; {
	case err == nil && known:
		return number * scale, nil
	case has:
		return 0, fmt.Errorf("%q is not %s", text, way)
	}
	return 0, fmt.Errorf("%q is not a plain number, which a figure in %s needs", text, unit)
}
