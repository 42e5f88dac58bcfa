package configuration

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// rich are configurations that are accepted and say much, for mutations.
var rich = []string{`
parallelism: 8
percentageOfNodesToScore: 40
podInitialBackoffSeconds: 2
podMaxBackoffSeconds: 20
delayCacheUntilActive: true
enableProfiling: false
enableContentionProfiling: true
leaderElection: {leaderElect: true, leaseDuration: 20s, renewDeadline: 15s, retryPeriod: 3s, resourceLock: leases, resourceName: a, resourceNamespace: b}
clientConnection: {kubeconfig: /a/b, acceptContentTypes: x, contentType: z, qps: 20.5, burst: 30}
profiles:
- schedulerName: one
  percentageOfNodesToScore: 100
  plugins:
    multiPoint: {enabled: [{name: NodeResourcesFit, weight: 5}], disabled: [{name: ImageLocality}]}
    score: {enabled: [{name: NodeAffinity, weight: 7}], disabled: [{name: TaintToleration}]}
    queueSort: {enabled: [{name: PrioritySort}], disabled: [{name: "*"}]}
- schedulerName: two
  plugins:
    queueSort: {enabled: [{name: PrioritySort}], disabled: [{name: "*"}]}
    filter: {disabled: [{name: "*"}], enabled: [{name: NodeName}]}
    postFilter: {disabled: [{name: "*"}]}
`, `
profiles:
- pluginConfig:
  - {name: DefaultPreemption, args: {minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 5}}
  - {name: InterPodAffinity, args: {hardPodAffinityWeight: 50, ignorePreferredTermsOfExistingPods: true}}
  - {name: DynamicResources, args: {filterTimeout: 5s, bindingTimeout: 60s}}
  - {name: NodeResourcesBalancedAllocation, args: {resources: [{name: cpu, weight: 1}, {name: example.com/a}]}}
  - name: NodeResourcesFit
    args:
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: NodeResourcesFitArgs
      ignoredResources: [example.com/a]
      ignoredResourceGroups: [example.org]
      scoringStrategy:
        type: RequestedToCapacityRatio
        resources: [{name: cpu, weight: 3}, {name: memory, weight: 100}]
        requestedToCapacityRatio: {shape: [{utilization: 0, score: 0}, {utilization: 50, score: 10}, {utilization: 100, score: 1}]}
`, `
profiles:
- pluginConfig:
  - name: PodTopologySpread
    args:
      defaultingType: List
      defaultConstraints:
      - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, minDomains: 2, nodeAffinityPolicy: Honor, nodeTaintsPolicy: Ignore, matchLabelKeys: [a]}
      - {maxSkew: 3, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway}
  - name: NodeAffinity
    args:
      addedAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [b, c]}, {key: m, operator: Gt, values: ["3"]}], matchFields: [{key: metadata.name, operator: In, values: [x]}]}]
        preferredDuringSchedulingIgnoredDuringExecution:
        - {weight: 5, preference: {matchExpressions: [{key: d, operator: Exists}]}}
`, `
extenders:
- urlPrefix: http://127.0.0.1:8888/a
  filterVerb: filter
  prioritizeVerb: prioritize
  preemptVerb: preempt
  bindVerb: bind
  weight: 3
  enableHTTPS: true
  tlsConfig: {serverName: a, insecure: true}
  httpTimeout: 2s
  nodeCacheCapable: true
  ignorable: true
  managedResources: [{name: example.com/gpu, ignoredByScheduler: true}, {name: example.com/b}]
- urlPrefix: https://127.0.0.1:8889
  prioritizeVerb: p
  weight: 1
  managedResources: [{name: example.com/c, ignoredByScheduler: false}]
`}

