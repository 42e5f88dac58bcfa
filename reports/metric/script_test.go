package metric

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/model/record/recordtest"
)

// TestScripts runs testdata/scripts. The commands:
//
//	log [fresh]       observe records, one a line: "seconds kind key=value …", for a new ledger if fresh; prints Err
//	values            the values of the metrics named in the input, in every scope that has them
//	series            the time series of the metrics named in the input
//
// It fails when a metric is in no script.
func TestScripts(t *testing.T) {
	asked := map[string]bool{}
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		ledger := NewLedger()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			for _, name := range strings.Fields(d.Input) {
				asked[name] = true
			}
			switch d.Cmd {
			case "log":
				if d.HasArg("fresh") {
					ledger = NewLedger()
				}
				for _, line := range strings.Split(d.Input, "\n") {
					ledger.Observe(recordtest.Parse(t, line))
				}
				if err := ledger.Err(); err != nil {
					return err.Error()
				}
				return "ok"
			case "values":
				return scriptValues(ledger, strings.Fields(d.Input))
			case "series":
				return scriptSeries(ledger, strings.Fields(d.Input))
			}
			t.Fatalf("there is no command %q", d.Cmd)
			return ""
		})
	})
	for i := range All {
		if !asked[All[i].Name] {
			t.Errorf("no script asks for %s", All[i].Name)
		}
	}
}

func scriptValues(l *Ledger, names []string) string {
	var b strings.Builder
	s := l.Summary(Facts{})
	for _, name := range names {
		if Named(name) == nil {
			fmt.Fprintf(&b, "%s: there is no such metric\n", name)
		}
		for _, scope := range s.Scopes {
			var cells []string
			for _, v := range scope.Values {
				if v.Metric.Name == name {
					cells = append(cells, strings.TrimPrefix(v.Label+"=", "=")+scriptNumber(v.Value))
				}
			}
			if len(cells) > 0 {
				fmt.Fprintf(&b, "%s %s: %s\n", name, strings.TrimSpace(scope.Scope.String()+" "+scope.Name), strings.Join(cells, " "))
			}
		}
	}
	return b.String()
}

func scriptSeries(l *Ledger, names []string) string {
	var b strings.Builder
	for _, c := range l.series.ordered() {
		if slices.Contains(names, c.metric.Name) {
			fmt.Fprintf(&b, "%s:", c.metric.Key(c.label))
			for _, v := range c.values {
				b.WriteString(" " + scriptNumber(v))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// scriptNumber rounds to six digits, so that scripts can be computed by hand.
func scriptNumber(v float64) string {
	if v >= 1e6 {
		return output.FormatNumber(v)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}
