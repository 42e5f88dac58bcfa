package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/html"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/podtable"
	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/sim/files/atomicfile"
)

type reportOptions struct {
	streams
	runInputs
	view     output.View
	out      string
	pods     bool   // in place of a report
	png, svg string // directories; empty: none
}

// defaultReport is the path of a report without the flag --out.
const defaultReport = "report.html"

func newReportCommand(s streams, run func(context.Context, *reportOptions) error) *cobra.Command {
	o := &reportOptions{streams: s, view: output.View{Width: s.width}}
	c := &cobra.Command{
		Use:   "report RUN... | report SCENARIO...",
		Short: "Write a report of runs: one HTML file to look at and to pass on",
		Long: `Write a report of up to four runs as one HTML file that needs nothing else: the
figures, charts over time, latency, the nodes with their pods, gangs, preemptions,
and the history of the pods that waited longest or were evicted most. Of several
runs it shows the figures side by side, with their differences to those of the
first.

RUN is a directory that berth run --out has written. A scenario, or manifests
with -f, is run first, once for each --policy. With -o markdown the report is
a short text for a pull request, on standard output unless --out names a file.
With --png and --svg alone only the charts are written, as files for slides.

With --pods it is a table of the pods of one run: node, time, and the reason for
the wait, on standard output unless --out names a file. The formats table, json
and csv are for pods.`,
		Example: `  berth run scenarios/quickstart.yaml --quiet --out /tmp/run && berth report /tmp/run --out /tmp/quickstart.html
  berth report scenarios/quickstart.yaml --policy default --policy scenarios/policies/most-allocated.yaml --out /tmp/both.html
  berth report /tmp/run -o markdown
  berth report /tmp/run --pods -o csv --out /tmp/pods.csv
  berth report /tmp/run --png /tmp/slides`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.take(c, args, 1, html.MaxRuns); err != nil {
				return err
			}
			if err := o.complete(c); err != nil {
				return err
			}
			return run(c.Context(), o)
		},
	}
	o.addFlags(c)
	flags := c.Flags()
	formatFlag(c, &o.view.Format, []output.Format{output.HTML, output.Markdown, output.Table, output.JSON, output.CSV})
	pathFlag(c, &o.out, "out", "`FILE` to write, in place of "+defaultReport+" or of standard output")
	flags.BoolVar(&o.pods, "pods", false, "write the pods in place of a report")
	flags.BoolVar(&o.view.All, "all", false, "with --pods: show every pod in a table, not only the first")
	movedFlag(c, "markdown", "is now -o markdown")
	pathFlag(c, &o.png, "png", "write the charts as PNG files to `DIR`")
	pathFlag(c, &o.svg, "svg", "write the charts as SVG files to `DIR`")
	quietFlag(c, &o.streams)
	return c
}

// complete checks options against each other.
func (o *reportOptions) complete(c *cobra.Command) error {
	isReport := o.view.Format == output.HTML || o.view.Format == output.Markdown
	switch {
	case !o.pods && !isReport:
		return usageError(c, "-o %s needs --pods: a report is html or markdown", o.view.Format)
	case !o.pods && o.view.All:
		return usageError(c, "--all needs --pods")
	case !o.pods:
		return nil
	case o.png != "" || o.svg != "":
		return usageError(c, "--pods takes neither --png nor --svg")
	case !c.Flags().Changed("format"):
		o.view.Format = output.Table
	case o.view.Format == output.HTML:
		return usageError(c, "--pods takes -o table, markdown, json or csv")
	}
	return nil
}

func writeReport(ctx context.Context, o *reportOptions) error {
	if err := o.checkOutput(); err != nil {
		return err
	}
	if o.pods {
		return o.writePods(ctx)
	}
	report, err := o.read(ctx)
	if err != nil {
		return err
	}
	switch {
	case o.view.Format == output.Markdown:
		err = o.toOutput(report.WriteMarkdown)
	case o.target() != "":
		err = replaceFile(o.target(), report.Write)
	}
	if err != nil {
		return err
	}
	for _, e := range []struct{ dir, form string }{{o.png, "png"}, {o.svg, "svg"}} {
		if e.dir == "" {
			continue
		}
		if err := writeCharts(report, e.dir, e.form); err != nil {
			return err
		}
	}
	return nil
}

// toOutput writes to the file that is asked for, or to standard output.
func (o *reportOptions) toOutput(content func(io.Writer) error) error {
	if o.out == "" {
		return content(o.streams.out)
	}
	return replaceFile(o.out, content)
}

