package gate_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/gate"
	"github.com/berth-sim/berth/reports/output"
)

// render is a result in a format.
func render(t *testing.T, r *gate.Result, f output.Format) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Render(&b, gate.View{View: output.View{Format: f, Width: 100, All: true}, Scenario: "a,b: 1%.yaml", Version: "v"}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A result of nothing, which only callers from Go can make, is well formed in all formats.
func TestNoChecks(t *testing.T) {
	for _, f := range gate.Formats {
		text := render(t, &gate.Result{Scenario: "s", Policy: "p", Seeds: 1}, f)
		if strings.Contains(text, "null") && strings.Contains(text, `"checks": null`) {
			t.Errorf("%s: %s", f, text)
		}
	}
}

// All formats tell the same checks, however awkward their names.
func TestFormatsAgree(t *testing.T) {
	f := figures{"placement.pendingReason[a: \"<&,%>\"]": ten, "placement.victims": only(ten, 8)}
	rules := rulesOf(t, `limits: {"placement.pendingReason[a: \"<&,%>\"]": {max: 1}, placement.victims: {max: 100}}`)
	r := gate.Judge(rules, nil, f.runs(t), "p")
	if len(r.Checks) != 2 || len(r.Failed()) != 1 || !r.Checks[0].Failed {
		t.Fatalf("the checks are %+v", r.Checks)
	}
	var object struct {
		Passed bool
		Checks []struct {
			Metric string
			Pairs  int
			Passed bool
		}
	}
	if err := json.Unmarshal([]byte(render(t, r, output.JSON)), &object); err != nil {
		t.Fatal(err)
	}
	if c := object.Checks; object.Passed || len(c) != 2 || c[0].Metric != r.Checks[0].Key.String() || c[0].Passed || c[1].Pairs != 8 {
		t.Errorf("JSON says %+v", object)
	}
	var suite struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Cases    []struct {
			Failure *struct{} `xml:"failure"`
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal([]byte(render(t, r, output.JUnit)), &suite); err != nil {
		t.Fatal(err)
	}
	if suite.Tests != 2 || suite.Failures != 1 || len(suite.Cases) != 2 || suite.Cases[0].Failure == nil || suite.Cases[1].Failure != nil {
		t.Errorf("JUnit says %+v", suite)
	}
	var sarif struct {
		Runs []struct{ Results []struct{ RuleID string } }
	}
	if err := json.Unmarshal([]byte(render(t, r, output.SARIF)), &sarif); err != nil {
		t.Fatal(err)
	}
	if got := sarif.Runs[0].Results; len(got) != 1 || got[0].RuleID != r.Checks[0].Key.String() {
		t.Errorf("SARIF says %+v", got)
	}
	github := render(t, r, output.GitHub)
	if strings.Count(github, "::error file=a%2Cb%3A 1%25.yaml,") != 2 || strings.Count(github, "\n") != 2 {
		t.Errorf("GitHub reads %q", github)
	}
	if text := render(t, r, output.Table); !strings.Contains(text, "10.1 in 8 of 10 seeds") {
		t.Errorf("the table does not say in how many seeds there is a value:\n%s", text)
	}
}
