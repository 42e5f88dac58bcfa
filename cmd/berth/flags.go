package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// choice is the value of a flag that takes one of a few words.
type choice[T ~string] struct {
	value   *T
	allowed []T
}

// Set implements pflag.Value.
func (c choice[T]) Set(text string) error {
	if !slices.Contains(c.allowed, T(text)) {
		return fmt.Errorf("must be one of %s%s", c.words(", "), document.Meant(text, strings.Split(c.words(" "), " ")))
	}
	*c.value = T(text)
	return nil
}

// String implements pflag.Value.
func (c choice[T]) String() string { return string(*c.value) }

// Type implements pflag.Value.
func (c choice[T]) Type() string { return c.words("|") }

func (c choice[T]) words(separator string) string {
	words := make([]string, len(c.allowed))
	for i, w := range c.allowed {
		words[i] = string(w)
	}
	return strings.Join(words, separator)
}

// choiceFlag adds a flag that takes one of the allowed words, with completion. name may have a shorthand after a comma.
func choiceFlag[T ~string](c *cobra.Command, value *T, name, usage string, allowed []T) {
	flag := choice[T]{value, allowed}
	name, short, _ := strings.Cut(name, ",")
	c.Flags().VarP(flag, name, short, usage)
	words := strings.Split(flag.words("|"), "|")
	if err := c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag was added above
	}
}

// limits are the smallest and the largest number that a flag allows.
type limits struct{ least, most uint64 }

// wholeNumber is the value of a flag that takes a whole number.
type wholeNumber[T ~int | ~uint64] struct {
	value *T
	limits
}

// Set implements pflag.Value.
func (n wholeNumber[T]) Set(text string) error {
	x, err := strconv.ParseUint(text, 10, 64)
	switch {
	case (err != nil || x < n.least || x > n.most) && n.most >= math.MaxInt32:
		return fmt.Errorf("must be a whole number from %d up", n.least)
	case err != nil || x < n.least || x > n.most:
		return fmt.Errorf("must be a whole number from %d to %d", n.least, n.most)
	}
	*n.value = T(x)
	return nil
}

// String implements pflag.Value.
func (n wholeNumber[T]) String() string {
	if n.value == nil {
		return "0"
	}
	return strconv.FormatUint(uint64(*n.value), 10)
}

// Type implements pflag.Value.
func (wholeNumber[T]) Type() string { return "N" }

// numberFlag adds a flag that takes a whole number within limits.
func numberFlag[T ~int | ~uint64](c *cobra.Command, value *T, name string, within limits, usage string) {
	c.Flags().Var(wholeNumber[T]{value, within}, name, usage)
}

// path is the value of a flag that takes the path of a file or directory. The flag may be left out, but must not be
// empty: an unset variable of a script must not mean the default.
type path struct{ value *string }

// Set implements pflag.Value.
func (p path) Set(text string) error {
	if text == "" {
		return errors.New("must not be empty: leave the flag out for the default")
	}
	*p.value = text
	return nil
}

// String implements pflag.Value.
func (p path) String() string {
	if p.value == nil {
		return ""
	}
	return *p.value
}

// Type implements pflag.Value.
func (path) Type() string { return "string" }

// pathFlag adds a flag that takes a path.
func pathFlag(c *cobra.Command, value *string, name, usage string) {
	c.Flags().Var(path{value}, name, usage)
}

// horizon is the value of the flag for the end of runs. It is nil without the flag.
type horizon struct{ value **recipe.Horizon }

// Set implements pflag.Value.
func (h horizon) Set(text string) error {
	*h.value = new(recipe.Horizon)
	return (*h.value).UnmarshalText([]byte(text))
}

// String implements pflag.Value.
func (h horizon) String() string {
	if h.value == nil || *h.value == nil {
		return ""
	}
	return (*h.value).String()
}

// Type implements pflag.Value.
func (horizon) Type() string { return "DURATION" }

// seed is the value of the flag for the seed. It is nil without the flag.
type seed struct{ value **uint64 }

// Set implements pflag.Value.
func (s seed) Set(text string) error {
	n := new(uint64)
	*s.value = n
	return wholeNumber[uint64]{n, limits{0, math.MaxUint64}}.Set(text)
}

// String implements pflag.Value.
func (s seed) String() string {
	if s.value == nil || *s.value == nil {
		return ""
	}
	return strconv.FormatUint(**s.value, 10)
}

// Type implements pflag.Value.
func (seed) Type() string { return "N" }

// seedFlag adds the flag for the seed.
func seedFlag(c *cobra.Command, value **uint64, usage string) {
	c.Flags().Var(seed{value}, "seed", usage)
}

// horizonFlag adds the flag for the end of runs.
func horizonFlag(c *cobra.Command, value **recipe.Horizon) {
	c.Flags().Var(horizon{value}, "horizon", "end after this `DURATION`, or when \"untilDone\", in place of the scenario's")
}

