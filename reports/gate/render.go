package gate

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
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
	failed, open := len(r.Failed()), len(r.NotShown())
	all := human.Counted(len(r.Checks), "check")
	how := all + " passed"
	switch {
	case failed > 0:
		how = fmt.Sprintf("%d of %s failed", failed, all)
	case open > 0:
		how = fmt.Sprintf("no failure in %s", all)
	}
	if open > 0 {
		how += fmt.Sprintf(", %d not shown", open)
	}
	return fmt.Sprintf("%s, %s: %s, %s, with %s", r.Scenario, r.Policy, how, against, human.Counted(r.Seeds, "seed"))
}

// lines returns the checks that a person must see, and how many more are not shown: of those that do not fail only the
// ones whose mean is worse by more than the tolerance are named.
func (r *Result) lines() (shown []Check, more int) {
	for _, c := range r.Checks {
		switch {
		case c.Failed || c.suspicious():
			shown = append(shown, c)
		case c.Verdict == NotShown:
			more++
		}
	}
	return shown, more
}

// others says how many checks are not shown beside those that are named.
func others(more int) string {
	return fmt.Sprintf("not shown either: %s; more seeds would tell, --all lists them", human.Counted(more, "other check"))
}

// grid returns a table of the checks.
func (r *Result) grid() table.Table {
	t := table.Table{Head: []string{"", "baseline", "now", "rule", "result"}}
	for _, c := range r.Checks {
		t.Rows = append(t.Rows, []string{c.Title(), c.Text(c.Baseline), c.Text(c.Mean) + c.among(r.Seeds), c.Rule, c.result()})
	}
	return t
}

// result returns the verdict, with the seeds that would probably show one if there is none.
func (c *Check) result() string {
	text := string(c.Verdict)
	if c.Verdict == NotShown && c.SeedsNeeded > 0 && c.SeedsNeeded <= mostSeeds {
		text += fmt.Sprintf(" (%s?)", human.Counted(c.SeedsNeeded, "seed"))
	}
	if c.Failed != (c.Verdict == Worse || c.Verdict == Beyond) {
		text += ", failed"
	}
	return text
}

func (r *Result) table(width int, all bool) (string, error) {
	var b strings.Builder
	b.WriteString(r.Answer() + "\n")
	shown, more := r.lines()
	for _, c := range shown {
		fmt.Fprintf(&b, "  %s %s\n", c.Title(), c.Message)
	}
	if more > 0 && !all {
		fmt.Fprintf(&b, "  %s\n", others(more))
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
	switch {
	case len(r.Failed()) > 0:
		mark = "❌"
	case len(r.NotShown()) > 0:
		mark = "⚠️"
	}
	fmt.Fprintf(&b, "### %s %s\n", mark, r.Answer())
	shown, more := r.lines()
	for i, c := range shown {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "- **%s** %s\n", c.Title(), c.Message)
	}
	if more > 0 {
		fmt.Fprintf(&b, "\n%s\n", others(more))
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
	Verdict  Verdict  `json:"verdict"`
	Effect   *float64 `json:"matters,omitempty"` // the smallest difference that counts
	Needed   *float64 `json:"seedsNeeded,omitempty"`
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
		o := checkObject{
			Metric: c.String(), Rule: c.Rule, Baseline: number(c.Baseline), Mean: number(c.Mean), Pairs: c.Pairs, Passed: !c.Failed,
			Verdict: c.Verdict, Message: c.Message,
		}
		if c.Verdict != Within && c.Verdict != Beyond {
			o.Effect = number(c.Effect)
		}
		if c.SeedsNeeded > 0 && c.SeedsNeeded <= mostSeeds {
			o.Needed = number(c.SeedsNeeded)
		}
		out.Checks = append(out.Checks, o)
	}
	return out
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	File    string        `xml:"file,attr"`
	Failure *junitFailure `xml:"failure"`
	Skipped *junitSkipped `xml:"skipped"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// told returns the checks that failed or are not shown.
func (r *Result) told() []Check {
	return slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool { return !c.Failed && c.Verdict != NotShown })
}

// junit returns the result as a test suite: a test case for each check. Checks that are not shown and do not fail are skipped.
func (r *Result) junit(scenario string) junitSuite {
	suite := junitSuite{Name: "berth check " + r.Scenario, Tests: len(r.Checks), Failures: len(r.Failed())}
	for _, c := range r.Checks {
		test := junitCase{Class: "berth." + r.Scenario, Name: c.String() + ": " + c.Rule, File: scenario}
		message := c.Title() + " " + c.Message
		switch {
		case c.Failed:
			test.Failure = &junitFailure{message, message}
		case c.Verdict == NotShown:
			test.Skipped = &junitSkipped{message}
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, test)
	}
	return suite
}

// sarif returns a SARIF log with a result for each failed check, and a warning for each that is not shown.
func (r *Result) sarif(v View) any {
	type object = map[string]any
	rules, results := []object{}, []object{}
	for i, c := range r.told() {
		level := "error"
		if !c.Failed {
			level = "warning"
		}
		rules = append(rules, object{
			"id": c.String(), "shortDescription": object{"text": c.Title()}, "fullDescription": object{"text": c.Metric.Formula},
		})
		results = append(results, object{
			"ruleId": c.String(), "ruleIndex": i, "level": level, "message": object{"text": c.Title() + " " + c.Message},
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

// github returns a workflow command for each failed check, a warning for each that is not shown, and one for the result.
//
// Source: docs.github.com, "Workflow commands for GitHub Actions", setting an error message.
func (r *Result) github(scenario string) string {
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	message := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	var b strings.Builder
	for _, c := range r.told() {
		kind := "error"
		if !c.Failed {
			kind = "warning"
		}
		fmt.Fprintf(&b, "::%s file=%s,title=%s::%s\n", kind, property.Replace(scenario), property.Replace("placement: "+c.Title()), message.Replace(c.Title()+" "+c.Message))
	}
	kind := "notice"
	switch {
	case len(r.Failed()) > 0:
		kind = "error"
	case len(r.NotShown()) > 0:
		kind = "warning"
	}
	fmt.Fprintf(&b, "::%s file=%s,title=berth check::%s\n", kind, property.Replace(scenario), message.Replace(r.Answer()))
	return b.String()
}
