package release

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The table describes every field of Rules once, in their order; every value is that of a release or of a switched gate,
// and every rule differs somewhere: else nobody needs it.
func TestTableOfRules(t *testing.T) {
	if faults := faultsOf(table, variants()); len(faults) > 0 {
		t.Error(strings.Join(faults, "\n"))
	}
}

func TestTableOfRulesNoticesFaults(t *testing.T) {
	without := slices.Clone(table[1:])
	twice := append(slices.Clone(table), table[0])
	unused := slices.Clone(table)
	unused[0].Values = append(slices.Clone(unused[0].Values), Value{"dice", "by dice"})
	for name, planted := range map[string]struct {
		table []Rule
		rules []Rules
		want  string
	}{
		"a field without a row":   {without, variants(), "Ties has no row"},
		"a row twice":             {twice, variants(), "ties has no field"},
		"a value that none has":   {unused, variants(), `ties: no release has "dice"`},
		"a rule that never parts": {table, []Rules{rules1_37()}, "ties: no release has"},
		"a value without a name":  {table, append(variants(), Rules{}), `ties has no value ""`},
	} {
		if got := strings.Join(faultsOf(planted.table, planted.rules), "\n"); !strings.Contains(got, planted.want) {
			t.Errorf("%s: %q does not say %q", name, got, planted.want)
		}
	}
}

// variants are the rules of all releases, and those with each gate that can be switched.
func variants() []Rules {
	var all []Rules
	for _, r := range releases {
		all = append(all, r.Rules())
		for gate := range switches {
			g, exists := r.Gate(gate)
			if !exists || g.Locked {
				continue
			}
			rules := r.Rules()
			switches[gate](&rules, r, !g.Default)
			all = append(all, rules)
		}
	}
	return all
}

func faultsOf(table []Rule, all []Rules) []string {
	var faults []string
	fields := reflect.VisibleFields(reflect.TypeFor[Rules]())
	for i, f := range fields {
		if i >= len(table) || fieldName(table[i].Name) != f.Name {
			faults = append(faults, f.Name+" has no row of its place")
		}
	}
	for i, row := range table {
		if i >= len(fields) {
			faults = append(faults, row.Name+" has no field of its place")
		}
		seen := map[string]bool{}
		for _, r := range all {
			value := r.Value(row.Name)
			seen[value] = true
			if !slices.ContainsFunc(row.Values, func(v Value) bool { return v.Name == value }) {
				faults = append(faults, fmt.Sprintf("%s has no value %q", row.Name, value))
			}
		}
		for _, v := range row.Values {
			if !seen[v.Name] {
				faults = append(faults, fmt.Sprintf("%s: no release has %q", row.Name, v.Name))
			}
		}
	}
	return faults
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"1.33": "v1.33.13", "v1.37": "v1.37.2", "1.35.1": "v1.35.4",
		"1.32":                   "release 1.32 of Kubernetes is not followed; give one of 1.33, 1.34, 1.35, 1.36, 1.37",
		"1.38":                   "release 1.38 of Kubernetes is not followed; give one of 1.33, 1.34, 1.35, 1.36, 1.37",
		"":                       `"" is not a Kubernetes release; give one of 1.33, 1.34, 1.35, 1.36, 1.37`,
		"1":                      `"1" is not a Kubernetes release; give one of 1.33, 1.34, 1.35, 1.36, 1.37`,
		"1.99999999999999999999": "release 1.99999999999999999999 of Kubernetes is not followed; give one of 1.33, 1.34, 1.35, 1.36, 1.37",
	} {
		r, err := Parse(text)
		got := r.Version
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("Parse(%q): %s, want %s", text, got, want)
		}
	}
}

func TestOfKubelet(t *testing.T) {
	for text, want := range map[string]int{"v1.35.2": 35, "v1.33.5-gke.1080000": 33, "v1.31.0-eks-abc": 31, "1.35.2": 0, "": 0, "fake": 0} {
		if got, ok := OfKubelet(text); got != want || ok != (want != 0) {
			t.Errorf("OfKubelet(%q): %d, %t", text, got, ok)
		}
	}
	for minor, want := range map[int]string{12: "1.33", 34: "1.34", 99: "1.37"} {
		if got := Nearest(minor).String(); got != want {
			t.Errorf("Nearest(%d): %s, want %s", minor, got, want)
		}
	}
}

