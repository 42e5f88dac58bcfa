package config

import (
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/legacy"
	"github.com/berth-sim/berth/sim/files/document"
)

func parseLegacy(t *testing.T, text string) (Policy, error) {
	t.Helper()
	docs, err := document.Parse("in.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return testReader().Parse(docs[0])
}

const defaultPolicy = "apiVersion: v1\nkind: Policy\n"

// TestMaxVolumes: the variable of the environment is honored where disks are counted, and said.
func TestMaxVolumes(t *testing.T) {
	t.Setenv(maxVolumes, "7")
	p, err := parseLegacy(t, defaultPolicy)
	if err != nil {
		t.Fatal(err)
	}
	if args := p.Profiles[0].Args["MaxGCEPDVolumeCount"]; args != (legacy.VolumeCountArgs{Max: 7}) {
		t.Errorf("the arguments are %+v", args)
	}
	if len(p.Warnings) != 1 || !slices.Equal(p.Environment, []string{"KUBE_MAX_PD_VOLS=7"}) {
		t.Errorf("warnings %v, environment %v", p.Warnings, p.Environment)
	}
	if p, err = parseLegacy(t, defaultPolicy+"predicates: []\n"); err != nil || len(p.Warnings)+len(p.Environment) != 0 {
		t.Errorf("nothing counts disks, but: %v %v %v", p.Warnings, p.Environment, err)
	}
	for _, bad := range []string{"0", "-1", "many", "1.5"} {
		t.Setenv(maxVolumes, bad)
		if _, err := parseLegacy(t, defaultPolicy); err == nil || !strings.Contains(err.Error(), maxVolumes+"="+bad) {
			t.Errorf("%s=%s: %v", maxVolumes, bad, err)
		}
	}
}

// TestFilesOfAPolicy: what else was read is told, so that a run can note it.
func TestFilesOfAPolicy(t *testing.T) {
	p, err := testReader().Read("testdata/files/legacy-provider.yaml")
	if err != nil || !slices.Equal(p.Files, []string{"testdata/files/legacy-policy.json"}) {
		t.Errorf("files %v, %v", p.Files, err)
	}
}

// TestFamilies: the form of a file decides which family its profile is of.
func TestFamilies(t *testing.T) {
	for text, want := range map[string]scheduler.Family{
		header:        scheduler.Modern,
		defaultPolicy: scheduler.Legacy,
		"apiVersion: " + legacyAPIVersion + "\nkind: " + kind + "\n": scheduler.Legacy,
	} {
		p, err := parseLegacy(t, text)
		if err != nil || p.Profiles[0].Family != want {
			t.Errorf("%s\nis of family %d, want %d, %v", text, p.Profiles[0].Family, want, err)
		}
	}
}

// TestFamiliesShareNoNames: rules of one family cannot be named in files of the other.
func TestFamiliesShareNoNames(t *testing.T) {
	for _, name := range slices.Concat(legacy.Predicates(), legacy.Priorities()) {
		if _, known := testReader().Registry[name]; known {
			t.Errorf("%s is a current plugin too", name)
		}
	}
	for name := range testReader().Registry {
		if _, err := parseLegacy(t, defaultPolicy+"predicates: [{name: "+name+"}]\n"); err == nil {
			t.Errorf("a Policy can name %s", name)
		}
	}
}
