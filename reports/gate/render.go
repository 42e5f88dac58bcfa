package gate

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
)

// Formats are the formats of a result.
var Formats = []output.Format{output.Table, output.Markdown, output.JSON, output.JUnit, output.SARIF, output.GitHub}

// View says how a result is shown. With All, the table has the checks that passed too.
type View struct {
	output.View
	Scenario string // path of the scenario file, at which annotations are shown
	Version  string // of berth
}

// Render writes the result in the format of the view.
func (r *Result) Render(w io.Writer, v View) error {
	return v.Write(w, output.Forms{
		Table:    func(width int) (string, error) { return r.table(width, v.All) },
		Markdown: r.markdown,
		JSON:     func() any { return r.object() },
		JUnit:    func() any { return r.junit(v.Scenario) },
		SARIF:    func() any { return r.sarif(v) },
		GitHub:   func() string { return r.github(v.Scenario) },
	})
}

// Answer returns the outcome in one line.
func (r *Result) Answer() string {
	against := "against limits"
	if r.Baseline != "" {
		against = fmt.Sprintf("against the baseline of %s", r.Baseline)
	}
	failed := len(r.Failed())
	how := fmt.Sprintf("%s passed", human.Counted(len(r.Checks), "check"))
	if failed > 0 {
		how = fmt.Sprintf("%d of %s failed", failed, human.Counted(len(r.Checks), "check"))
	}
	return fmt.Sprintf("%s, %s: %s, %s, with %s", r.Scenario, r.Policy, how, against, human.Counted(r.Seeds, "seed"))
}

// grid returns a table of the checks.
func (r *Result) grid() table.Table {
	t := table.Table{Head: []string{"", "baseline", "now", "rule", "result"}}
	for _, c := range r.Checks {
		result := "passed"
		if c.Failed {
			result = "failed"
		}
		t.Rows = append(t.Rows, []string{c.Title(), c.Text(c.Baseline), c.Text(c.Mean) + c.among(r.Seeds), c.Rule, result})
	}
	return t
}

func (r *Result) table(width int, all bool) (string, error) {
	var b strings.Builder
	b.WriteString(r.Answer() + "\n")
	for _, c := range r.Failed() {
		fmt.Fprintf(&b, "  %s %s\n", c.Title(), c.Message)
	}
	if !all || len(r.Checks) == 0 {
		return b.String(), nil
	}
	text, err := r.grid().Draw(width)
	return b.String() + "\n" + text, err
}

func (r *Result) markdown() string {
	var b strings.Builder
	mark := "✅"
	if len(r.Failed()) > 0 {
		mark = "❌"
	}
	fmt.Fprintf(&b, "### %s %s\n", mark, r.Answer())
	for i, c := range r.Failed() {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "- **%s** %s\n", c.Title(), c.Message)
	}
	if len(r.Checks) > 0 {
		fmt.Fprintf(&b, "\n<details><summary>All checks</summary>\n\n%s\n</details>\n", r.grid().Markdown())
	}
	return b.String()
}

// ResultSchema is the version of the JSON of a result.
const ResultSchema = "berth/check/v1"

type resultObject struct {
	Schema   string        `json:"schema"`
	Scenario string        `json:"scenario"`
	Policy   string        `json:"policy"`
	Baseline *string       `json:"baseline"`
	Version  *string       `json:"baselineVersion"`
	Seeds    int           `json:"seeds"`
	Passed   bool          `json:"passed"`
	Checks   []checkObject `json:"checks"`
}

type checkObject struct {
	Metric   string   `json:"metric"`
	Rule     string   `json:"rule"`
	Baseline *float64 `json:"baseline"`
	Mean     *float64 `json:"mean"`
	Pairs    int      `json:"pairs"`
	Passed   bool     `json:"passed"`
	Message  string   `json:"message,omitempty"`
}

func (r *Result) object() resultObject {
	out := resultObject{Schema: ResultSchema, Scenario: r.Scenario, Policy: r.Policy, Seeds: r.Seeds, Passed: len(r.Failed()) == 0, Checks: []checkObject{}}
	if r.Baseline != "" {
		out.Baseline, out.Version = &r.Baseline, &r.BaselineVersion
	}
	number := func(v float64) *float64 {
		if math.IsNaN(v) {
			return nil
		}
		return &v
	}
	for _, c := range r.Checks {
		out.Checks = append(out.Checks, checkObject{c.String(), c.Rule, number(c.Baseline), number(c.Mean), c.Pairs, !c.Failed, c.Message})
	}
	return out
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	File    string        `xml:"file,attr"`
	Failure *junitFailure `xml:"failure"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junit returns the result as a test suite: a test case for each check.
func (r *Result) junit(scenario string) junitSuite {
	suite := junitSuite{Name: "berth check " + r.Scenario, Tests: len(r.Checks), Failures: len(r.Failed())}
	for _, c := range r.Checks {
		test := junitCase{Class: "berth." + r.Scenario, Name: c.String() + ": " + c.Rule, File: scenario}
		if c.Failed {
			message := c.Title() + " " + c.Message
			test.Failure = &junitFailure{message, message}
		}
		suite.Cases = append(suite.Cases, test)
	}
	return suite
}

// sarif returns a SARIF log with a result for each failed check.
func (r *Result) sarif(v View) any {
	type object = map[string]any
	rules, results := []object{}, []object{}
	for i, c := range r.Failed() {
		rules = append(rules, object{
			"id": c.String(), "shortDescription": object{"text": c.Title()}, "fullDescription": object{"text": c.Metric.Formula},
		})
		results = append(results, object{
			"ruleId": c.String(), "ruleIndex": i, "level": "error", "message": object{"text": c.Title() + " " + c.Message},
			"locations": []object{{"physicalLocation": object{"artifactLocation": object{"uri": v.Scenario}, "region": object{"startLine": 1}}}},
		})
	}
	return object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []object{{
			"tool":    object{"driver": object{"name": "berth", "version": v.Version, "rules": rules}},
			"results": results,
		}},
	}
}

// github returns a workflow command for each failed check, and one for the result.
//
// Source: docs.github.com, "Workflow commands for GitHub Actions", setting an error message.
func (r *Result) github(scenario string) string {
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	message := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	var b strings.Builder
	for _, c := range r.Failed() {
		fmt.Fprintf(&b, "::error file=%s,title=%s::%s\n", property.Replace(scenario), property.Replace("placement: "+c.Title()), message.Replace(c.Title()+" "+c.Message))
	}
	kind := "notice"
	if len(r.Failed()) > 0 {
		kind = "error"
	}
	fmt.Fprintf(&b, "::%s file=%s,title=berth check::%s\n", kind, property.Replace(scenario), message.Replace(r.Answer()))
	return b.String()
}
