package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitDone        = 0
	exitGate        = 1 // a gate failed
	exitInput       = 2 // the input or the usage is wrong
	exitFault       = 3 // a fault of berth itself
	exitInterrupted = 130
)

// failure is an error with an exit code of its own.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// errInterrupted ends a verb that was interrupted after it has written what it knows.
var errInterrupted = &failure{exitInterrupted, errors.New("interrupted: what is shown is partial")}

// execute runs berth with the arguments given and returns its exit code.
func execute(ctx context.Context, args []string, s streams) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(s.err, "berth: a fault of berth itself, please report it: %v\n%s", r, debug.Stack())
			code = exitFault
		}
	}()
	root := newRoot(s)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	fmt.Fprintln(s.err, "berth:", err)
	var f *failure
	if errors.As(err, &f) {
		return f.code
	}
	return exitInput
}

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "berth",
		Short: "Simulate Kubernetes scheduling on a virtual clock",
		Long: `berth replays pod arrivals against a fleet of nodes through the whole kube-scheduler
pipeline (v1.36.3) on a virtual clock: no cluster, no API server, no waiting. It says
where every pod went, when, why, and what that cost.`,
		Example: `  berth run scenarios/quickstart.yaml          run a scenario and see its figures
  berth place -f manifests/                    which pending pod would go where, right now
  berth validate scenarios/quickstart.yaml     check a file without running it`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w\nsee: %s --help", err, c.CommandPath())
	})
	root.AddCommand(
		newRunCommand(s, runScenario),
		newPlaceCommand(s, placePods),
		newValidateCommand(s, validateFiles),
		newImportCommand(s),
		newMetricsCommand(s),
		newVersionCommand(s),
	)
	return root
}
