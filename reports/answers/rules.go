package answers

import (
	"fmt"
	"io"
	"strings"

	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/sim/model/release"
)

// WriteRules writes the table of the rules by which Kubernetes releases decide differently.
func WriteRules(w io.Writer, view output.View) error {
	return view.Write(w, output.Forms{Table: rulesText, Markdown: rulesMarkdown, JSON: rulesJSON})
}

// rulesText describes one rule after the other, each value with the releases that have it.
func rulesText(width int) (string, error) {
	var b strings.Builder
	for _, change := range []release.Change{release.Placement, release.Retries, release.Messages} {
		fmt.Fprintf(&b, "%s\n\n", map[release.Change]string{
			release.Placement: "RULES THAT CHANGE PLACEMENT", release.Retries: "RULES THAT CHANGE WHEN PODS ARE TRIED AGAIN",
			release.Messages: "RULES THAT CHANGE MESSAGES",
		}[change])
		for _, rule := range release.Table() {
			if rule.Changes == change {
				writeRule(&b, rule, width)
			}
		}
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

func writeRule(b *strings.Builder, rule release.Rule, width int) {
	fmt.Fprintln(b, rule.Name)
	for _, line := range table.Wrap(rule.Meaning, width-2) {
		fmt.Fprintln(b, " ", line)
	}
	for _, v := range rule.Values {
		for i, line := range table.Wrap(fmt.Sprintf("%s (%s): %s", v.Name, havers(rule.Name, v.Name), v.Meaning), width-6) {
			indent := "    "
			if i > 0 {
				indent = "      "
			}
			fmt.Fprintln(b, indent+line)
		}
	}
	fmt.Fprintln(b)
}

// havers names the releases in which the rule has the value by default.
func havers(rule, value string) string {
	var names []string
	for _, r := range release.All() {
		rules := r.Rules()
		if rules.Value(rule) == value {
			names = append(names, r.String())
		}
	}
	switch n := len(names); {
	case n == 0:
		return "with a feature gate"
	case n > 2:
		return names[0] + " to " + names[n-1]
	}
	return strings.Join(names, ", ")
}

// rulesMarkdown is a table with a column for each release.
func rulesMarkdown() string {
	t := table.Table{Head: []string{"rule", "meaning"}}
	for _, r := range release.All() {
		t.Head = append(t.Head, r.String())
	}
	for _, rule := range release.Table() {
		t.Rows = append(t.Rows, append([]string{rule.Name, rule.Meaning}, valuesOf(rule)...))
	}
	return t.Markdown()
}

// valuesOf returns the value of a rule in every release.
func valuesOf(rule release.Rule) []string {
	var values []string
	for _, r := range release.All() {
		rules := r.Rules()
		values = append(values, rules.Value(rule.Name))
	}
	return values
}

type ruleJSON struct {
	Name     string            `json:"name"`
	Meaning  string            `json:"meaning"`
	Changes  release.Change    `json:"changes"`
	Source   string            `json:"source"`
	Values   map[string]string `json:"values"`   // what each means
	Releases map[string]string `json:"releases"` // the value by release
}

func rulesJSON() any {
	var all []ruleJSON
	for _, rule := range release.Table() {
		j := ruleJSON{rule.Name, rule.Meaning, rule.Changes, rule.Source, map[string]string{}, map[string]string{}}
		for _, v := range rule.Values {
			j.Values[v.Name] = v.Meaning
		}
		for i, value := range valuesOf(rule) {
			j.Releases[release.All()[i].String()] = value
		}
		all = append(all, j)
	}
	return all
}
