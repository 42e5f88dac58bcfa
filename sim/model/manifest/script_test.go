package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

// TestScripts runs the scripts in testdata/scripts. Commands:
//
//	load           what the Loader made of the documents, or all faults; admission= are plugins to enable, ignore= kinds and skip-pods= pods left out
//	template       the first document as a PodTemplateSpec; those after it are objects; priority=, scheduler= and namespace= are options
//	node-template  the document as the template of a pool, and its instance n-1 in zone a
//	node-affinity  the document as the added affinity of a profile
//
// kubernetes= is the release of the API server; else it is the newest.
//
// Of a class it shows what differs from the class of a pod that asks for nothing.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			docs, err := document.Parse("in.yaml", []byte(d.Input))
			if err != nil {
				return err.Error() + "\n"
			}
			p := &printer{l: New(cluster.NewVocabulary())}
			for _, text := range values(d, "kubernetes") {
				followed, rules, err := release.Settings{Kubernetes: text}.Resolve()
				if err != nil {
					t.Fatal(err)
				}
				p.l.Follow(followed, rules)
			}
			if at, err := p.l.EnableAdmission(values(d, "admission")); err != nil {
				return fmt.Sprintf("admission %d: %v\n", at, err)
			}
			if at, err := p.l.Ignore(values(d, "ignore")); err != nil {
				return fmt.Sprintf("ignore %d: %v\n", at, err)
			}
			if at, err := p.l.SkipPods(values(d, "skip-pods")); err != nil {
				return fmt.Sprintf("skip-pods %d: %v\n", at, err)
			}
			switch d.Cmd {
			case "load":
				err = p.l.Load(docs...)
				p.objects(&p.l.Objects)
			case "template":
				err = p.template(t, d, docs)
			case "node-template":
				var n NodeTemplate
				if n, err = p.l.NodeTemplate(docs[0].Root(), nil); err == nil {
					p.node(n.Instance("n-1", "a"))
				}
			case "node-affinity":
				err = p.affinity(docs[0].Root())
			default:
				t.Fatalf("no such command: %s", d.Cmd)
			}
			if err != nil {
				return err.Error() + "\n"
			}
			return p.String()
		})
	})
}

// printer writes what tests look at.
type printer struct {
	strings.Builder
	l *Loader
}

func (p *printer) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// field writes a line if there is something to say.
func (p *printer) field(name string, value any) {
	if text := strings.TrimSpace(fmt.Sprint(value)); text != "" && text != "0" && text != "false" && text != "[]" {
		p.line("  %s: %s", name, text)
	}
}

func (p *printer) template(t *testing.T, d *datadriven.TestData, docs []*document.Document) error {
	if err := p.l.Load(docs[1:]...); err != nil {
		return err
	}
	var opts TemplateOptions
	d.MaybeScanArgs(t, "priority", &opts.PriorityClassName)
	d.MaybeScanArgs(t, "scheduler", &opts.SchedulerName)
	d.MaybeScanArgs(t, "namespace", &opts.Namespace)
	out, err := p.l.Template(docs[0].Root(), opts)
	if err != nil {
		return err
	}
	p.line("template")
	p.field("group", out.Group)
	p.class(out.Class)
	return nil
}