// table are configurations with one thing special about each.
var table = []string{
	``,
	`profiles: []`,
	`profiles: [{}]`,
	`profiles: [{}, {}]`,
	`profiles: [{schedulerName: a}, {schedulerName: a}]`,
	`profiles: [{schedulerName: ""}]`,
	`parallelism: 0`, `parallelism: -1`, `parallelism: 1`,
	`percentageOfNodesToScore: -1`, `percentageOfNodesToScore: 101`, `percentageOfNodesToScore: 100`, `percentageOfNodesToScore: 0`,
	`profiles: [{percentageOfNodesToScore: 101}]`, `profiles: [{percentageOfNodesToScore: -1}]`,
	`podInitialBackoffSeconds: 0`, `podInitialBackoffSeconds: 11`, `podMaxBackoffSeconds: 0`, `podMaxBackoffSeconds: 1`,
	`healthzBindAddress: ":1"`, `metricsBindAddress: ":1"`, `unknown: 1`,
	`leaderElection: {leaseDuration: -1s}`, `leaderElection: {renewDeadline: -1s}`, `leaderElection: {retryPeriod: -1s}`,
	`leaderElection: {leaseDuration: 10s}`, `leaderElection: {renewDeadline: 15s}`, `leaderElection: {leaseDuration: 10s, leaderElect: false}`,
	`leaderElection: {resourceLock: endpoints}`, `leaderElection: {resourceLock: endpoints, leaderElect: false}`,
	`leaderElection: {leaseDuration: ""}`, `leaderElection: {leaseDuration: 5}`, `leaderElection: {leaseDuration: null}`,
	`clientConnection: {burst: -1}`, `clientConnection: {qps: -1}`,
	`profiles: [{plugins: {queueSort: {disabled: [{name: "*"}]}}}]`,
	`profiles: [{plugins: {bind: {disabled: [{name: "*"}]}}}]`,
	`profiles: [{plugins: {bind: {disabled: [{name: DefaultBinder}]}}}]`,
	`profiles: [{plugins: {queueSort: {enabled: [{name: PrioritySort}, {name: PrioritySort}]}}}]`,
	`profiles: [{schedulerName: a}, {schedulerName: b, plugins: {queueSort: {enabled: [{name: PrioritySort}]}}}]`,
	`profiles: [{schedulerName: a, pluginConfig: [{name: PrioritySort, args: {a: 1}}]}, {schedulerName: b}]`,
	`profiles: [{plugins: {score: {enabled: [{name: NodeName}]}}}]`,
	`profiles: [{plugins: {score: {enabled: [{name: Nothing}]}}}]`,
	`profiles: [{plugins: {score: {disabled: [{name: Nothing}]}}}]`,
	`profiles: [{plugins: {multiPoint: {enabled: [{name: Nothing}]}}}]`,
	`profiles: [{plugins: {multiPoint: {enabled: [{name: EBSLimits}]}}}]`,
	`profiles: [{plugins: {filter: {enabled: [{name: EBSLimits}]}}}]`,
	`profiles: [{plugins: {filter: {disabled: [{name: EBSLimits}]}}}]`,
	`profiles: [{plugins: {multiPoint: {enabled: [{name: ImageLocality}, {name: ImageLocality}]}}}]`,
	`profiles: [{plugins: {score: {enabled: [{name: ImageLocality}, {name: ImageLocality}]}}}]`,
	`profiles: [{plugins: {multiPoint: {disabled: [{name: "*"}]}}}]`,
	`profiles: [{plugins: {multiPoint: {disabled: [{name: "*"}], enabled: [{name: PrioritySort}, {name: DefaultBinder}]}}}]`,
	`profiles: [{plugins: {score: {enabled: [{name: NodeResourcesFit, weight: 0}]}}}]`,
	`profiles: [{plugins: {score: {enabled: [{name: NodeResourcesFit, weight: 2147483647}]}}}]`,
	`profiles: [{plugins: {score: {enabled: [{name: NodeResourcesFit, weight: 2147483648}]}}}]`,
	`profiles: [{pluginConfig: [{name: NodeName, args: {a: 1}}]}]`,
	`profiles: [{pluginConfig: [{name: Nothing, args: {a: 1}}]}]`,
	`profiles: [{pluginConfig: [{name: EBSLimits}]}]`,
	`profiles: [{pluginConfig: [{name: NodeName}, {name: NodeName}]}]`,
	`profiles: [{pluginConfig: [{name: Nothing}, {name: Nothing}]}]`,
	`profiles: [{pluginConfig: [{name: NodeResourcesFit}]}]`,
	`profiles: [{pluginConfig: [{name: NodeResourcesFit, args: null}]}]`,
	`profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {}}]}]`,
	`profiles: [{pluginConfig: [{name: NodeResourcesFit, args: []}]}]`,
	`profiles: [{pluginConfig: [{name: NodeResourcesFit, args: 1}]}]`,
	`profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {kind: NodeAffinityArgs}}]}]`,
	`profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {apiVersion: kubescheduler.config.k8s.io/v1beta3}}]}]`,
	`profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {}}}]}]`,
	`profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: null}}]}]`,
	`profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated, resources: []}}}]}]`,
	`profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 0}]}}}]}]`,
	`profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu}, {name: cpu}]}}}]}]`,
	`profiles: [{pluginConfig: [{name: NodeResourcesBalancedAllocation, args: {resources: []}}]}]`,
	`profiles: [{pluginConfig: [{name: DefaultPreemption, args: {minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0}}]}]`,
	`profiles: [{pluginConfig: [{name: DynamicResources, args: {filterTimeout: -1s}}]}]`,
	`profiles: [{pluginConfig: [{name: DynamicResources, args: {bindingTimeout: 999ms}}]}]`,
	`profiles: [{pluginConfig: [{name: DynamicResources, args: {filterTimeout: null, bindingTimeout: null}}]}]`,
	`profiles: [{pluginConfig: [{name: VolumeBinding, args: {bindTimeoutSeconds: -1}}]}]`,
	`profiles: [{pluginConfig: [{name: VolumeBinding, args: {bindTimeoutSeconds: 0}}]}]`,
	`profiles: [{pluginConfig: [{name: VolumeBinding, args: {shape: []}}]}]`,
	`profiles: [{pluginConfig: [{name: VolumeBinding, args: {shape: [{utilization: 0, score: 1}]}}]}]`,
	`profiles: [{pluginConfig: [{name: VolumeBinding, args: {shape: null}}]}]`,
	`profiles: [{pluginConfig: [{name: PodTopologySpread, args: {defaultingType: System, defaultConstraints: []}}]}]`,
	`profiles: [{pluginConfig: [{name: PodTopologySpread, args: {defaultConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule}]}}]}]`,
	`profiles: [{pluginConfig: [{name: PodTopologySpread, args: {defaultingType: List, defaultConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule, labelSelector: {}}]}}]}]`,
	`profiles: [{pluginConfig: [{name: NodeAffinity, args: {addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {}}}}]}]`,
	`profiles: [{pluginConfig: [{name: NodeAffinity, args: {addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{}]}}}}]}]`,
	`profiles: [{pluginConfig: [{name: NodeAffinity, args: {addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In}]}]}}}}]}]`,
	`profiles: [{plugins: {multiPoint: {disabled: [{name: NodeResourcesFit}]}}}]
extenders: [{urlPrefix: "http://a", managedResources: [{name: example.com/a, ignoredByScheduler: true}]}]`,
	`profiles: [{plugins: {multiPoint: {disabled: [{name: NodeResourcesFit}]}}}]
extenders: [{urlPrefix: "http://a", managedResources: [{name: example.com/a}]}]`,
	`extenders: [{}]`, `extenders: [null]`,
	`extenders: [{urlPrefix: a, bindVerb: b}, {urlPrefix: b, bindVerb: b}]`,
	`extenders: [{urlPrefix: a, prioritizeVerb: b}]`, `extenders: [{urlPrefix: a, weight: -1}]`,
	`extenders: [{managedResources: [{name: cpu}]}]`, `extenders: [{managedResources: [{name: a.kubernetes.io/b}]}]`,
	`extenders: [{managedResources: [{name: requests.a/b}]}]`, `extenders: [{managedResources: [{name: a/b}, {name: a/b}]}]`,
	`extenders: [{managedResources: [{name: a/b}]}, {managedResources: [{name: a/b}]}]`, `extenders: [{managedResources: [{}]}]`,
	`extenders: [{tlsConfig: {insecure: true, caData: YQ==}}]`, `extenders: [{tlsConfig: {caData: YQ==}}]`,
	`extenders: [{tlsConfig: {caFile: /nowhere}}]`, `extenders: [{tlsConfig: {certFile: /nowhere}}]`,
	`extenders: [{tlsConfig: {certFile: /nowhere, keyFile: /nowhere}}]`, `extenders: [{tlsConfig: {certData: "?"}}]`,
	`extenders: [{httpTimeout: soon}]`, `extenders: [{httpTimeout: -1s}]`, `extenders: [{httpTimeout: 0s}]`,
}

