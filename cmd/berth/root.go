package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
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

// errNothingWritten ends a verb that was interrupted before it had written anything.
var errNothingWritten = &failure{exitInterrupted, errors.New("interrupted: nothing was written")}

// execute runs berth with the arguments given and returns its exit code.
func execute(ctx context.Context, args []string, s streams) int {
	out := &errorKeeper{Writer: s.out}
	printedOut, printedErr := output.NewPrintable(out), output.NewPrintable(s.err)
	s.out, s.err = printedOut, printedErr
	code := executeCommand(ctx, newRoot(s), args, s)
	for _, p := range []*output.Printable{printedOut, printedErr} {
		if err := p.Flush(); err != nil && code == exitDone {
			code = exitInput
		}
	}
	if code == exitDone && out.err != nil { // help is written without a look at errors
		fmt.Fprintln(s.err, out.err)
		return exitInput
	}
	return code
}

// executeCommand runs a command and returns its exit code. A panic is a fault of berth.
func executeCommand(ctx context.Context, c *cobra.Command, args []string, s streams) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(s.err, "berth: a fault of berth itself, please report it: %v\n%s", r, debug.Stack())
			code = exitFault
		}
	}()
	c.SetArgs(append([]string{}, args...)) // of nil, cobra makes those of the process
	verb, err := c.ExecuteContextC(ctx)
	if err == nil {
		return exitDone
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		err = errNothingWritten // what returns the error of a context has written nothing
	}
	var f *failure
	if errors.As(err, &f) {
		fmt.Fprintln(s.err, "berth:", err)
		return f.code
	}
	var broken *experiment.InvariantError
	if errors.As(err, &broken) {
		fmt.Fprintln(s.err, "berth:", err)
		return exitFault
	}
	fmt.Fprintln(s.err, inputError(err))
	if hint := manifestHint(verb, err); hint != "" {
		fmt.Fprintln(s.err, hint)
	}
	return exitInput
}

// maxErrors is how many errors of files are shown.
const maxErrors = 100

// inputError returns the text of an error in the input. It begins with the file, where editors look for it, or with the command.
func inputError(err error) string {
	var advised *scenarios.AdvisedError
	if errors.As(err, &advised) {
		return shortened(advised.Err.Error()) + "\n" + advised.Advice
	}
	return shortened(err.Error())
}

// shortened leaves out all but the first errors of a list, one a line, and counts them.
func shortened(list string) string {
	lines := strings.Split(list, "\n")
	if len(lines) <= maxErrors {
		return list
	}
	return strings.Join(lines[:maxErrors], "\n") + "\nand " + human.Counted(len(lines)-maxErrors, "more error")
}

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "berth",
		Short: "Simulate Kubernetes scheduling on a virtual clock",
		Long: `berth replays pod arrivals against a fleet of nodes through the whole
kube-scheduler pipeline (v1.36.3) on a virtual clock: no cluster, no API server,
no waiting. It says where every pod went, when, why, and what that cost.`,
		Example: `  berth run scenarios/quickstart.yaml          run a scenario and see its figures
  berth place -f manifests/                    on which nodes pending pods would be placed
  berth explain api -f manifests/              why a pod was placed on its node, or is unschedulable
  berth validate scenarios/quickstart.yaml     check a file without running it`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          verbOnly,
		Version:       versionText(),
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	colorFlag(root, s)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(flagError)
	root.SetGlobalNormalizationFunc(outputAlias)
	root.SetVersionTemplate(ownBuild().text())
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", s.width)))
	addVerbs(root, "Runs", newRunCommand(s, runScenario), newReplayCommand(s, replayRun), newReportCommand(s, writeReport), newDiffCommand(s, diffRuns))
	addVerbs(root, "Questions", newCompareCommand(s, comparePolicies), newPlanCommand(s, planFleet), newCheckCommand(s, checkScenario), newUpgradeCommand(s, showUpgrade))
	addVerbs(root, "A cluster as it is", newPlaceCommand(s, placePods), newExplainCommand(s, explainPod), newCapacityCommand(s, findCapacity))
	addVerbs(root, "Files", newInitCommand(s, initScenario), newValidateCommand(s, validateFiles), newSchemaCommand(s), newImportCommand(s))
	addVerbs(root, "berth itself", newMetricsCommand(s), newVersionCommand(s))
	addCompletion(root)
	finishHelp(root)
	return root
}

// addVerbs adds verbs under a heading of the help.
func addVerbs(root *cobra.Command, heading string, verbs ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: heading, Title: heading + ":"})
	for _, verb := range verbs {
		verb.GroupID = heading
		root.AddCommand(verb)
	}
	root.SetHelpCommandGroupID(heading)
	root.SetCompletionCommandGroupID(heading)
}
