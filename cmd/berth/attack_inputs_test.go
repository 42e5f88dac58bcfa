package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// victim is a file that berth reads, and the command lines that read it. BAD is the place of the broken file.
type victim struct {
	name     string   // of the broken file; a file of a run directory is run/NAME
	text     string   // of the unbroken file; empty: it is made by berth
	commands []string // each with BAD, the broken file, or BADDIR, its directory
}

const attackNodes = `apiVersion: v1
kind: Node
metadata: {name: n1, labels: {topology.kubernetes.io/zone: a, node.kubernetes.io/instance-type: m.large}}
spec: {taints: [{key: gpu, value: "yes", effect: PreferNoSchedule}]}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110", nvidia.com/gpu: "2"}}
`

const attackPods = `---
apiVersion: v1
kind: Pod
metadata: {name: runs, labels: {app: web}}
spec:
  nodeName: n1
  containers: [{name: a, image: web:1, resources: {requests: {cpu: "1", memory: 1Gi}}}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: api, namespace: shop}
spec:
  replicas: 3
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
    spec:
      tolerations: [{key: gpu, operator: Exists}]
      topologySpreadConstraints:
        - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: api}}}
      containers: [{name: a, image: api:1, resources: {requests: {cpu: 500m, memory: 1Gi}}}]
`

const attackJSON = `{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {"allocatable": {"cpu": "8", "memory": "32Gi", "pods": "110"}}},
  {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "labels": {"app": "web"}},
   "spec": {"priority": 7, "containers": [{"name": "a", "image": "a", "resources": {"requests": {"cpu": "1"}}}]}}
]}
`

const attackScenario = `apiVersion: berth/v1alpha1
kind: Scenario
metadata: {name: small}
seed: 7
horizon: 10m
fleet:
  - pool: general
    count: 3
    zones: [a, b]
    pricePerHour: 0.38
    template:
      metadata: {labels: {node.kubernetes.io/instance-type: m.large}}
      status: {allocatable: {cpu: "4", memory: 16Gi, pods: "110"}}
workloads:
  - name: web
    arrivals: {poisson: {rate: 2/m}}
    lifetime: {lognormal: {median: 3m, sigma: 1.1}}
    template:
      spec:
        containers: [{name: app, image: "web:1", resources: {requests: {cpu: 500m, memory: 1Gi}}}]
  - name: training
    arrivals: {every: 4m}
    replicas: 2
    gang: {minMember: 2, scheduleTimeout: 2m}
    lifetime: {fixed: 3m}
    template: {spec: {containers: [{name: step, image: step, resources: {requests: {cpu: "2", memory: 2Gi}}}]}}
latency: {preset: kube-scheduler-1.36}
events:
  - {at: 5m, drain: {pool: general, count: 1}}
collect: {every: 30s}
`

const attackConfiguration = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 100
podInitialBackoffSeconds: 1
profiles:
  - schedulerName: default-scheduler
    plugins:
      score:
        disabled: [{name: ImageLocality}]
        enabled: [{name: NodeResourcesFit, weight: 3}]
    pluginConfig:
      - name: NodeResourcesFit
        args:
          scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 2}]}
      - name: InterPodAffinity
        args: {hardPodAffinityWeight: 7}
`

const attackLegacy = `{"kind": "Policy", "apiVersion": "v1",
 "predicates": [{"name": "PodFitsResources"}, {"name": "GeneralPredicates"}, {"name": "PodToleratesNodeTaints"}],
 "priorities": [{"name": "LeastRequestedPriority", "weight": 1}, {"name": "SelectorSpreadPriority", "weight": 2}],
 "hardPodAffinitySymmetricWeight": 10}
`

const attackGoals = `apiVersion: berth/v1alpha1
kind: Goal
goals:
  - {goal: "placement.pending{workload=web} == 0", name: web, why: users wait, quantile: 60}
vary:
  - {pool: general, count: 1..2}
seeds: 1
`

const attackGate = `apiVersion: berth/v1alpha1
kind: Gate
seeds: 2
notShown: pass
tolerances:
  placement.pending: 3 and 5%
limits:
  placement.waitToBind[p99]: {max: 60s}
`

const attackPrices = `apiVersion: berth/v1alpha1
kind: PriceList
prices:
  - {type: m.large, pricePerHour: 0.38}
  - {type: m.4xlarge, pricePerHour: 1.4, template: {status: {allocatable: {cpu: "32", memory: 128Gi, pods: "110"}}}}
