package experiment_test

// regression is a change of quickstart, or of its policy, that a person would call one.
type regression struct {
	name   string
	edits  []string // of the scenario: pairs of a text and what takes its place
	policy string   // a scheduler configuration without its header; empty: the default
}

const (
	allocatable  = `allocatable: {cpu: "16", memory: 64Gi, pods: "110"}`
	webPods      = "        priorityClassName: standard\n"
	trainingStep = `requests: {cpu: "4", memory: 12Gi}`
	general      = "    template: # a Node\n      metadata: {labels: {node.kubernetes.io/instance-type: m.large}}\n      status: {" + allocatable + "}\n"
)

// otherPool is a second pool of nodes like those of the first, except for its labels and taints.
func otherPool(count, labels, spec string) string {
	return general + "  - pool: other\n    count: " + count + "\n    zones: [a, b, c]\n    pricePerHour: 0.38\n    template:\n      metadata: {labels: {" + labels +
		"}}\n" + spec + "      status: {" + allocatable + "}\n"
}

// regressions are in the order in which the bounded test takes them: cheap ones first.
var regressions = []regression{
	{name: "MostAllocated in place of LeastAllocated", policy: "profiles:\n  - pluginConfig:\n" +
		"      - {name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}, {name: memory, weight: 1}]}}}\n"},
	{name: "MostAllocated that weighs cpu tenfold", policy: "profiles:\n  - pluginConfig:\n" +
		"      - {name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 10}, {name: memory, weight: 1}]}}}\n"},
	{name: "nodes cost a fifth more", edits: []string{"pricePerHour: 0.38", "pricePerHour: 0.46"}},
	{name: "priorities exchanged", edits: []string{"priorityClassName: standard", "priorityClassName: x", "priorityClassName: batch",
		"priorityClassName: standard", "priorityClassName: x", "priorityClassName: batch"}},
	{name: "ten nodes drained in place of five", edits: []string{"count: 5}", "count: 10}"}},
	{name: "drained nodes stay cordoned", edits: []string{"  - {at: 75m, uncordon: {pool: general}}\n", ""}},
	{name: "web pods request 650m in place of 500m", edits: []string{"cpu: 500m", "cpu: 650m"}},
	{name: "web pods live 25 minutes in place of 20", edits: []string{"median: 20m", "median: 25m"}},
	{name: "20 pods a node in place of 110", edits: []string{`pods: "110"`, `pods: "20"`}},
	{name: "web pods request 3 GiB in place of 1.5", edits: []string{"1536Mi", "3Gi"}},
	{name: "nodes with 36 GiB in place of 64", edits: []string{"64Gi", "36Gi"}},
	{name: "ten of forty nodes tainted", edits: []string{"count: 40\n", "count: 30\n", general,
		otherPool("10", "node.kubernetes.io/instance-type: m.large", "      spec: {taints: [{key: maintenance, effect: NoSchedule}]}\n")}},
	{name: "a label misspelled on a quarter of the nodes", edits: []string{"count: 40\n", "count: 30\n", general,
		otherPool("10", "node.kubernetes.io/instance-type: m.lrage", ""), webPods, "        nodeSelector: {node.kubernetes.io/instance-type: m.large}\n" + webPods}},
	{name: "30 nodes in place of 40", edits: []string{"count: 40\n", "count: 30\n"}},
	{name: "56 web pods a minute in place of 40", edits: []string{"rate: 40/m", "rate: 56/m"}},
	{name: "a scheduling cycle takes 1.6 s", edits: []string{"collect:", "latency: {cycle: 1600ms}\ncollect:"}},
	{name: "binding takes 30 s", edits: []string{"collect:", "latency: {bind: 30s}\ncollect:"}},
	{name: "training pods request 7 cores in place of 4", edits: []string{trainingStep, `requests: {cpu: "7", memory: 12Gi}`}},
	{name: "gangs of 16 in place of 8", edits: []string{"replicas: 8", "replicas: 16", "minMember: 8", "minMember: 16"}},
	{name: "nodes with 12 cores in place of 16", edits: []string{`cpu: "16"`, `cpu: "12"`}},
}