func TestResolve(t *testing.T) {
	for _, c := range []struct {
		settings Settings
		want     string // differences from the release, or the error
	}{
		{Settings{}, "1.37: []"},
		{Settings{Kubernetes: "1.36", FeatureGates: map[string]bool{"StorageCapacityScoring": true}}, "1.36: [storageScore]"},
		{Settings{Kubernetes: "1.37", FeatureGates: map[string]bool{"StorageCapacityScoring": true}}, "1.37: []"},
		{Settings{Kubernetes: "1.37", FeatureGates: map[string]bool{"PodLevelResourcesFixDefaulting": false}}, "1.37: [podLevelDefaults]"},
		{Settings{Kubernetes: "1.33", FeatureGates: map[string]bool{"PodLevelResources": true}}, "1.33: [podLevelRequests podLevelDefaults]"},
		{Settings{Kubernetes: "1.35", Rules: map[string]string{"balance": "improvement"}}, "1.35: [balance]"},
		{Settings{Rules: map[string]string{"balance": "best"}}, `rule balance is one of state, improvement, not "best"`},
		{Settings{Rules: map[string]string{"balanced": "state"}}, `there is no rule "balanced"; "berth version --rules" lists all`},
		{Settings{Rules: map[string]string{"": "state"}}, `there is no rule ""; "berth version --rules" lists all`},
		{Settings{Kubernetes: "1.33", FeatureGates: map[string]bool{"StorageCapacityScore": true}}, "there is no feature gate StorageCapacityScore; did you mean \"StorageCapacityScoring\"?"},
		{Settings{FeatureGates: map[string]bool{"storageCapacityScoring": false}},
			"there is no feature gate storageCapacityScoring; did you mean \"StorageCapacityScoring\"?"},
		{Settings{Kubernetes: "1.34", FeatureGates: map[string]bool{"VolumeLimitScaling": true}},
			"feature gate VolumeLimitScaling is not in Kubernetes 1.34, but in 1.35, 1.36, 1.37"},
		{Settings{FeatureGates: map[string]bool{"NodeDeclaredFeatures": false}}, "feature gate NodeDeclaredFeatures is locked to true in Kubernetes 1.37"},
		{Settings{FeatureGates: map[string]bool{"GenericWorkload": true}}, "feature gate GenericWorkload=true changes what kube-scheduler " +
			"decides, and that is not modeled; only its default in Kubernetes 1.37, false, is"},
	} {
		r, rules, err := c.settings.Resolve()
		var got string
		if err != nil {
			got = err.Error()
		} else {
			base := r.Rules()
			got = fmt.Sprintf("%s: %v", r, Differences(&base, rules))
		}
		if got != c.want {
			t.Errorf("%+v:\n %s\nwant\n %s", c.settings, got, c.want)
		}
	}
}

func TestWithoutEffect(t *testing.T) {
	s := Settings{FeatureGates: map[string]bool{"NodeSwap": true, "APIResponseCompression": false, "StorageCapacityScoring": false, "CPUManagerPolicyBetaOptions": true}}
	if got := fmt.Sprint(s.WithoutEffect(Newest())); got != "[APIResponseCompression=false]" {
		t.Error(got)
	}
}

// Every rule is asked for by code outside of this package: a rule that nothing asks would be a promise that is not kept.
func TestEveryRuleIsAsked(t *testing.T) {
	fields := []string{"NobodyAsksThis"}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Rules]()) {
		fields = append(fields, f.Name)
	}
	asked := map[string]bool{}
	for _, dir := range []string{"../../../scheduler", "../../../sim", "../../../scenarios", "../../../workloads"} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/release/") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, f := range fields {
				asked[f] = asked[f] || regexp.MustCompile(`[rR]ules(\(\))?\.`+f+`\b`).Match(text)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range fields {
		if asked[f] == (f == fields[0]) {
			t.Errorf("rule %s: asked is %t", f, asked[f])
		}
	}
}