`

const attackSWF = `; MaxNodes: 4
; MaxProcs: 16
1 0 1 1451 4 -1 -1 4 -1 -1 1 1 1 1 -1 -1 -1 -1
2 60 1 3726 4 -1 -1 4 -1 -1 1 1 1 1 -1 -1 -1 -1
`

const attackOpenbNodes = "sn,cpu_milli,memory_mib,gpu,model\nnode-1,64000,262144,2,V100M16\nnode-2,96000,786432,8,G2\n"

const attackOpenbPods = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n" +
	"pod-1,12000,16384,1,1000,,LS,Running,0,12537496,0\npod-2,6000,12288,1,460,V100M16|G2,BE,Failed,427061,427061,427061\n"

var victims = []victim{
	{"scenario.yaml", attackScenario, []string{"validate BAD", "run BAD -q", "run BAD -q -o json", "explain web-1 BAD -q", "report BAD -q --pods -o csv"}},
	{"dump.yaml", attackNodes + attackPods, []string{"place -f BAD", "place -f BAD -o jsonl", "explain shop/api-0 -f BAD", "capacity -f BAD --template GOOD/pod.yaml --max 3", "init -f BAD --force --out OUT/s.yaml", "plan -f BAD -q"}},
	{"dump.json", attackJSON, []string{"place -f BAD -o csv", "place -f BADDIR", "explain p -f BAD -o json", "init -f BAD --force --scrub --out OUT/s.yaml"}},
	{"pod.yaml", strings.TrimPrefix(attackPods, "---\n"), []string{"capacity -f GOOD/dump.yaml --max 3 --template BAD"}},
	{"configuration.yaml", attackConfiguration, []string{"validate BAD", "place -f GOOD/dump.yaml --policy BAD", "run GOOD/scenario.yaml -q --policy BAD"}},
	{"policy.json", attackLegacy, []string{"validate BAD", "place -f GOOD/dump.yaml --policy BAD -o wide"}},
	{"goals.yaml", attackGoals, []string{"validate BAD", "plan GOOD/scenario.yaml -q --goals BAD"}},
	{"gate.yaml", attackGate, []string{"validate BAD", "check GOOD/scenario.yaml -q --baseline GOOD/baseline.json --gate BAD"}},
	{"baseline.json", "", []string{"check GOOD/scenario.yaml -q --baseline BAD", "check GOOD/scenario.yaml -q --baseline BAD -o github"}},
	{"prices.yaml", attackPrices, []string{"plan -f GOOD/dump.yaml -q --prices BAD", "validate BAD"}},
	{"jobs.swf", attackSWF, []string{"import swf --jobs BAD --force --out OUT", "import swf --jobs BAD --force --out OUT --skip-bad-lines"}},
	{"nodes.csv", attackOpenbNodes, []string{"import openb --nodes BAD --pods GOOD/pods.csv --force --out OUT"}},
	{"pods.csv", attackOpenbPods, []string{"import openb --nodes GOOD/nodes.csv --pods BAD --force --out OUT --manifests"}},
	{"philly.csv", "", []string{"import philly --jobs BAD --force --out OUT"}},
	{"run/summary.json", "", []string{"report BADDIR --out OUT/r.html", "diff BADDIR GOOD/run", "compare BADDIR GOOD/run"}},
	{"run/manifest.json", "", []string{"report BADDIR --out OUT/r.html", "diff BADDIR GOOD/run -o json", "replay BADDIR"}},
	{"run/records.jsonl", "", []string{"diff BADDIR GOOD/run", "replay BADDIR", "report BADDIR --pods"}},
	{"run/timeseries.csv", "", []string{"report BADDIR --out OUT/r.html", "diff GOOD/run BADDIR"}},
	{"run/pods.csv", "", []string{"report BADDIR --pods", "diff GOOD/run BADDIR --pods"}},
}

// writeGood writes the unbroken files, and fills in the texts of those that berth makes.
func writeGood(t *testing.T, dir string) []victim {
	t.Helper()
	all := append([]victim{}, victims...)
	for i := range all {
		if all[i].name == "philly.csv" {
			all[i].text = readTestFile(t, filepath.Join("testdata", "docs", "philly_jobs.csv"))
		}
		if all[i].text != "" {
			writeTestFile(t, filepath.Join(dir, all[i].name), all[i].text)
		}
	}
	for _, line := range []string{
		"run DIR/scenario.yaml -q --out DIR/run",
		"check DIR/scenario.yaml -q --baseline DIR/baseline.json --update --seeds 2",
	} {
		if r := berth(t.Context(), defaultWidth, words(strings.ReplaceAll(line, "DIR", dir))...); r.code != exitDone {
			t.Fatalf("%s: %d %s", line, r.code, r.err)
		}
	}
	for i := range all {
		if all[i].text == "" {
			all[i].text = readTestFile(t, filepath.Join(dir, all[i].name))
		}
	}
	return all
}

func readTestFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeTestFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
