package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

// TestScripts runs the scripts in testdata/scripts. Commands:
//
//	default             the default policy
//	file NAME           a file of testdata/files
//	config [show=…]     the input, its apiVersion and kind put below it
//	plugins [show=…]    the input as the plugins of the only profile
//	raw                 the input
//
// Of all but the first, drop=(NAME…) leaves plugins out, and kubernetes=R is the release. Each prints the settings, what runs at the points to show (none; absent: all),
// the arguments and the warnings, or what is wrong.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			p, err := policyOf(t, d)
			if err != nil {
				return err.Error() + "\n"
			}
			return show(p, d)
		})
	})
}

func policyOf(t *testing.T, d *datadriven.TestData) (Policy, error) {
	text := d.Input
	reader := testReader()
	if arg, given := d.Arg("drop"); given {
		reader.Drop = arg.Vals
	}
	if arg, given := d.Arg("kubernetes"); given {
		_, rules, err := release.Settings{Kubernetes: arg.Vals[0]}.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		reader.Rules = rules
	}
	switch d.Cmd {
	case "default":
		return Default(plugins.Registry()), nil
	case "file":
		return reader.Read("testdata/files/" + d.CmdArgs[0].Key)
	case "config":
		text += "\n" + header
	case "plugins":
		text = "profiles:\n- plugins:\n    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n" + header
	case "raw":
	default:
		t.Fatalf("unknown command %s", d.Cmd)
	}
	docs, err := document.Parse("in.yaml", []byte(text))
	if err != nil {
		return Policy{}, err
	}
	if len(docs) == 0 {
		return Policy{}, errors.New("no document")
	}
	return reader.Parse(docs[0])
}

func show(p Policy, d *datadriven.TestData) string {
	var points []string
	if arg, limited := d.Arg("show"); limited {
		points = arg.Vals
	}
	var out strings.Builder
	rows := p.Rows()
	for _, profile := range p.Profiles {
		fmt.Fprintf(&out, "%s: percentage %d, backoff %v to %v\n", profile.SchedulerName, profile.Percentage, p.InitialBackoff, p.MaxBackoff)
		for _, row := range rows {
			if row.Profile == profile.SchedulerName && (points == nil || slices.Contains(points, row.Point)) {
				fmt.Fprintf(&out, "  %-11s", row.Point)
				for _, ref := range row.Plugins {
					out.WriteString(" " + ref.Name)
					if ref.Weight != 0 {
						fmt.Fprintf(&out, ":%d", ref.Weight)
					}
				}
				out.WriteString("\n")
			}
		}
		for _, name := range slices.Sorted(maps.Keys(profile.Args)) {
			args := profile.Args[name]
			if v, raw := args.(document.Value); raw {
				args, _ = v.MarshalJSON()
				fmt.Fprintf(&out, "  args of %s: %s\n", name, args)
			} else {
				fmt.Fprintf(&out, "  args of %s: %+v\n", name, args)
			}
		}
	}
	for _, x := range p.Extenders {
		if x.TLS != nil {
			fmt.Fprintf(&out, "TLS of the next: %+v\n", *x.TLS)
			x.TLS = nil
		}
		fmt.Fprintf(&out, "extender %s: %+v\n", x.URLPrefix, x)
	}
	for _, w := range p.Warnings {
		fmt.Fprintf(&out, "warning: %v\n", w)
	}
	return out.String()
}

// testReader knows our plugins and some of its own.
func testReader() Reader {
	registry := plugins.Registry()
	registry["First"] = simple("First")
	registry["Second"] = simple("Second")
	registry["Picky"] = newPicky
	registry["OtherSort"] = func(*scheduler.Handle, any) (scheduler.Plugin, error) { return otherSort{named("OtherSort")}, nil }
	registry["OtherBinder"] = func(*scheduler.Handle, any) (scheduler.Plugin, error) {
		return otherBinder{named("OtherBinder")}, nil
	}
	return Reader{Registry: registry, Affinity: fakeAffinity, Vocabulary: cluster.NewVocabulary()}
}

// fakeAffinity knows one fault, and terms without requirements.
func fakeAffinity(v document.Value) (cluster.NodeSelector, []cluster.PreferredTerm, error) {
	required := v.Get("requiredDuringSchedulingIgnoredDuringExecution")
	if bad := required.Get("bad"); bad.Exists() {
		return nil, nil, bad.Errorf("", "is bad")
	}
	return make(cluster.NodeSelector, required.Get("nodeSelectorTerms").Len()), nil, nil
}

type named string

func (n named) Name() string                    { return string(n) }
func (named) DependsOn() scheduler.Dependencies { return 0 }

// ranker extends filter, preScore and score.
type ranker struct{ named }

func simple(name string) scheduler.Factory {
	return func(*scheduler.Handle, any) (scheduler.Plugin, error) { return ranker{named(name)}, nil }
}

func (ranker) Checks() scheduler.Checks                                  { return scheduler.CheckOther }
func (ranker) Filter(*scheduler.Cycle, cluster.NodeID) scheduler.Verdict { return scheduler.Fits }
func (ranker) Reasons(*scheduler.Cycle, scheduler.Verdict) []string      { return nil }
func (ranker) PreScore(*scheduler.Cycle) scheduler.Status                { return scheduler.Status{} }
func (ranker) Score(*scheduler.Cycle, cluster.NodeID) int64              { return 0 }

type otherSort struct{ named }

func (otherSort) Less(a, b *scheduler.QueuedPod) bool { return false }

type otherBinder struct{ named }

func (otherBinder) Bind(cluster.PodID, cluster.NodeID) scheduler.Status { return scheduler.Status{} }

// newPicky makes a plugin that cannot do without its level.
func newPicky(_ *scheduler.Handle, args any) (scheduler.Plugin, error) {
	v, given := args.(document.Value)
	if !given || !v.Get("level").Exists() {
		return nil, errors.New("needs a level")
	}
	return ranker{"Picky"}, nil
}
