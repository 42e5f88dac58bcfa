package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/scenarios"
)

// completer returns what a shell offers for a word that is being typed. args are the arguments before it. The flags before
// it have been parsed.
type completer = cobra.CompletionFunc

// argumentCompleters complete the arguments of verbs, by verb.
var argumentCompleters = map[string]completer{
	"run": firstOnly(yamlFiles), "compare": firstOnly(yamlFiles), "check": firstOnly(yamlFiles), "plan": firstOnly(yamlFiles),
	"validate": manifestFiles, "place": manifestFiles, "capacity": manifestFiles, "init": manifestFiles,
	"report": directories, "diff": directories, "replay": firstOnly(directories),
	"explain": podAndScenario,
}

// flagCompleters complete the values of flags, by flag, for all verbs that have it.
var flagCompleters = map[string]completer{
	"policy": policies, "filename": manifestFiles, "template": manifestFiles, "goals": yamlFiles, "gate": yamlFiles, "prices": yamlFiles,
	"goal": goals, "vary": poolRanges, "node": nodeNames, "skip-pods": podNames, "ignore": objectKinds, "drop-plugin": pluginNames,
	"png": directories, "svg": directories,
}

// addCompletion completes the arguments and flags of a verb and of those below it. Flags that take one of a few words
// are completed already.
func addCompletion(c *cobra.Command) {
	if complete, ok := argumentCompleters[c.Name()]; ok && c.ValidArgsFunction == nil {
		c.ValidArgsFunction = complete
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		complete, ok := flagCompleters[f.Name]
		if _, has := c.GetFlagCompletionFunc(f.Name); !ok || has {
			return
		}
		if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
			panic(err) // the flag is one of the verb's
		}
	})
	for _, verb := range c.Commands() {
		addCompletion(verb)
	}
}

// firstOnly completes the first argument and no other.
func firstOnly(complete completer) completer {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(c, args, typed)
	}
}

func yamlFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

func manifestFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
}

func directories(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// policies completes the word for kube-scheduler's own policy, and files.
func policies(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if typed != "" && strings.HasPrefix(scenarios.DefaultPolicy, typed) {
		return []string{scenarios.DefaultPolicy}, cobra.ShellCompDirectiveNoFileComp
	}
	return manifestFiles(c, args, typed)
}

// podAndScenario completes the arguments of explain. Without manifests the first one may be the scenario, whose pods are then
// known.
func podAndScenario(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	switch {
	case len(args) == 1 && isYAML(args[0]):
		return scenarioPods(args[0], typed)
	case len(args) > 0:
		return firstOnly(yamlFiles)(c, args[1:], typed)
	case c.Flags().Changed("filename"):
		return podNames(c, args, typed)
	}
	return yamlFiles(c, args, typed)
}

// poolRanges completes the pools of the scenario on the command line, up to the sizes that are tried.
func poolRanges(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, pool := range scenarioNames(args, "fleet", "pool") {
		out = append(out, "pool."+pool+".count=")
	}
	return matching(out, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// partOpens begins the part of the run in the name of a value, such as {workload=web}.
const partOpens = "{"

// goals completes the name of a metric at the end of a condition, and the workload or pool that it is of.
func goals(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	at := strings.LastIndexAny(typed, " &|!()<>+-*/,") + 1
	before, word := typed[:at], typed[at:]
	var words []string
	if name, _, inPart := strings.Cut(word, partOpens); inPart {
		for kind, of := range map[string][2]string{"workload": {"workloads", "name"}, "pool": {"fleet", "pool"}} {
			for _, value := range scenarioNames(args, of[0], of[1]) {
				words = append(words, name+metric.Part{Scope: partScopes[kind], Name: value}.String())
			}
		}
	} else {
		for _, m := range metric.All {
			words = append(words, m.Name)
		}
	}
	words = matching(words, word)
	for i := range words {
		words[i] = before + words[i]
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// partScopes are the scopes of the parts that are completed.
var partScopes = map[string]metric.Scopes{"workload": metric.ScopeWorkload, "pool": metric.ScopePool}

// scenarioNames returns a field of the entries of a list in the scenario that is the first argument.
func scenarioNames(args []string, list, field string) (names []string) {
	if len(args) == 0 {
		return nil
	}
	for _, entry := range readRoot(args[0]).Get(list).Items() {
		if name := entry.Get(field).Text(); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// quickToRead reports whether files are small enough to be read while a user waits for a completion. A directory or a file
// that does not exist is.
func quickToRead(files ...string) bool {
	const limit = 32 << 20
	total := int64(0)
	for _, file := range files {
		info, err := os.Stat(file)
		switch {
		case file == "-" || err == nil && !info.IsDir() && !info.Mode().IsRegular():
			return false // what is read here is missing when the verb runs
		case err == nil:
			total += info.Size()
		}
	}
	return total <= limit
}

// matching returns the words that begin with what was typed, sorted and without repeats.
func matching(words []string, typed string) (out []string) {
	for _, word := range words {
		if strings.HasPrefix(word, typed) {
			out = append(out, word)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
