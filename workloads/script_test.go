package workloads

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/workloads/arrival"
)

// TestScripts runs testdata/*.txt. Each command makes arrivals of its input and lists
// them; run with -rewrite to renew what is expected.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		if filepath.Ext(path) != ".txt" {
			t.Skip()
		}
		datadriven.RunTest(t, path, runScript)
	})
}

// inTempDir matches the path of a file that a script was written to.
var inTempDir = regexp.MustCompile(`/[^ ]*/(openb|swf|philly|openb-nodes)\b`)

func runScript(t *testing.T, d *datadriven.TestData) string {
	s := &script{v: cluster.NewVocabulary(), out: &strings.Builder{}}
	s.loader = manifest.New(s.v)
	var err error
	switch d.Cmd {
	case "manifests":
		err = s.manifests(t, d)
	case "openb", "swf", "philly":
		err = s.trace(t, d)
	case "openb-nodes":
		err = s.nodes(t, d)
	default:
		t.Fatalf("%s: unknown command %q", d.Pos, d.Cmd)
	}
	if err != nil {
		fmt.Fprintf(s.out, "error: %v\n", err)
	}
	return inTempDir.ReplaceAllString(s.out.String(), "$1")
}

type script struct {
	v      *cluster.Vocabulary
	loader *manifest.Loader
	out    *strings.Builder
}

// manifests plays objects: arguments at, until, job, life (durations) and play, which
// lets pods complete and calls their Then.
func (s *script) manifests(t *testing.T, d *datadriven.TestData) error {
	docs, err := document.Parse("in.yaml", []byte(d.Input))
	if err != nil {
		return err
	}
	if err := s.loader.Load(docs...); err != nil {
		return err
	}
	m := Manifests{At: span(t, d, "at"), Until: span(t, d, "until")}
	for name, lifetime := range map[string]*arrival.Lifetime{"job": &m.JobLifetime, "life": &m.Lifetime} {
		if d.HasArg(name) {
			*lifetime, _ = arrival.Fixed(span(t, d, name))
		}
	}
	x, err := m.Stream(&s.loader.Objects)
	if err != nil {
		return err
	}
	s.play(x, d.HasArg("play"))
	s.daemons(t, x)
	for _, w := range x.Warnings {
		fmt.Fprintf(s.out, "warning: %s\n", w)
	}
	return nil
}

