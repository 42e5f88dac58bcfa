package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/gate"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/plan"
	"github.com/berth-sim/berth/sim/model/recipe"
)

type validateOptions struct {
	streams
	paths  []string
	recipe recipe.Recipe // the release and what is left out
}

func newValidateCommand(s streams, validate func(*validateOptions) error) *cobra.Command {
	o := &validateOptions{streams: s}
	c := &cobra.Command{
		Use:   "validate FILE...",
		Short: "Check scenarios, scheduler configurations, gates, goals and price lists",
		Long: `Check scenarios, scheduler configurations, rules of gates, goals of plans or
price lists, and everything they refer to, without running them. All faults
of a file are listed at once, each with file, line, column and path.`,
		Example: `  berth validate scenarios/quickstart.yaml
  berth validate scenarios/policies/most-allocated.yaml`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError(c, "needs a FILE")
			}
			o.paths = args
			return validate(o)
		},
	}
	releaseFlags(c, &o.recipe, ", in place of the scenario's")
	dropFlag(c, &o.recipe.DropPlugins, ", in place of the scenario's")
	return c
}

func validateFile(path string, settings recipe.Recipe) (scenarios.Report, error) {
	if gate.IsRules(path) {
		rules, err := gate.ReadRules(path)
		return scenarios.Report{What: "gate: " + rules.String()}, err
	}
	if plan.IsFile(path) {
		file, err := plan.ReadFile(path)
		if err != nil {
			return scenarios.Report{}, err
		}
		return scenarios.Report{What: "plan: " + file.String()}, nil
	}
	if plan.IsPrices(path) {
		n, err := plan.CheckPrices(path)
		return scenarios.Report{What: "price list: " + human.Counted(n, "price")}, err
	}
	return scenarios.Validate(path, settings)
}

func validateFiles(o *validateOptions) error {
	var faults []error
	for _, path := range o.paths {
		report, err := validateFile(path, o.recipe)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		if _, err := fmt.Fprintf(o.out, "%s: ok: %s\n", path, report.What); err != nil {
			return err
		}
		for _, line := range report.Details {
			if _, err := fmt.Fprintln(o.out, " ", line); err != nil {
				return err
			}
		}
		o.note(report.Skipped)
		o.warn(report.Warnings)
	}
	return errors.Join(faults...)
}