// Configurations that kube-scheduler starts with are read, and no others.
func TestTable(t *testing.T) {
	for _, text := range table {
		agree(t, []byte(header+text))
	}
	for _, text := range rich {
		if err := read([]byte(header + text)); agree(t, []byte(header+text)) && err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
}

// The files that the reader is tested with.
func TestFiles(t *testing.T) {
	files, err := filepath.Glob("../../scheduler/config/testdata/files/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "name: Coscheduling") {
			continue // a plugin of another project, which kube-scheduler itself does not have
		}
		if !agree(t, text) {
			t.Log(file)
		}
	}
}

// TestMutations changes configurations at one or two places.
func TestMutations(t *testing.T) {
	cases := 1500
	if text := os.Getenv("MUTATIONS"); text != "" {
		cases, _ = strconv.Atoi(text)
	}
	rnd := rand.New(rand.NewPCG(1, 0))
	faults, fine := 0, 0
	for range cases {
		var o any
		if err := yaml.Unmarshal([]byte(header+rich[rnd.IntN(len(rich))]), &o); err != nil {
			t.Fatal(err)
		}
		for range 1 + rnd.IntN(2) {
			o = mutate(rnd, o, 0)
		}
		text, err := yaml.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		if !agree(t, text) {
			if faults++; faults > 20 {
				t.Fatal("and more")
			}
		}
		if read(text) == nil {
			fine++
		}
	}
	t.Logf("%d of %d were accepted", fine, cases)
	if fine == 0 || fine == cases {
		t.Error("mutations do not change enough, or too much")
	}
}

