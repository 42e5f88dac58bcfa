package config

import (
	"os"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler/plugins"
)

const helmLike = `apiVersion: v1
kind: ServiceAccount
metadata: {name: scheduler}
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: scheduler-config}
  data:
    policy.cfg: |
      {"kind": "Policy", "apiVersion": "v1"}
    config.yaml: |
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: KubeSchedulerConfiguration
      profiles: [{schedulerName: packer}]
    notes: Policy KubeSchedulerConfiguration
---
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: spreader
- {schedulerName: wrong, plugin: {}}
---
apiVersion: kyverno.io/v1
kind: Policy
---
{}
`

// A file with several configurations is a choice by name, by key and by number.
func TestChoose(t *testing.T) {
	file := t.TempDir() + "/all.yaml"
	if err := os.WriteFile(file, []byte(helmLike), 0o600); err != nil {
		t.Fatal(err)
	}
	const three = "policy.cfg, config.yaml, spreader"
	for choice, want := range map[string]string{
		"":                             ":14:18: is one of 3 scheduler configurations in the file: choose one with " + file + "#NAME, where NAME is " + three,
		"#policy.cfg":                  "default-scheduler",
		"#scheduler-config/policy.cfg": "default-scheduler",
		"#config.yaml":                 "packer",
		"#packer":                      "packer",
		"#2":                           "packer",
		"#spreader":                    `:24:26: profiles[1].plugin: unknown field; did you mean "plugins"?`,
		"#4":                           `has no configuration "4"; it has ` + three,
		"#spraeder":                    `has no configuration "spraeder"; did you mean "spreader"?; it has ` + three,
	} {
		p, err := Reader{Registry: plugins.Registry()}.Read(file + choice)
		switch {
		case err != nil:
			if !strings.HasSuffix(err.Error(), want) {
				t.Errorf("%s: error %v, want %s", choice, err, want)
			}
		case p.Profiles[0].SchedulerName != want || p.Name != file+choice || p.File != file:
			t.Errorf("%s: %s %s %s, want %s", choice, p.Profiles[0].SchedulerName, p.Name, p.File, want)
		case p.Skipped != file+": skipped 3 objects that are not scheduler configurations: ServiceAccount, Policy, object without a kind":
			t.Errorf("%s: %s", choice, p.Skipped)
		}
	}
}

// Two configurations of one name are distinguished by their number. A # may be part of the name of a file.
func TestChooseByNumber(t *testing.T) {
	dir := t.TempDir()
	text := header + "---\n" + header + "profiles: [{schedulerName: a}, {schedulerName: b}]\n---\n" + header + "profiles: [{schedulerName: a}]\n"
	for _, name := range []string{"/three.yaml", "/odd#name.yaml"} {
		if err := os.WriteFile(dir+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"/three.yaml#a":      ":8:1: is one of 2 scheduler configurations of the name \"a\": choose one with " + dir + "/three.yaml#NAME, where NAME is b, 3",
		"/odd#name.yaml#3":   "",
		"/three.yaml#b":      "",
		"/three.yaml":        "where NAME is 1, b, 3",
		"/odd#name.yaml":     "where NAME is 1, b, 3",
		"/none.yaml#three":   "no such file or directory",
		"/three.yaml#b#more": "no such file or directory; did you mean \"" + dir + "/three.yaml\"?",
	} {
		_, err := Reader{Registry: plugins.Registry()}.Read(dir + name)
		if got := errorText(err); !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("%s: error %q, want %q", name, got, want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Faults in a ConfigMap are where they are in the file around it.
func TestConfigMapPositions(t *testing.T) {
	file := t.TempDir() + "/map.yaml"
	for text, want := range map[string]string{
		"kind: ConfigMap\ndata:\n  a: |\n    kind: KubeSchedulerConfiguration\n    apiVersion: v9\n": ":5:17: apiVersion: \"v9\" is not supported; a policy is a KubeSchedulerConfiguration of kubescheduler.config.k8s.io/v1",
		"kind: ConfigMap\ndata:\n  a: |\n    kind: KubeSchedulerConfiguration\n    x: *y\n":          ":5:5: is not well-formed YAML: unknown anchor 'y' referenced",
		"kind: ConfigMap\ndata:\n  a: |\n    actions: enqueue, allocate\n    tiers: []\n":            ": holds no KubeSchedulerConfiguration, but " + volcano,
		"actions: enqueue\ntiers: [{plugins: [{name: gang}]}]\n":                                     ": holds no KubeSchedulerConfiguration, but " + volcano,
		"kind: ConfigMap\ndata: {a: b}\n":                                                            ": holds no KubeSchedulerConfiguration, but ConfigMap",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Reader{Registry: plugins.Registry()}.Read(file)
		if got := errorText(err); got != file+want {
			t.Errorf("error %q, want …%q", got, want)
		}
	}
}
