package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/berth-sim/berth/sim/files/document"
)

// misuse is a command line that makes no sense.
type misuse struct {
	command string
	err     error
}

// Error says what is wrong, and where to read how to do it.
func (m *misuse) Error() string { return fmt.Sprintf("%s: %v\nsee: %[1]s --help", m.command, m.err) }

func (m *misuse) Unwrap() error { return m.err }

func usageError(c *cobra.Command, format string, args ...any) error {
	return &misuse{c.CommandPath(), fmt.Errorf(format, args...)}
}

// flagError words what is wrong with a flag, and which one may have been meant.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		name := "--" + unknown.GetSpecifiedName()
		return usageError(c, "there is no flag %s%s", name, document.Meant(name, names))
	case errors.As(err, &invalid):
		return usageError(c, "--%s: %q %w", invalid.GetFlag().Name, invalid.GetValue(), invalid.Unwrap())
	}
	return usageError(c, "%w", err)
}

// noArguments allows none.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError(c, "takes no arguments, got %q", args)
	}
	return nil
}

// oneArgument asks for one, which stands for what.
func oneArgument(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return usageError(c, "needs a %s", what)
		case 1:
			return nil
		}
		return usageError(c, "takes one %s, got %d: %q", what, len(args), args)
	}
}

// aVerb allows nothing but the names of the command's verbs, which cobra has taken away
// by then.
func aVerb(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, verb := range c.Commands() {
		names = append(names, verb.Name())
	}
	if ext := filepath.Ext(args[0]); !c.HasParent() && (ext == ".yaml" || ext == ".yml") {
		return usageError(c, "there is no command %q; did you mean \"berth run %[1]s\"?", args[0])
	}
	return usageError(c, "there is no command %q%s", args[0], document.Meant(args[0], names))
}

// require refuses to run the command without the flags.
func require(c *cobra.Command, names ...string) {
	for _, name := range names {
		if err := c.MarkFlagRequired(name); err != nil {
			panic(err) // the flag was added by the caller
		}
	}
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		var missing []string
		for _, name := range names {
			if c.Flags().Lookup(name).Value.String() == "" {
				missing = append(missing, "--"+name)
			}
		}
		if len(missing) > 0 {
			return usageError(c, "needs %s", strings.Join(missing, " and "))
		}
		return nil
	}
}

// finishHelp makes cobra's own commands behave as ours do.
func finishHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Example = "  berth help run"
			c.Args = func(_ *cobra.Command, args []string) error {
				found, rest, err := root.Find(args)
				if err != nil || len(rest) == 0 {
					return err
				}
				return aVerb(found, rest)
			}
		case "completion":
			c.Example = "  berth completion bash"
			c.Args = aVerb
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
			for _, shell := range c.Commands() {
				shell.Args = noArguments
				shell.Example = "  berth completion " + shell.Name()
			}
		}
	}
}