// values are put in the place of others.
var values = []any{
	nil, true, false, -1, 0, 1, 2, 10, 11, 99, 100, 101, 2147483647, 1.5, "", "*", "a", "cpu", "b/c", "NodeName", "NodeResourcesFit",
	"PrioritySort", "System", "List", "DoNotSchedule", "1s", "-1s", "A_B", "-", []any{}, map[string]any{}, []any{nil}, "leases",
}

func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key := range v {
			out[key] = clone(v[key])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = clone(v[i])
		}
		return out
	}
	return v
}

// mutate changes something below v.
func mutate(rnd *rand.Rand, v any, depth int) any {
	if depth > 0 && rnd.IntN(6) == 0 {
		return clone(values[rnd.IntN(len(values))])
	}
	switch v := v.(type) {
	case map[string]any:
		keys := sortedKeys(v)
		if len(keys) == 0 || rnd.IntN(12) == 0 {
			v["odd"] = clone(values[rnd.IntN(len(values))])
			return v
		}
		key := keys[rnd.IntN(len(keys))]
		if rnd.IntN(6) == 0 && depth > 0 {
			delete(v, key)
		} else if depth > 0 || key != "kind" && key != "apiVersion" {
			v[key] = mutate(rnd, v[key], depth+1)
		}
		return v
	case []any:
		switch i := rnd.IntN(max(len(v), 1)); {
		case len(v) == 0:
			return append(v, clone(values[rnd.IntN(len(values))]))
		case rnd.IntN(5) == 0:
			return append(v, clone(v[i]))
		case rnd.IntN(6) == 0:
			return append(v[:i:i], v[i+1:]...)
		default:
			v[i] = mutate(rnd, v[i], depth+1)
			return v
		}
	}
	return clone(values[rnd.IntN(len(values))])
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