// writePods writes the pods of the run. They are computed from its records, which older runs have too.
func (o *reportOptions) writePods(ctx context.Context) error {
	made, done, err := o.make(ctx)
	defer done()
	switch {
	case err != nil:
		return err
	case len(made.list) > 1:
		return fmt.Errorf("berth report: --pods takes one run, got %d", len(made.list))
	}
	saved, err := rundir.Open(made.list[0].dir)
	if err != nil {
		return err
	}
	p := o.showProgress()
	defer p.end()
	var broken error // the run is, which the error names
	err = o.toOutput(func(w io.Writer) error {
		pods := podtable.NewPrinter(w, o.view)
		follower := podtable.New(func(r *podtable.Row) { p.pause(func() { pods.Write(r) }) })
		if broken = saved.Replay(p.reading(follower.Observe)); broken != nil {
			return broken
		}
		p.end()
		follower.Finish()
		return pods.Close()
	})
	if broken != nil {
		return broken
	}
	return err
}

// target returns the path of the page; empty if only charts are written.
func (o *reportOptions) target() string {
	if o.out == "" && o.png == "" && o.svg == "" {
		return defaultReport
	}
	return o.out
}

// checkOutput refuses to write over a file that is not a report, before any work is done.
func (o *reportOptions) checkOutput() error {
	name := o.target()
	if o.pods || o.view.Format == output.Markdown {
		name = o.out
	}
	if name == "" {
		return nil
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
			return fmt.Errorf("%s: there is no directory %s", name, filepath.Dir(name))
		}
		return nil
	case err != nil:
		return atomicfile.PathFirst(name, err)
	case info.IsDir():
		return fmt.Errorf("%s: is a directory", name)
	case !info.Mode().IsRegular():
		return nil // a pipe or a device, which is written to
	}
	file, err := os.Open(name)
	if err != nil {
		return atomicfile.PathFirst(name, err)
	}
	defer file.Close()
	const head = 512
	begin, err := io.ReadAll(io.LimitReader(file, head))
	if err != nil {
		return atomicfile.PathFirst(name, err)
	}
	if len(begin) > 0 && !bytes.Contains(begin, []byte(html.Mark)) && !bytes.Contains(begin, []byte(html.MarkdownMark)) && !podtable.IsBegin(begin) {
		return fmt.Errorf("%s: is there already and is not a report of berth", name)
	}
	return nil
}

// make makes the runs that are not saved ones. done removes them. Ctrl-C ends the making of runs, so that no temporary
// directory is left, and berth at once where all runs are saved ones.
func (o *reportOptions) make(ctx context.Context) (made *madeRuns, done func(), err error) {
	making, stop := signal.NotifyContext(ctx, interrupts()...)
	made, err = o.makeRuns(making, &o.runInputs)
	if made.temp == "" {
		stop()
	}
	return made, func() { made.remove(); stop() }, err
}

// read makes the runs that are not saved ones and reads all, showing progress.
func (o *reportOptions) read(ctx context.Context) (*html.Report, error) {
	made, done, err := o.make(ctx)
	defer done()
	if err != nil {
		return nil, err
	}
	sources := make([]html.Source, len(made.list))
	for i, r := range made.list {
		sources[i] = html.Source{Dir: r.dir, Name: r.name}
	}
	p := o.showProgress()
	defer p.end()
	return html.Read(sources, p.read)
}

// replaceFile writes a file. After an error the file is unchanged. Ctrl-C waits until the file is written, so that no
// temporary file is left.
func replaceFile(name string, content func(io.Writer) error) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), interrupts()...)
	defer stop()
	defer func() {
		if err == nil && ctx.Err() != nil {
			err = &failure{exitInterrupted, fmt.Errorf("interrupted after %s was written", name)}
		}
	}()
	if err := atomicfile.Write(name, content); err != nil {
		return atomicfile.PathFirst(name, err)
	}
	return nil
}

// writeCharts writes each chart of a report to a file of its own.
func writeCharts(report *html.Report, dir, form string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return atomicfile.PathFirst(dir, err)
	}
	for _, p := range report.Pictures() {
		write := p.Chart.WritePNG
		if form == "svg" {
			write = p.Chart.WriteSVG
		}
		if err := replaceFile(filepath.Join(dir, p.Name+"."+form), write); err != nil {
			return err
		}
	}
	return nil
}
