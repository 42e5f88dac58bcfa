package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports"
)

// choice is a flag that takes one of a few words.
type choice[T ~string] struct {
	value   *T
	allowed []T
}

// Set implements pflag.Value.
func (c choice[T]) Set(text string) error {
	if !slices.Contains(c.allowed, T(text)) {
		return fmt.Errorf("must be one of %s", c.words(", "))
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

// choiceFlag adds a flag that takes one of the words allowed, and completes them. Its
// name may have a shorthand after a comma.
func choiceFlag[T ~string](c *cobra.Command, value *T, name, usage string, allowed []T) {
	flag := choice[T]{value, allowed}
	name, short, _ := strings.Cut(name, ",")
	c.Flags().VarP(flag, name, short, usage)
	words := strings.Split(flag.words("|"), "|")
	if err := c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag was added above
	}
}

func formatFlag(c *cobra.Command, value *reports.Format, allowed []reports.Format) {
	*value = allowed[0]
	choiceFlag(c, value, "format,o", "form of the output", allowed)
}