// daemons lists what each node brings, twice: the second time is a node that came back.
func (s *script) daemons(t *testing.T, x *Expansion) {
	c := cluster.New(s.v)
	daemons := x.Daemons(c)
	if daemons == nil {
		return
	}
	for _, n := range s.loader.Nodes {
		id, err := c.AddNode(n.Spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, round := range []string{"new", "back"} {
			for _, a := range daemons(id) {
				fmt.Fprintf(s.out, "%s %s: ", n.Spec.Name, round)
				s.list(&a)
			}
		}
	}
}

// play lists the arrivals of a stream. With ends, pods start on arrival and complete.
func (s *script) play(stream Stream, ends bool) {
	type end struct {
		at        clock.Time
		successor func() (Arrival, bool)
	}
	var ending []end
	take := func(a *Arrival) {
		s.list(a)
		if ends && a.Successor != nil {
			ending = append(ending, end{a.At.Add(a.Lifetime), a.Successor})
		}
	}
	for {
		a, more, err := stream.Next()
		if err != nil {
			fmt.Fprintf(s.out, "error: %v\n", err)
		}
		if !more {
			break
		}
		take(&a)
	}
	for len(ending) > 0 {
		slices.SortStableFunc(ending, func(x, y end) int { return cmp.Compare(x.at, y.at) })
		e := ending[0]
		ending = ending[1:]
		if a, more := e.successor(); more {
			a.At = e.at
			take(&a)
		}
	}
}

func (s *script) list(a *Arrival) {
	fmt.Fprintf(s.out, "%v %s/%s life=%v", a.At, s.v.Text(a.Class.Namespace), a.Name, a.Lifetime)
	for _, q := range a.Class.Requests {
		fmt.Fprintf(s.out, " %s=%d", s.v.ResourceName(q.Resource), q.Amount)
	}
	if a.Class.Priority != 0 {
		fmt.Fprintf(s.out, " priority=%d", a.Class.Priority)
	}
	for _, l := range a.Class.Labels {
		fmt.Fprintf(s.out, " %s=%s", s.v.Text(l.Key), s.v.Text(l.Value))
	}
	for _, term := range a.Class.Required {
		for _, r := range append(slices.Clone(term.Labels), term.Names...) {
			fmt.Fprintf(s.out, " wants=%s", s.v.Text(r.Key))
			for _, value := range r.Values {
				fmt.Fprintf(s.out, ":%s", s.v.Text(value))
			}
		}
	}
	if a.Node != "" {
		fmt.Fprintf(s.out, " node=%s started=%v", a.Node, a.Started)
	}
	if a.Nominated != "" {
		fmt.Fprintf(s.out, " nominated=%s", a.Nominated)
	}
	if a.Deleted() {
		s.out.WriteString(" deleted")
	}
	if g := a.Group; g != nil {
		size := strconv.Itoa(g.Size)
		if g.Size == endless {
			size = "endless"
		}
		fmt.Fprintf(s.out, " group=%s/%s min=%d size=%s timeout=%v", s.v.Text(g.Namespace), g.Name, g.MinMember, size, g.ScheduleTimeout)
	}
	if a.Recreate {
		s.out.WriteString(" recreate")
	}
	if a.Daemon {
		s.out.WriteString(" daemon")
	}
	s.out.WriteString("\n")
}

// trace plays a trace whose content is the input; the arguments are named as the fields.
func (s *script) trace(t *testing.T, d *datadriven.TestData) error {
	common := Trace{
		File: written(t, d), Start: span(t, d, "start"), Until: span(t, d, "until"), Limit: int(number(t, d, "limit")),
		TimeScale: float(t, d, "timeScale"), LifetimeScale: float(t, d, "lifetimeScale"), SkipBad: d.HasArg("skipBad"),
		Namespace: text(t, d, "namespace"), PriorityClass: text(t, d, "priorityClass"), ScheduleTimeout: span(t, d, "scheduleTimeout"),
	}
	var p TraceSource
	switch d.Cmd {
	case "openb":
		o := &Openb{Trace: common, GPUs: GPUs(text(t, d, "gpus")), AtOnce: d.HasArg("atOnce")}
		if d.HasArg("fgd") {
			o.FGD = &FGDOrder{Seed: 42, Demand: 1, Capacity: 2000, Nodes: []string{"n"}}
		}
		if d.HasArg("life") {
			o.Lifetime, _ = arrival.Fixed(span(t, d, "life"))
		}
		if d.HasArg("LS") {
			o.PriorityByQoS = map[string]string{"LS": text(t, d, "LS")}
		}
		p = o
	case "swf":
		swf := &SWF{
			Trace: common, MilliCPU: number(t, d, "milliCPU"), MemoryBytes: number(t, d, "memoryBytes"), OwnMemory: d.HasArg("ownMemory"),
		}
		if d.HasArg("status") {
			swf.Statuses = []int{int(number(t, d, "status"))}
		}
		p = swf
	case "philly":
		p = &Philly{
			Trace: common, Tenants: Tenancy(text(t, d, "tenants")),
			MilliCPU: number(t, d, "milliCPU"), MemoryBytes: number(t, d, "memoryBytes"),
		}
	}
	return s.replay(d, p)
}

func (s *script) replay(d *datadriven.TestData, p TraceSource) error {
	switch {
	case d.HasArg("check"):
		return CheckTrace(p, s.loader)
	case d.HasArg("yaml"):
		done, err := WriteManifests(context.Background(), s.out, nil, p)
		fmt.Fprintf(s.out, "%+v\n", done)
		return err
	}
	r, err := OpenTrace(p, s.loader)
	if err != nil {
		return err
	}
	s.play(r, false)
	if n, faults := r.Skipped(); n > 0 {
		fmt.Fprintf(s.out, "skipped %d: %v\n", n, faults)
	}
	if r.LeftOut() > 0 {
		fmt.Fprintf(s.out, "left out %d\n", r.LeftOut())
	}
	if _, more, _ := r.Next(); more || r.file != nil {
		fmt.Fprintln(s.out, "the stream goes on after its end")
	}
	return nil
}

func (s *script) nodes(t *testing.T, d *datadriven.TestData) error {
	f := OpenbFleet{
		File: written(t, d), GPUs: GPUs(text(t, d, "gpus")), Limit: int(number(t, d, "limit")), SkipBad: d.HasArg("skipBad"), Pool: "openb",
	}
	nodes, skipped, err := f.Nodes(s.loader)
	for _, n := range nodes {
		fmt.Fprintf(s.out, "%s %s", n.Pool, n.Name)
		for _, q := range n.Allocatable {
			fmt.Fprintf(s.out, " %s=%d", s.v.ResourceName(q.Resource), q.Amount)
		}
		for _, l := range n.Labels {
			fmt.Fprintf(s.out, " %s=%s", s.v.Text(l.Key), s.v.Text(l.Value))
		}
		s.out.WriteString("\n")
	}
	for _, fault := range skipped {
		fmt.Fprintf(s.out, "skipped %v\n", fault)
	}
	return err
}

// written is a file with the input of a command.
func written(t *testing.T, d *datadriven.TestData) string {
	if d.HasArg("file") {
		return text(t, d, "file")
	}
	file := filepath.Join(t.TempDir(), d.Cmd)
	if err := os.WriteFile(file, []byte(d.Input), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func text(t *testing.T, d *datadriven.TestData, name string) (value string) {
	if d.HasArg(name) {
		d.ScanArgs(t, name, &value)
	}
	return value
}

func number(t *testing.T, d *datadriven.TestData, name string) (value int64) {
	if d.HasArg(name) {
		d.ScanArgs(t, name, &value)
	}
	return value
}

func float(t *testing.T, d *datadriven.TestData, name string) float64 {
	value := text(t, d, name)
	if value == "" {
		return 0
	}
	x, err := strconv.ParseFloat(value, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func span(t *testing.T, d *datadriven.TestData, name string) clock.Time {
	value := text(t, d, name)
	if value == "" {
		return 0
	}
	duration, err := time.ParseDuration(value)
	if err != nil {
		t.Fatal(err)
	}
	return clock.FromDuration(duration)
}
