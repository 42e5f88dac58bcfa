package goal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/berth-sim/berth/reports/metric"
)

// metric reads the name of a value, group.name, group.name[label] or either with a part of the
// run, and puts the variable in its place that stands for the value.
func (c *checker) metric(n *ast.Node) kind {
	path, known := names(*n)
	if !known {
		return c.fault(*n, "%s is not a metric", *n)
	}
	group := min(len(path), 2)
	name, rest := strings.Join(path[:group], "."), path[group:]
	part := metric.Part{}
	if last := len(rest) - 1; last >= 0 && isPart(rest[last]) {
		var err error
		if part, err = metric.ParsePart(rest[last]); err != nil {
			return c.fault(*n, "%s %v", name, err)
		}
		rest = rest[:last]
	}
	switch {
	case len(rest) > 1 && isPart(rest[0]):
		return c.fault(*n, "%s has its label before the part of the run, as %s", name, name+"["+rest[1]+"]"+rest[0])
	case len(rest) > 1:
		return c.fault(*n, "%s has one label at most", name)
	}
	key, err := metric.NewKey(name, strings.Join(rest, ""), len(rest) == 1, part)
	if err != nil {
		return c.fault(*n, "%s %v", name, err)
	}
	i := slices.Index(c.term.Keys, key)
	if i < 0 {
		i = len(c.term.Keys)
		c.term.Keys = append(c.term.Keys, key)
	}
	at := beginning(*n).Location()
	*n = &ast.IdentifierNode{Value: figureName(i)}
	(*n).SetLocation(at)
	return kind{unit: unitOf(key.Metric, key.Label)}
}

// beginning is where a name begins: a in a.b[c].
func beginning(n ast.Node) ast.Node {
	for member, is := n.(*ast.MemberNode); is; member, is = n.(*ast.MemberNode) {
		n = member.Node
	}
	return n
}

// isPart reports whether the text is what rewrite makes of a part of a run.
func isPart(text string) bool { return strings.HasPrefix(text, "{") }

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
	unitSeconds = string(metric.UnitSeconds)
	unitMilli   = "milli"
	unitBytes   = "bytes"
)

// unitOf is the unit of a value; plain numbers, shares and ratios have none.
func unitOf(m *metric.Declaration, label string) string {
	switch m.Unit {
	case metric.UnitShare, metric.UnitRatio, metric.UnitCount:
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

// Amount is a number in the unit of the value that the key names, written as goals write it: 30s,
// 60%, 8Gi.
func Amount(key metric.Key, text string) (float64, error) {
	return amount(strings.TrimSpace(text), unitOf(key.Metric, key.Label))
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
