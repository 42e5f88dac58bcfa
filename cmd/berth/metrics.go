package main

import (
	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
)

func newMetricsCommand(s streams) *cobra.Command {
	view := output.View{Width: s.width}
	c := &cobra.Command{
		Use:   "metrics",
		Short: "List every metric with its unit and formula",
		Example: `  berth metrics
  berth metrics --format json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return metric.WriteList(s.out, view) },
	}
	formatFlag(c, &view.Format, output.Formats)
	return c
}
