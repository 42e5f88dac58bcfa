package gate

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
)

// Format is a form in which a result is written.
type Format string

// The formats.
const (
	FormatTable    Format = "table"
	FormatMarkdown Format = "markdown" // for a pull request
	FormatJSON     Format = "json"
	FormatJUnit    Format = "junit"  // XML, a test case for each check
	FormatSARIF    Format = "sarif"  // 2.1.0, a result for each failed check
	FormatGitHub   Format = "github" // workflow commands, which GitHub shows as annotations
)

// Formats are all formats.
var Formats = []Format{FormatTable, FormatMarkdown, FormatJSON, FormatJUnit, FormatSARIF, FormatGitHub}

// View is how a result is shown.
type View struct {
	Format   Format
	Width    int
	All      bool   // checks that passed too
	Scenario string // path of the scenario, which annotations are put at
	Version  string // of berth
}

// Render writes the result in the view's format.
func (r *Result) Render(w io.Writer, v View) error {
	switch v.Format {
	case FormatTable:
		return r.table(w, v)
	case FormatMarkdown:
		_, err := io.WriteString(w, r.markdown())
		return err
	case FormatJSON:
		return output.WriteJSON(w, r.object())
	case FormatJUnit:
		return r.junit(w, v)
	case FormatSARIF:
		return output.WriteJSON(w, r.sarif(v))
	case FormatGitHub:
		return r.github(w, v)
	}
	return fmt.Errorf("there is no format %q", v.Format)
}

// Answer says in a line how it went.
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

// grid is a table of the checks, those that passed only if all are wanted.
func (r *Result) grid(all bool) table.Table {
	t := table.Table{Head: []string{"", "baseline", "now", "rule", "result"}}
	for _, c := range r.Checks {
		if !c.Failed && !all {
			continue
		}
		result := "passed"
		if c.Failed {
			result = "failed"
		}
		t.Rows = append(t.Rows, []string{c.Title(), c.Text(c.Baseline), c.Text(c.Mean) + c.among(r.Seeds), c.Rule, result})
	}
	return t
}

func (r *Result) table(w io.Writer, v View) error {
	var b bytes.Buffer
	b.WriteString(r.Answer() + "\n")
	for _, c := range r.Failed() {
		fmt.Fprintf(&b, "  %s %s\n", c.Title(), c.Message)
	}
	if t := r.grid(v.All); len(t.Rows) > 0 && v.All {
		text, err := t.Draw(v.Width)
		if err != nil {
			return err
		}
		b.WriteString("\n" + text)
	}
	_, err := w.Write(b.Bytes())
	return err
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
		fmt.Fprintf(&b, "\n<details><summary>All checks</summary>\n\n%s\n</details>\n", r.grid(true).Markdown())
	}
	return b.String()
}

// ResultSchema names the form of a result's JSON.
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

// junit writes the form that CI systems read as the outcome of tests.
func (r *Result) junit(w io.Writer, v View) error {
	suite := junitSuite{Name: "berth check " + r.Scenario, Tests: len(r.Checks), Failures: len(r.Failed())}
	for _, c := range r.Checks {
		test := junitCase{Class: "berth." + r.Scenario, Name: c.String() + ": " + c.Rule, File: v.Scenario}
		if c.Failed {
			message := c.Title() + " " + c.Message
			test.Failure = &junitFailure{message, message}
		}
		suite.Cases = append(suite.Cases, test)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// sarif is the result in the Static Analysis Results Interchange Format 2.1.0 (OASIS).
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

// github writes workflow commands.
//
// Source: docs.github.com, "Workflow commands for GitHub Actions", setting an error message.
func (r *Result) github(w io.Writer, v View) error {
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	message := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	var b strings.Builder
	for _, c := range r.Failed() {
		fmt.Fprintf(&b, "::error file=%s,title=%s::%s\n", property.Replace(v.Scenario), property.Replace("placement: "+c.Title()), message.Replace(c.Title()+" "+c.Message))
	}
	kind := "notice"
	if len(r.Failed()) > 0 {
		kind = "error"
	}
	fmt.Fprintf(&b, "::%s file=%s,title=berth check::%s\n", kind, property.Replace(v.Scenario), message.Replace(r.Answer()))
	_, err := io.WriteString(w, b.String())
	return err
}