func (p *printer) objects(all *Objects) {
	for _, n := range all.Nodes {
		p.node(n.Spec)
	}
	for _, pod := range all.Pods {
		p.line("pod %s/%s", pod.Namespace, pod.Name)
		p.field("on", pod.NodeName)
		p.field("holds", pod.Devices)
		p.field("nominated", pod.NominatedNodeName)
		if !pod.StartTime.IsZero() {
			p.field("start", pod.StartTime.UTC())
		}
		p.field("terminating", pod.Terminating)
		p.field("preempted", pod.Preempted)
		p.field("finished", pod.Finished)
		p.field("group", pod.Group)
		p.field("owner", pod.Owner)
		if pod.Class != nil {
			p.class(pod.Class)
		}
		if pod.Recreated != nil {
			p.line("  re-created: %s", shown(p.l.vocabulary, pod.Recreated.Requests))
		}
	}
	for i := range all.Controllers {
		p.controller(&all.Controllers[i])
	}
	for _, g := range all.PodGroups {
		p.line("pod group %s/%s: %d members, %v", g.Namespace, g.Name, g.MinMember, g.ScheduleTimeout)
	}
	for _, c := range all.PriorityClasses {
		p.line("priority class %s: %d never=%t default=%t", c.Name, c.Value, c.NeverPreempt, c.Default)
	}
	for _, n := range all.Namespaces {
		p.line("namespace %s %v", n.Name, n.Labels)
	}
	for i := range all.Budgets {
		p.budget(&all.Budgets[i].Budget)
	}
	for _, k := range all.Skipped {
		p.line("skipped %s: %d", k.Kind, k.Count)
	}
	for _, k := range all.LeftOut {
		p.line("left out %s: %d", k.Kind, k.Count)
	}
	for _, w := range all.Warnings {
		p.line("warning: %s", w)
	}
}

func (p *printer) controller(c *Controller) {
	p.line("%s %s/%s", c.Kind, c.Namespace, c.Name)
	p.field("replicas", c.Replicas)
	p.field("first ordinal", c.FirstOrdinal)
	p.field("ordered ready", c.OrderedReady)
	p.field("parallelism", c.Parallelism)
	p.field("completions", c.Completions)
	p.field("indexed", c.Indexed)
	p.field("suspended", c.Suspended)
	p.field("schedule", c.Schedule+" "+c.TimeZone+" "+c.ConcurrencyPolicy)
	p.field("owner", c.Owner)
	p.field("group", c.Template.Group)
	p.class(c.Template.Class)
}

func (p *printer) node(n cluster.NodeSpec) {
	v := p.l.vocabulary
	p.line("node %s", n.Name)
	p.field("labels", p.labels(n.Labels))
	var taints []string
	for _, t := range n.Taints {
		taints = append(taints, fmt.Sprintf("%s=%s:%d", v.Text(t.Key), v.Text(t.Value), t.Effect))
	}
	p.field("taints", taints)
	p.field("unschedulable", n.Unschedulable)
	p.field("features", n.Features.Names())
	p.field("conditions", conditionNames(n.Conditions))
	for _, controller := range n.PreferAvoidPods {
		p.field("avoids", v.Text(controller))
	}
	p.field("allocatable", shown(v, n.Allocatable))
	if n.Devices.Count > 0 {
		p.field("devices", fmt.Sprintf("%d of %s %s", n.Devices.Count, v.ResourceName(n.Devices.Kind), v.Text(n.Devices.Model)))
	}
	var images []string
	for _, image := range n.Images {
		images = append(images, fmt.Sprintf("%s=%d", v.Text(image.Name), image.Size))
	}
	p.field("images", images)
}