// admissionFlag adds the flag for admission plugins, with completion. instead is added to its usage.
func admissionFlag(c *cobra.Command, value *[]string, instead string) {
	c.Flags().StringSliceVar(value, "admission", nil,
		"admission `PLUGIN` of the API server to enable, or -PLUGIN to ignore its objects"+instead+" (repeatable)")
	names := cobra.FixedCompletions(scenarios.AdmissionNames(), cobra.ShellCompDirectiveNoFileComp)
	if err := c.RegisterFlagCompletionFunc("admission", names); err != nil {
		panic(err) // the flag was added above
	}
}

// ignoreFlag adds the flag for kinds of objects that are left out.
func ignoreFlag(c *cobra.Command, value *[]string, instead string) {
	c.Flags().StringSliceVar(value, "ignore", nil, "leave out objects of `KIND`, KIND.GROUP or *.GROUP"+instead+" (repeatable)")
}

// skipPodsFlag adds the flag for pods that are left out.
func skipPodsFlag(c *cobra.Command, value *[]string, instead string) {
	c.Flags().StringArrayVar(value, "skip-pods", nil,
		"leave out pods without a node, and controllers, by `NAME`, NAMESPACE/NAME or label selector"+instead+" (repeatable)")
}

// strictFlag adds the flag that refuses what would be left out with a warning.
func strictFlag(c *cobra.Command, value *bool) {
	c.Flags().BoolVar(value, "strict", false, "refuse pods on nodes that do not exist, which are left out otherwise")
}

// dropFlag adds the flag for plugins that the profiles go without.
func dropFlag(c *cobra.Command, value *[]string, instead string) {
	c.Flags().StringSliceVar(value, "drop-plugin", nil, "disable plugin `NAME`, or \"unknown\" for all plugins that berth does not support"+instead+" (repeatable)")
}

// recipeFlags adds the flags for settings of the recipe that have the same text for all verbs.
func recipeFlags(c *cobra.Command, r *recipe.Recipe) {
	horizonFlag(c, &r.Horizon)
	releaseFlags(c, r, ", in place of the scenario's")
	admissionFlag(c, &r.Admission, ", in place of the scenario's")
	ignoreFlag(c, &r.Ignore, ", in place of the scenario's")
	skipPodsFlag(c, &r.SkipPods, ", in place of the scenario's")
	dropFlag(c, &r.DropPlugins, ", in place of the scenario's")
	choiceFlag(c, (*scheduler.TieBreak)(&r.TieBreak), "tie", "how to choose among the best nodes, in place of the scenario's", tieBreaks)
	c.Flags().BoolVar(&r.Inflate, "inflate", false, "measure stranding by inflation too, which takes time")
}

// When tables have colors.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// colorFlag adds the flag for colors, to all verbs.
func colorFlag(root *cobra.Command, s streams) {
	when := colorAuto
	words := []string{colorAuto, colorAlways, colorNever}
	flag := choice[string]{&when, words}
	root.PersistentFlags().Var(flag, "color", "colors in tables; auto: on a terminal, unless NO_COLOR is set")
	if err := root.RegisterFlagCompletionFunc("color", cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag was added above
	}
	root.PersistentPreRun = func(*cobra.Command, []string) {
		if out, ok := s.out.(*output.Printable); ok {
			out.Colored = when == colorAlways || when == colorAuto && s.isColored
		}
	}
}

// quietFlag adds the flag for no progress and no warnings.
func quietFlag(c *cobra.Command, s *streams) {
	c.Flags().BoolVarP(&s.quiet, "quiet", "q", false, "show no progress and no warnings")
}

// moved is the value of a flag that has another name now. Text says which.
type moved struct{ text string }

// Set implements pflag.Value.
func (m moved) Set(string) error { return movedError(m) }

// String implements pflag.Value.
func (moved) String() string { return "" }

// Type implements pflag.Value.
func (moved) Type() string { return "" }

// movedError is the error of a flag that has another name now.
type movedError moved

// Error returns what follows the flag.
func (e movedError) Error() string { return e.text }

// movedFlag adds a flag to no help that only says what it is now. name may have a shorthand after a comma.
func movedFlag(c *cobra.Command, name, text string) {
	name, short, _ := strings.Cut(name, ",")
	flag := c.Flags().VarPF(moved{text}, name, short, text)
	flag.NoOptDefVal, flag.Hidden = "true", true
}

// outputAlias gives the flag --format the name that it has in kubectl, too.
func outputAlias(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "output" {
		name = "format"
	}
	return pflag.NormalizedName(name)
}

// formatFlag adds the flag for the form of the output. Where to write it is said by --out.
func formatFlag(c *cobra.Command, value *output.Format, allowed []output.Format) {
	*value = allowed[0]
	choiceFlag(c, value, "format,o", "form of the output", allowed)
}
