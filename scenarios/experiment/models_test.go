package experiment_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/sim/model/recipe"
)

const head = `apiVersion: berth/v1alpha1
kind: Scenario
metadata: {name: models}
horizon: 10m
tieBreak: first
`

// Four GPUs that say they are T4, four P100 and two that do not say.
const sharedFleet = head + `fleet:
  - {pool: t4, count: 2, devices: {count: 2, model: T4}, template: {status: {allocatable: {cpu: "16", memory: 64Gi}}}}
  - {pool: p100, count: 2, devices: {count: 2, model: P100}, template: {status: {allocatable: {cpu: "16", memory: 64Gi}}}}
  - {pool: plain, count: 1, devices: {count: 2}, template: {status: {allocatable: {cpu: "16", memory: 64Gi}}}}
workloads:
  - {name: w, arrivals: {times: [1m]}, devices: {milli: 100}, template: {`

// Two models, each of which has two labels.
const vendorFleet = head + `fleet:
  - {pool: a, count: 1, template: {metadata: {labels: {nvidia.com/gpu.product: A100-SXM4, cloud.google.com/gke-accelerator: nvidia-tesla-a100}}, status: {allocatable: {cpu: "16", memory: 64Gi, nvidia.com/gpu: "8"}}}}
  - {pool: b, count: 1, template: {metadata: {labels: {nvidia.com/gpu.product: Tesla-T4, cloud.google.com/gke-accelerator: nvidia-tesla-t4}}, status: {allocatable: {cpu: "16", memory: 64Gi, nvidia.com/gpu: "2"}}}}
workloads:
  - {name: w, arrivals: {times: [1m]}, template: {`

const (
	shared  = `containers: [{name: c, image: i}]`
	whole   = `containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: "1"}}}]`
	model   = "alibabacloud.com/gpu-card-model"
	product = "nvidia.com/gpu.product"
	gke     = "cloud.google.com/gke-accelerator"
)

// terms is a pod whose required node affinity has these terms.
func terms(list string) string {
	return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [" + list + "]}}}"
}

// term is a term of one expression.
func term(key, operator, values string) string {
	if values != "" {
		values = ", values: [" + values + "]"
	}
	return "{matchExpressions: [{key: " + key + ", operator: " + operator + values + "}]}"
}

// Which nodes' devices a pod cannot use for their model is decided by all labels that say it; what
// node affinity admits is never rejected for its devices.
func TestModelsAreThoseThatNodeAffinityAdmits(t *testing.T) {
	either := term(model, "In", "T4") + ", " + term("kubernetes.io/hostname", "In", "p100-0000")
	for _, tt := range []struct {
		name, fleet, pod string
		noAccess         float64
		holds            bool
	}{
		{"any", sharedFleet, "spec: {" + shared + "}", 0, true},
		{"selector", sharedFleet, "spec: {nodeSelector: {" + model + ": T4}, " + shared + "}", 0.6, true},
		{"annotation", sharedFleet, "metadata: {annotations: {" + model + ": T4 | P100}}, spec: {" + shared + "}", 0.2, true},
		{"terms that all restrict", sharedFleet, "spec: {" + terms(term(model, "In", "T4")+", "+term(model, "In", "P100")) + ", " + shared + "}", 0.2, true},
		{"a term that does not", sharedFleet, "spec: {" + terms(either) + ", " + shared + "}", 0, true},
		{"selector and terms", sharedFleet, "spec: {nodeSelector: {" + model + ": T4}, " + terms(either) + ", " + shared + "}", 0.6, true},
		{"not in", sharedFleet, "spec: {" + terms(term(model, "NotIn", "T4")) + ", " + shared + "}", 0.4, true},
		{"exists", sharedFleet, "spec: {" + terms(term(model, "Exists", "")) + ", " + shared + "}", 0.2, true},
		{"does not exist", sharedFleet, "spec: {" + terms(term(model, "DoesNotExist", "")) + ", " + shared + "}", 0.8, true},
		{"of no node", sharedFleet, "spec: {nodeSelector: {" + model + ": H100}, " + shared + "}", 1, false},
		{"the first label", vendorFleet, "spec: {nodeSelector: {" + product + ": Tesla-T4}, " + whole + "}", 0.8, true},
		{"the second label", vendorFleet, "spec: {nodeSelector: {" + gke + ": nvidia-tesla-a100}, " + whole + "}", 0.2, true},
		{"both", vendorFleet, "spec: {nodeSelector: {" + gke + ": nvidia-tesla-a100, " + product + ": Tesla-T4}, " + whole + "}", 1, false},
		{"not in the second label", vendorFleet, "spec: {" + terms(term(gke, "NotIn", "nvidia-tesla-a100")) + ", " + whole + "}", 0.8, true},
	} {
		for _, policy := range []string{"", "../policies/gpu/fgd.yaml"} {
			value := played(t, tt.fleet+tt.pod+"}}\n", policy)
			if got := value("devices.idle", "noAccess"); math.Abs(got-tt.noAccess) > 1e-9 {
				t.Errorf("%s: no access to %v, not to %v", tt.name, got, tt.noAccess)
			}
			if holds := value("devices.allocatedNow", "") > 0; holds != tt.holds || value("devices.misplaced", "") != 0 {
				t.Errorf("%s, policy %q: the pod holds devices: %v; %v are misplaced", tt.name, policy, holds, value("devices.misplaced", ""))
			}
		}
	}
}

// The models of a workload narrow each term of its template.
func TestModelsBesideTerms(t *testing.T) {
	spec := terms(term("kubernetes.io/hostname", "In", "t4-0000")+", "+term("kubernetes.io/hostname", "In", "p100-0000")) + ", " + shared
	text := sharedFleet[:len(sharedFleet)-len("devices: {milli: 100}, template: {")] + "devices: {milli: 100, models: [T4]}, template: {spec: {" + spec + "}}}\n"
	value := played(t, text, "")
	if got := value("devices.idle", "noAccess"); math.Abs(got-0.6) > 1e-9 {
		t.Errorf("no access to %v, not to 0.6", got)
	}
}

// Pods for nodes that do not say their model are no pods for any.
func TestNoModelIsNotAnyModel(t *testing.T) {
	text := sharedFleet + "spec: {" + shared + "}}}\n  - {name: v, arrivals: {times: [2m]}, devices: {milli: 100}, template: {spec: {" + terms(term(model, "DoesNotExist", "")) + ", " + shared + "}}}\n"
	value := played(t, text, "")
	if got := value("devices.idle", "noAccess"); math.Abs(got-(0.8-0.01)/2) > 1e-9 {
		t.Errorf("no access to %v, not to half of the devices with a model", got)
	}
}

// played are the metrics of a run.
func played(t *testing.T, scenario, policy string) func(metric, label string) float64 {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.yaml")
	if err := os.WriteFile(path, []byte(scenario), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Build(scenarios.Options{Recipe: recipe.Recipe{Policy: policy}})
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := experiment.Runner{}.Run(context.Background(), run, "")
	if err != nil {
		t.Fatal(err)
	}
	return func(metric, label string) float64 { v, _ := outcome.Summary.Value(metric, label); return v }
}
