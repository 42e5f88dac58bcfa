package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// offered are the words that a shell is offered for the last of args, without descriptions, and the directive behind them.
func offered(t *testing.T, args ...string) (words []string, directive string) {
	t.Helper()
	r := berth(t.Context(), 80, append([]string{"__complete"}, args...)...)
	if r.code != exitDone {
		t.Fatalf("%q: exit %d: %s", args, r.code, r.err)
	}
	for line := range strings.Lines(r.out) {
		line = strings.TrimSpace(line)
		if after, ok := strings.CutPrefix(line, ":"); ok {
			return words, after
		}
		word, _, _ := strings.Cut(line, "\t")
		words = append(words, word)
	}
	t.Fatalf("%q: no directive: %s", args, r.out)
	return nil, ""
}

// The directives of cobra, as it prints them.
const (
	noFiles        = "4"
	noFilesNoSpace = "6"
	theseEndings   = "8"
	directoriesToo = "16"
)

// TestCompletionOfNames: names come from the files that are on the command line already.
func TestCompletionOfNames(t *testing.T) {
	t.Chdir("../../scenarios")
	const cluster = "manifests/cluster.yaml"
	for _, test := range []struct {
		line, directive string
		words           []string
	}{
		{"run ~", theseEndings, []string{"yaml", "yml"}},
		{"run quickstart.yaml ~", noFiles, nil},
		{"run quickstart.yaml --policy ~", theseEndings, []string{"yaml", "yml", "json"}},
		{"run quickstart.yaml --policy de~", noFiles, []string{"default"}},
		{"check quickstart.yaml --gate ~", theseEndings, []string{"yaml", "yml"}},
		{"validate ~", theseEndings, []string{"yaml", "yml", "json"}},
		{"report ~", directoriesToo, nil},
		{"diff a ~", directoriesToo, nil},
		{"place -f ~", theseEndings, []string{"yaml", "yml", "json"}},
		{"plan quickstart.yaml --vary ~", noFilesNoSpace, []string{"pool.general.count="}},
		{"plan heterogeneous.yaml --vary pool.a~", noFilesNoSpace, []string{"pool.arm.count="}},
		{"plan quickstart.yaml --goal placement.pendingR~", noFilesNoSpace, []string{"placement.pendingReason"}},
		{"plan quickstart.yaml --goal placement.pending==0&&!placement.arr~", noFilesNoSpace, []string{"placement.pending==0&&!placement.arrived"}},
		{"plan quickstart.yaml --goal placement.pending{w~", noFilesNoSpace, []string{"placement.pending{workload=training}", "placement.pending{workload=web}"}},
		{"plan nowhere.yaml --vary ~", noFilesNoSpace, nil},
		{"explain -f " + cluster + " h~", noFiles, []string{"huge"}},
		{"explain -f " + cluster + " default/h~", noFiles, []string{"default/huge"}},
		{"explain -f nowhere.yaml h~", noFiles, nil},
		{"explain ~", theseEndings, []string{"yaml", "yml"}},
		{"explain critical-4 ~", theseEndings, []string{"yaml", "yml"}},
		{"explain critical-4 preemption.yaml ~", noFiles, nil},
		{"explain quickstart.yaml ~", noFilesNoSpace, []string{"training-", "web-"}},
		{"explain quickstart.yaml default/w~", noFilesNoSpace, []string{"default/web-"}},
		{"explain quickstart.yaml web-1 ~", noFiles, nil},
		{"explain nowhere.yaml ~", noFilesNoSpace, nil},
		{"explain huge -f " + cluster + " --node node-g~", noFiles, []string{"node-gpu"}},
		{"place -f " + cluster + " --skip-pods tr~", noFiles, []string{"trainer"}},
		{"place -f " + cluster + " --ignore ~", noFiles, []string{"Node", "Pod", "PriorityClass.scheduling.k8s.io"}},
		{"place " + cluster + " --ignore Pr~", noFiles, []string{"PriorityClass.scheduling.k8s.io"}},
		{"run preemption.yaml --ignore ~", noFiles, []string{"PriorityClass.scheduling.k8s.io"}},
		{"run quickstart.yaml --drop-plugin u~", noFiles, []string{"unknown"}},
		{"run quickstart.yaml --drop-plugin NodeV~", noFiles, []string{"NodeVolumeLimits"}},
	} {
		words, directive := offered(t, strings.Split(strings.TrimSuffix(test.line, "~"), " ")...)
		if !slices.Equal(words, test.words) || directive != test.directive {
			t.Errorf("%s is offered %q and :%s, want %q and :%s", test.line, words, directive, test.words, test.directive)
		}
	}
}

// TestCompletionOfPlugins: plugins that berth does not have come from the configuration, of the flag or of the scenario.
func TestCompletionOfPlugins(t *testing.T) {
	t.Chdir(t.TempDir())
	for file, text := range map[string]string{
		"now.yaml": "profiles: [{plugins: {score: {enabled: [{name: ForeignScore}]}, multiPoint: {enabled: [{name: ForeignAll}]}}}]",
		"old.yaml": "kind: Policy\npredicates: [{name: ForeignPredicate}]\npriorities: [{name: ForeignPriority, weight: 1}]",
		"s.yaml":   "kind: Scenario\npolicy: old.yaml",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string][]string{
		"place --policy now.yaml --drop-plugin Fo~":                       {"ForeignAll", "ForeignScore"},
		"run s.yaml --drop-plugin Fo~":                                    {"ForeignPredicate", "ForeignPriority"},
		"run s.yaml --policy default --drop-plugin Fo~":                   nil,
		"compare s.yaml --policy now.yaml --policy old --drop-plugin Fo~": {"ForeignAll", "ForeignScore"},
	} {
		if words, _ := offered(t, strings.Split(strings.TrimSuffix(line, "~"), " ")...); !slices.Equal(words, want) {
			t.Errorf("%s is offered %q, want %q", line, words, want)
		}
	}
}

// TestCompletionLeavesStandardInputAlone: what a completion reads, the verb would miss.
func TestCompletionLeavesStandardInputAlone(t *testing.T) {
	for _, file := range []string{"-", os.DevNull} {
		if quickToRead(file) {
			t.Errorf("%s is read", file)
		}
	}
}

// TestCompletersAreOfFlags: every entry of the tables is one of a verb or a flag that exists.
func TestCompletersAreOfFlags(t *testing.T) {
	verbs, flags := map[string]bool{}, map[string]bool{}
	root := newRoot(streams{})
	for _, c := range root.Commands() {
		verbs[c.Name()] = true
		for name := range flagCompleters {
			flags[name] = flags[name] || c.Flags().Lookup(name) != nil
		}
	}
	for name := range argumentCompleters {
		if !verbs[name] {
			t.Errorf("there is no verb %s", name)
		}
	}
	for name := range flagCompleters {
		if !flags[name] {
			t.Errorf("there is no flag --%s", name)
		}
	}
}

// TestCompletionScripts: there is a script for each shell.
func TestCompletionScripts(t *testing.T) {
	for shell, want := range map[string]string{
		"bash": "__start_berth", "zsh": "#compdef berth", "fish": "complete -c berth", "powershell": "Register-ArgumentCompleter",
	} {
		if r := berth(t.Context(), 80, "completion", shell); r.code != exitDone || !strings.Contains(r.out, want) {
			t.Errorf("%s: exit %d, no %q", shell, r.code, want)
		}
	}
}
