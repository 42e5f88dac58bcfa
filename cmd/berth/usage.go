package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/files/document"
)

// usageMistake is the error of an invalid command line.
type usageMistake struct {
	command string
	err     error
}

// Error says what is wrong, and which help to read.
func (m *usageMistake) Error() string {
	return fmt.Sprintf("%s: %v\nsee: %[1]s --help", m.command, m.err)
}

func (m *usageMistake) Unwrap() error { return m.err }

func usageError(c *cobra.Command, format string, args ...any) error {
	return &usageMistake{c.CommandPath(), fmt.Errorf(format, args...)}
}

// flagError returns the error of a flag. For an unknown flag it suggests a similar one.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var gone movedError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		name := "--" + unknown.GetSpecifiedName()
		return usageError(c, "unknown flag %s%s", name, document.Meant(name, names))
	case errors.As(err, &invalid) && errors.As(invalid.Unwrap(), &gone):
		return usageError(c, "%s %w", flagName(invalid.GetFlag()), gone)
	case errors.As(err, &invalid) && invalid.GetFlag().Name == "format" && c.Flags().Lookup("out") != nil:
		return usageError(c, "-o: %q %w; --out says where to write", invalid.GetValue(), invalid.Unwrap())
	case errors.As(err, &invalid):
		return usageError(c, "--%s: %q %w", invalid.GetFlag().Name, invalid.GetValue(), invalid.Unwrap())
	}
	return usageError(c, "%w", err)
}

// flagName returns the shorthand of a flag, or its name if it has none.
func flagName(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

// manifestHint returns how a verb takes manifests that it was given in place of a scenario; "" after another error.
func manifestHint(verb *cobra.Command, err error) string {
	var given *scenarios.ManifestError
	switch {
	case !errors.As(err, &given):
		return ""
	case verb.Flags().Lookup("filename") != nil:
		return "pass manifests with -f: write -f " + given.File
	case verb.Name() == "validate":
		return "to check manifests, place their pods: berth place -f " + given.File
	}
	return "make a scenario of manifests first: berth init -f " + given.File
}

// noArguments returns an error if there are arguments.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError(c, "takes no arguments, got %q", args)
	}
	return nil
}

// oneArgument requires exactly one argument. what is its name in messages.
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

// verbOnly returns an error if there are arguments. cobra has removed the name of a known verb by then, so the first
// argument is an unknown verb.
func verbOnly(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, verb := range c.Commands() {
		names = append(names, verb.Name())
	}
	if ext := filepath.Ext(args[0]); !c.HasParent() && (ext == ".yaml" || ext == ".yml") {
		return usageError(c, "unknown command %q; did you mean \"berth run %[1]s\"?", args[0])
	}
	return usageError(c, "unknown command %q%s", args[0], document.Meant(args[0], names))
}

// requireFlags makes flags of the command mandatory.
func requireFlags(c *cobra.Command, names ...string) {
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

// finishHelp gives cobra's commands help and completion the same checks of arguments as berth's commands.
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
				return verbOnly(found, rest)
			}
		case "completion":
			c.Example = "  berth completion bash"
			c.Args = verbOnly
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
			for _, shell := range c.Commands() {
				shell.Args = noArguments
				shell.Example = "  berth completion " + shell.Name()
			}
		}
	}
}
