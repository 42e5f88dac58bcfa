package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/model/release"
)

// releaseFlags adds the flags that choose the rules of a Kubernetes release. instead is added to their usage.
func releaseFlags(c *cobra.Command, r *recipe.Recipe, instead string) {
	all := release.All()
	c.Flags().StringVar(&r.Kubernetes, "kubernetes", "",
		fmt.Sprintf("decide as this `RELEASE`, %s to %s (default: the newest)%s", all[0], all[len(all)-1], instead))
	c.Flags().Var(gates{&r.FeatureGates}, "feature-gates", "feature gates that are not at the defaults of the release"+instead)
	c.Flags().Var(rules{&r.Rules}, "rule", "one rule by `NAME=VALUE`, over the release; \"berth version --rules\" lists them"+instead+" (repeatable)")
	complete := func(flag string, words []string, directive cobra.ShellCompDirective) {
		if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, directive)); err != nil {
			panic(err) // the flag was added above
		}
	}
	complete("kubernetes", releaseWords(), cobra.ShellCompDirectiveNoFileComp)
	complete("feature-gates", equal(release.GateNames()), cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
	complete("rule", ruleWords(), cobra.ShellCompDirectiveNoFileComp)
}

// releaseWords returns the names of the releases that are followed.
func releaseWords() []string {
	var words []string
	for _, r := range release.All() {
		words = append(words, r.String())
	}
	return words
}

// ruleWords returns every rule with each of its values.
func ruleWords() []string {
	var words []string
	for _, rule := range release.Table() {
		for _, v := range rule.Values {
			words = append(words, rule.Name+"="+v.Name)
		}
	}
	return words
}

// equal returns the words, each with an equals sign behind it.
func equal(words []string) []string {
	for i := range words {
		words[i] += "="
	}
	return words
}

// gates is the value of the flag for feature gates, as kube-scheduler has it: Name=true,Other=false.
type gates struct{ value *map[string]bool }

// Set implements pflag.Value.
func (g gates) Set(text string) error {
	for pair := range strings.SplitSeq(text, ",") {
		name, setting, _ := strings.Cut(pair, "=")
		on, err := strconv.ParseBool(strings.TrimSpace(setting))
		if err != nil {
			return fmt.Errorf("%q is not NAME=true or NAME=false", pair)
		}
		put(g.value, strings.TrimSpace(name), on)
	}
	return nil
}

// String implements pflag.Value.
func (g gates) String() string {
	if g.value == nil {
		return ""
	}
	return release.Settings{FeatureGates: *g.value}.Gates()
}

// Type implements pflag.Value.
func (gates) Type() string { return "NAME=BOOL,..." }

// rules is the value of the flag for single rules.
type rules struct{ value *map[string]string }

// Set implements pflag.Value.
func (r rules) Set(text string) error {
	for pair := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=VALUE", pair)
		}
		put(r.value, name, value)
	}
	return nil
}

// String implements pflag.Value.
func (r rules) String() string {
	if r.value == nil {
		return ""
	}
	return release.Settings{Rules: *r.value}.SingleRules()
}

// Type implements pflag.Value.
func (rules) Type() string { return "NAME=VALUE" }

// put sets a key of a map that need not exist yet.
func put[V any](m *map[string]V, key string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = value
}