func conditionNames(set cluster.NodeConditions) []string {
	var names []string
	for i, name := range []string{"NotReady", "NetworkUnavailable", "MemoryPressure", "DiskPressure", "PIDPressure"} {
		if set&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// values are those of an argument of a command.
func values(d *datadriven.TestData, key string) []string {
	for _, arg := range d.CmdArgs {
		if arg.Key == key {
			return arg.Vals
		}
	}
	return nil
}

func (p *printer) budget(b *cluster.Budget) {
	v := p.l.vocabulary
	p.line("budget %s/%s: allowed %d, given %t", v.Text(b.Namespace), b.Name, b.DisruptionsAllowed, b.HasStatus)
	if s := b.MinAvailable; s != nil {
		p.line("  available: %d percent=%t", s.Value, s.Percent)
	}
	if s := b.MaxUnavailable; s != nil {
		p.line("  unavailable: %d percent=%t", s.Value, s.Percent)
	}
	p.field("nothing", b.Selector.Nothing)
	p.field("empty", b.Selector.IsEmpty())
	for _, r := range b.Selector.Requirements {
		p.line("  selects %s", p.term(&cluster.NodeTerm{Labels: []cluster.Requirement{r}}))
	}
	p.field("disrupted", slices.Sorted(maps.Keys(b.DisruptedPods)))
}

func (p *printer) labels(list []cluster.Label) []string {
	var out []string
	for _, l := range list {
		out = append(out, p.l.vocabulary.Text(l.Key)+"="+p.l.vocabulary.Text(l.Value))
	}
	return out
}

// devices is what a class asks for of devices.
func (p *printer) devices(r *cluster.DeviceRequest) {
	if r.Count == 0 {
		return
	}
	p.line("  devices: %d of %s, %d thousandths of each", r.Count, p.l.vocabulary.ResourceName(r.Kind), r.Milli)
	for _, model := range r.Models {
		p.line("    model %s", p.l.vocabulary.Text(model))
	}
	for i := range r.Selector {
		p.line("    on nodes with %s", p.term(&r.Selector[i]))
	}
}

func (p *printer) class(c *cluster.Class) {
	v := p.l.vocabulary
	p.devices(&c.Devices)
	if c.SchedulerName != "default-scheduler" {
		p.field("scheduler", c.SchedulerName)
	}
	if ns := v.Text(c.Namespace); ns != "default" {
		p.field("namespace", ns)
	}
	p.field("labels", p.labels(c.Labels))
	p.field("controller", v.Text(c.Controller))
	p.field("priority", c.Priority)
	p.field("never preempts", c.NeverPreempt)
	p.field("requests", shown(v, c.Requests))
	p.field("nodeName", c.NodeName)
	p.field("selector", p.labels(c.NodeSelector))
	if c.HasRequired {
		p.line("  required: %d terms", len(c.Required))
		for i := range c.Required {
			p.line("    %s", p.term(&c.Required[i]))
		}
	}
	for i := range c.Preferred {
		p.line("  preferred %d: %s", c.Preferred[i].Weight, p.term(&c.Preferred[i].Term))
	}
	p.podTerms(c)
	p.spreading(c)
	for _, t := range c.Tolerations {
		p.line("  tolerates %q=%q exists=%t effect=%d", v.Text(t.Key), v.Text(t.Value), t.Exists, t.Effect)
	}
	for _, port := range c.Ports {
		p.line("  port %s %s %d", v.Text(port.IP), v.Text(port.Protocol), port.Port)
	}
	var images []string
	for _, image := range c.Images {
		images = append(images, v.Text(image))
	}
	if strings.Join(images, " ") != "a:latest" {
		p.field("images", images)
		p.field("containers", c.Containers)
	}
	p.field("gates", c.Gates)
	p.field("features", c.Features.Names())
	if c.TerminationGrace.Seconds() != 30 {
		p.line("  grace: %v", c.TerminationGrace)
	}
}

func (p *printer) term(t *cluster.NodeTerm) string {
	var out []string
	for _, r := range append(append([]cluster.Requirement{}, t.Labels...), t.Names...) {
		op := [...]string{"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"}[r.Op]
		text := p.l.vocabulary.Text(r.Key) + " " + op
		for _, value := range r.Values {
			text += " " + p.l.vocabulary.Text(value)
		}
		if r.Bound != 0 {
			text += fmt.Sprintf(" (%d)", r.Bound)
		}
		out = append(out, text)
	}
	if t.Fault != "" {
		out = append(out, "FAULT "+t.Fault)
	}
	return strings.Join(out, ", ")
}

func (p *printer) affinity(v document.Value) error {
	selector, preferred, err := p.l.NodeAffinity(v)
	if err != nil {
		return err
	}
	p.line("required: %d terms, nil=%t", len(selector), selector == nil)
	for i := range selector {
		p.line("  %s", p.term(&selector[i]))
	}
	for i := range preferred {
		p.line("preferred %d: %s", preferred[i].Weight, p.term(&preferred[i].Term))
	}
	return nil
}
