package config

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// The default table, the optional plugins and the registry have the same plugins.
func TestDefaultTableIsRegistry(t *testing.T) {
	registry := plugins.Registry()
	for _, d := range defaults {
		if registry[d.name] == nil {
			t.Errorf("%s is not there", d.name)
		}
		delete(registry, d.name)
	}
	for _, name := range optional {
		if registry[name] == nil {
			t.Errorf("%s is not there", name)
		}
		delete(registry, name)
	}
	if len(registry) > 0 {
		t.Errorf("plugins that are in no profile: %v", registry)
	}
}

// A plugin takes its place in the default profile by being registered.
func TestDefaultTakesWhatIsRegistered(t *testing.T) {
	registry := plugins.Registry()
	for _, name := range []string{"NodeName", "ImageLocality", "VolumeBinding"} {
		delete(registry, name)
	}
	points := Default(registry).Profiles[0].Points
	want := []scheduler.PluginRef{
		{Name: "TaintToleration", Weight: 3}, {Name: "NodeAffinity", Weight: 2}, {Name: "NodeResourcesFit", Weight: 1},
		{Name: "PodTopologySpread", Weight: 2}, {Name: "InterPodAffinity", Weight: 2}, {Name: "DynamicResources", Weight: 2},
		{Name: "NodeResourcesBalancedAllocation", Weight: 1},
	}
	if !slices.Equal(points[scheduler.Score], want) {
		t.Errorf("score: %v, want %v", points[scheduler.Score], want)
	}
	for _, ref := range points[scheduler.Filter] {
		if ref.Name == "NodeName" {
			t.Error("NodeName is not in the registry but runs")
		}
	}
}

// An empty configuration is the default policy.
func TestEmptyIsDefault(t *testing.T) {
	got := mustParse(t, Reader{Registry: plugins.Registry()}, header)
	want := Default(plugins.Registry())
	got.Profiles[0].Args, got.Name = nil, want.Name
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestPointsOfUnknownPlugin(t *testing.T) {
	_, err := plugins.Registry().ExtensionPointsOf("Nowhere", nil, nil)
	if err == nil || err.Error() != `unknown plugin "Nowhere"` {
		t.Errorf("error %v", err)
	}
}

func TestReadKeepsSource(t *testing.T) {
	const file = "testdata/files/two-profiles.yaml"
	p, err := Reader{Registry: plugins.Registry()}.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != file || string(p.Source) != string(data) {
		t.Errorf("Name = %q, Source = %q", p.Name, p.Source)
	}
}

func TestAddedAffinityNeedsCompiler(t *testing.T) {
	_, err := Reader{Registry: plugins.Registry()}.Read("testdata/files/added-affinity.yaml")
	if want := "addedAffinity: is not supported here"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error %v, want …%s", err, want)
	}
}

// Every configuration in the documentation can be read.
func TestDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) < 2 {
		t.Fatalf("%d examples", len(blocks))
	}
	for _, block := range blocks {
		mustParse(t, Reader{Registry: plugins.Registry()}, block[1])
	}
	names := slices.Clone(optional)
	for _, d := range defaults {
		names = append(names, d.name)
	}
	for _, name := range names {
		if !strings.Contains(string(text), name) {
			t.Errorf("docs/policies.md does not name %s", name)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"NodeAffinity", "NodeName", "NodePorts"}
	for name, want := range map[string]string{
		"NodeAffinty": "NodeAffinity", "nodename": "NodeName", "NodePort": "NodePorts",
		"Volumes": "", "": "", "*": "",
	} {
		if got := nearest(name, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

const header = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"

func mustParse(t *testing.T, r Reader, text string) Policy {
	t.Helper()
	docs, err := document.Parse("in.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Parse(docs[0])
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// FuzzParse: a configuration that is accepted makes a scheduler.
func FuzzParse(f *testing.F) {
	files, err := os.ReadDir("testdata/files")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile("testdata/files/" + file.Name())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		docs, err := document.Parse("in.yaml", []byte(text))
		if err != nil || len(docs) == 0 {
			return
		}
		r := testReader()
		p, err := r.Parse(docs[0])
		if err != nil {
			return
		}
		cfg := scheduler.Config{
			Profiles: p.Profiles, Registry: r.Registry, Tie: scheduler.TieFirst,
			InitialBackoff: p.InitialBackoff, MaxBackoff: p.MaxBackoff, Streams: clock.NewStreams(1),
		}
		if _, err := scheduler.New(cluster.New(cluster.NewVocabulary()), cfg); err != nil {
			t.Errorf("accepted, but: %v", err)
		}
	})
}
