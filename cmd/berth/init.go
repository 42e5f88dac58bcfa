package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/scenarios/initialize"
	"github.com/berth-sim/berth/sim/files/atomicfile"
)

type initOptions struct {
	streams
	initialize.Options
}

func newInitCommand(s streams, run func(context.Context, *initOptions) error) *cobra.Command {
	o := &initOptions{streams: s}
	var list strings.Builder
	for _, t := range initialize.Templates {
		fmt.Fprintf(&list, "\n  %-10s %s", t.Name, t.About)
	}
	c := &cobra.Command{
		Use:   "init [-f FILE_OR_DIR...]",
		Short: "Write a scenario to begin with, from a template or a cluster",
		Long: `Write a commented scenario to begin with; nothing is asked. With -f it is what
kubectl prints of a cluster: nodes, the pods that run and wait, controllers,
budgets, volumes. They are written to files beside the scenario. With --scrub
they get neutral names, the same one for the same name, and all that scheduling
does not look at is dropped. Without -f, the scenario is a template:
` + list.String(),
		Example: `  berth init --out scenario.yaml
  berth init --template batch --out batch.yaml
  kubectl get nodes,pods,pdb,pv,pvc,sc -A -o yaml > dump.yaml && berth init -f dump.yaml --out cluster/scenario.yaml
  berth init -f dump.yaml --scrub --out scrubbed/scenario.yaml --names names.csv`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.complete(c, args); err != nil {
				return err
			}
			return interruptible(c, run, o)
		},
	}
	flags := c.Flags()
	filesFlags(c, &o.Files, &o.Exclude, "manifests of a cluster")
	o.Template = initialize.Templates[0].Name
	choiceFlag(c, &o.Template, "template", "what to begin with, without a cluster", initialize.TemplateNames())
	o.Out = "scenario.yaml"
	pathFlag(c, &o.Out, "out", "write the scenario to `FILE`")
	movedFlag(c, "format,o", "is the form of the output, and a scenario has but one: --out FILE says where to write it")
	ignoreFlag(c, &o.Ignore, "")
	skipPodsFlag(c, &o.SkipPods, "")
	strictFlag(c, &o.Strict)
	flags.BoolVar(&o.Scrub, "scrub", false, "neutral names in place of those of the cluster")
	pathFlag(c, &o.Names, "names", "with --scrub: write which name became which to `FILE`, as CSV")
	flags.BoolVar(&o.Force, "force", false, "write over files that exist")
	quietFlag(c, &o.streams)
	return c
}

// complete takes the arguments, and checks options against each other.
func (o *initOptions) complete(c *cobra.Command, args []string) error {
	o.Files = fromStandardInput(append(o.Files, args...))
	if err := needsFiles(c, o.Files); err != nil {
		return err
	}
	switch {
	case len(o.Files) > 0 && c.Flags().Changed("template"):
		return usageError(c, "takes either -f or --template")
	case o.Names != "" && !o.Scrub:
		return usageError(c, "--names needs --scrub")
	case len(o.Files) == 0 && o.Scrub:
		return usageError(c, "--scrub needs manifests: -f FILE_OR_DIR")
	}
	return nil
}

// wrapped joins words to lines.
func wrapped(words []string) []string { return initialize.Wrap(words, defaultWidth-10) }

func initScenario(ctx context.Context, o *initOptions) error {
	loaded := o.loading()
	done, err := initialize.Write(ctx, o.Options)
	loaded()
	if err != nil && ctx.Err() != nil {
		return errNothingWritten
	}
	var file *fs.PathError
	if errors.As(err, &file) {
		return atomicfile.PathFirst(file.Path, err)
	}
	if err != nil {
		return err
	}
	o.warn(done.Warnings)
	parts := []struct {
		head  string
		lines []string
	}{
		{"found", done.Found}, {"left out", done.LeftOut}, {"kept", wrapped(done.Kept)},
		{"written", done.Written}, {"next", []string{"berth run " + done.Written[0]}},
	}
	for _, part := range parts {
		for _, line := range part.lines {
			if _, err := fmt.Fprintf(o.out, "%-8s  %s\n", part.head, line); err != nil {
				return err
			}
			part.head = ""
		}
	}
	return nil
}
