package schema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "github.com/cockroachdb/datadriven" // registers -rewrite
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/berth-sim/berth/reports/gate"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/plan"
	"github.com/berth-sim/berth/scenarios/schema"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/recipe"
)

var (
	row  = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\| (.+) \\|$")
	link = regexp.MustCompile(`\[([^\]]+)\]\([^)]*\)`)
)

// The descriptions of fields are those of the reference.
func TestMeaningsAreThoseOfTheReference(t *testing.T) {
	page, err := os.ReadFile("../../docs/scenario.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		text := link.ReplaceAllString(m[4], "$1")
		if preset := strings.TrimSpace(m[3]); preset != "none" && preset != "required" {
			text += ". Default: " + preset
		}
		texts[m[1]] = text
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(texts); err != nil {
		t.Fatal(err)
	}
	if flag.Lookup("rewrite").Value.String() == "true" {
		if err := os.WriteFile("meanings.json", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile("meanings.json"); err != nil || !bytes.Equal(have, b.Bytes()) {
		t.Error("meanings.json is not what docs/scenario.md says; go test ./scenarios/schema -args -rewrite writes it again")
	}
}

// compiled is a schema ready to validate.
func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := schema.Write(name)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name+".json", parsed); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// valid says what a schema has against the YAML of a file.
func valid(t *testing.T, s *jsonschema.Schema, file, text string) error {
	t.Helper()
	docs, err := document.Parse(file, []byte(text))
	if err != nil || len(docs) == 0 {
		return err
	}
	asJSON, err := docs[0].Root().MarshalJSON()
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

// fileOfScript is a file that a test script writes.
var fileOfScript = regexp.MustCompile(`(?ms)^file (\S+)\n(.*?)^----`)

// texts are the scenarios of the library and of the test scripts, by where they stand.
func texts(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	library, err := filepath.Glob("../*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	templates, err := filepath.Glob("../initialize/templates/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(library, templates...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[path] = string(text)
	}
	for _, root := range []string{"../testdata", "../../cmd/berth/testdata"} {
		err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range fileOfScript.FindAllStringSubmatch(string(text), -1) {
				all[path+"/"+m[1]+strings.Repeat("'", strings.Count(string(text[:strings.Index(string(text), m[0])]), m[1]))] = m[2]
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// What berth takes for a scenario is one to the schema.
func TestScenariosAreValid(t *testing.T) {
	s := compiled(t, "scenario")
	taken, refused := 0, 0
	for where, text := range texts(t) {
		if !strings.Contains(text, "kind: Scenario") {
			continue
		}
		file := filepath.Join(t.TempDir(), "scenario.yaml")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, wrong := scenarios.Load(file)
		err := valid(t, s, file, text)
		switch {
		case wrong == nil && err != nil:
			t.Errorf("%s: berth takes it, the schema does not: %v", where, err)
		case wrong == nil:
			taken++
		case err != nil:
			refused++
		}
	}
	if taken < 30 {
		t.Errorf("only %d scenarios were found", taken)
	}
	t.Logf("%d scenarios are valid; of the faulty ones, the schema refuses %d", taken, refused)
}

// header is the least that a scenario needs.
const header = `
apiVersion: berth/v1alpha1
kind: Scenario
metadata: {name: s}
fleet: [{pool: p, count: 1, template: {status: {allocatable: {cpu: 1, memory: 1Gi}}}}]
`

// ofPod is a scenario with a workload whose pods have the fields.
func ofPod(fields string) string {
	return with("arrivals: {atOnce: {count: 1}}, template: {spec: {containers: [{name: c, image: i}], " + fields + "}}")
}

// ofContainer is a scenario with a workload whose only container is the one given.
func ofContainer(container string) string {
	return with("arrivals: {atOnce: {count: 1}}, template: {spec: {containers: [" + container + "]}}")
}

// with is a scenario with a workload that has the fields.
func with(fields string) string { return header + "workloads:\n  - {name: w, " + fields + "}\n" }

const template = "template: {spec: {containers: [{name: c, image: i}]}}"

// The schema knows the words and amounts of Kubernetes.
func TestWhatPodsCanSay(t *testing.T) {
	spread := func(fields string) string {
		return ofPod("topologySpreadConstraints: [{" + fields + ", labelSelector: {}}]")
	}
	expression := func(operator string) string {
		return ofPod("affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: " + operator + ", values: [\"1\"]}]}]}}}")
	}
	agree(t, []said{
		{"a toleration", ofPod("tolerations: [{key: a, operator: Exists, effect: NoSchedule}]"), true},
		{"a toleration that leaves words empty", ofPod(`tolerations: [{key: a, operator: "", effect: ""}]`), true},
		{"no operator of a toleration", ofPod("tolerations: [{key: a, operator: Exist}]"), false},
		{"no effect of a toleration", ofPod("tolerations: [{key: a, operator: Exists, effect: NoScheduling}]"), false},
		{"a policy of restarts", ofPod("restartPolicy: Never"), true},
		{"no policy of restarts", ofPod("restartPolicy: Sometimes"), false},
		{"no policy of preemption", ofPod("preemptionPolicy: Sometimes"), false},
		{"an expression", expression("Gt"), true},
		{"no operator of an expression", expression("Above"), false},
		{"an expression without an operator", strings.Replace(expression("In"), "operator: In, ", "", 1), false},
		{"a constraint", spread("maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule, nodeTaintsPolicy: Honor"), true},
		{"no skew", spread("maxSkew: 0, topologyKey: z, whenUnsatisfiable: DoNotSchedule"), false},
		{"no answer to a constraint", spread("maxSkew: 1, topologyKey: z, whenUnsatisfiable: Wait"), false},
		{"no policy of a constraint", spread("maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule, nodeTaintsPolicy: Obey"), false},
		{"a constraint without a key", spread("maxSkew: 1, whenUnsatisfiable: DoNotSchedule"), false},
		{"amounts", ofContainer(`{name: c, image: i, resources: {requests: {cpu: 0.5, memory: 1.5Gi}, limits: {memory: 2e9}}}`), true},
		{"an amount with a wrong unit", ofContainer("{name: c, image: i, resources: {requests: {memory: 1536MB}}}"), false},
		{"an amount with two units", ofContainer("{name: c, image: i, resources: {requests: {cpu: 500mm}}}"), false},
		{"a port", ofContainer("{name: c, image: i, ports: [{containerPort: 80, hostPort: 8080, protocol: UDP}]}"), true},
		{"no port", ofContainer("{name: c, image: i, ports: [{containerPort: 80, hostPort: 70000}]}"), false},
		{"no protocol", ofContainer("{name: c, image: i, ports: [{containerPort: 80, protocol: HTTP}]}"), false},
		{"a container without a name", ofContainer("{image: i}"), false},
		{"a container without an image", ofContainer("{name: c}"), false},
		{"a pod without containers", with("arrivals: {atOnce: {count: 1}}, template: {spec: {restartPolicy: Never}}"), false},
		{"a taint of no effect", strings.Replace(header, "{status:", "{spec: {taints: [{key: a, effect: Never}]}, status:", 1), false},
		{"a taint without an effect", strings.Replace(header, "{status:", "{spec: {taints: [{key: a}]}, status:", 1), false},
	})
}

// The schema refuses what berth refuses, as far as one place tells, and takes what it takes.
func TestWhatScenariosCanSay(t *testing.T) {
	agree(t, []said{
		{"the least", header, true},
		{"a horizon that is negative", header + "horizon: -2h", false},
		{"a rate that is negative", with("arrivals: {poisson: {rate: -4/m}}, " + template), false},
		{"a pool without a name", strings.Replace(header, "pool: p", `pool: ""`, 1), false},
		{"zones", strings.Replace(header, "count: 1", "count: 1, zones: [a, b]", 1), true},
		{"a zone twice", strings.Replace(header, "count: 1", "count: 1, zones: [a, a]", 1), false},
		{"nothing", "{}", false},
		{"a list", "[]", false},
		{"another kind", strings.Replace(header, "Scenario", "Gate", 1), false},
		{"another version", strings.Replace(header, "v1alpha1", "v1", 1), false},
		{"no name", strings.Replace(header, "{name: s}", "{}", 1), false},
		{"no metadata", strings.Replace(header, "metadata: {name: s}", "", 1), false},
		{"metadata of null", strings.Replace(header, "{name: s}", "", 1), false},
		{"no fleet", strings.Split(header, "fleet")[0], false},
		{"an empty fleet", strings.Split(header, "fleet")[0] + "fleet: []", false},
		{"an unknown field", header + "horizont: 1h", false},
		{"a field left empty", header + "workloads:\nobjects:\nhorizon:\nlatency:\n", true},
		{"a horizon", header + "horizon: 1h30m", true},
		{"a horizon until all is done", header + "horizon: untilDone", true},
		{"a horizon without a unit", header + "horizon: 90", false},
		{"a horizon of words", header + "horizon: soon", false},
		{"a seed", header + "seed: 18446744073709551615", true},
		{"a negative seed", header + "seed: -1", false},
		{"a seed in quotes", header + `seed: "1"`, false},
		{"a tie break", header + "tieBreak: first", true},
		{"no tie break that there is", header + "tieBreak: last", false},
		{"a pool without a template", strings.Replace(header, ", template: {status: {allocatable: {cpu: 1, memory: 1Gi}}}", "", 1), false},
		{"a pool of none beside others", strings.Replace(header, "{pool: p", "{pool: none, count: 0, template: {status: {allocatable: {cpu: 1}}}}, {pool: p", 1), true},
		{"a pool of less than none", strings.Replace(header, "count: 1", "count: -1", 1), false},
		{"two sources of nodes", strings.Replace(header, "count: 1", "count: 1, manifests: [x]", 1), false},
		{"jitter", strings.Replace(header, "count: 1", "count: 1, jitter: {cpu: 0.1}", 1), true},
		{"too much jitter", strings.Replace(header, "count: 1", "count: 1, jitter: {cpu: 1}", 1), false},
		{"an unknown field of a node", strings.Replace(header, "{status:", "{state: {}, status:", 1), false},
		{"a workload", with("arrivals: {every: 1m, limit: 3}, " + template), true},
		{"a workload without arrivals", with(template), false},
		{"two kinds of arrivals", with("arrivals: {every: 1m, times: [1m]}, " + template), false},
		{"arrivals of no kind", with("arrivals: {limit: 3}, " + template), false},
		{"a rate", with("arrivals: {poisson: {rate: 2.5/s}, limit: 5}, " + template), true},
		{"a rate without a unit", with("arrivals: {poisson: {rate: 2.5}}, " + template), false},
		{"a rate of a fortnight", with("arrivals: {poisson: {rate: 2/w}}, " + template), false},
		{"a lifetime", with("lifetime: {lognormal: {median: 1m, sigma: 1}}, arrivals: {atOnce: {count: 1}}, " + template), true},
		{"a lifetime forever", with("lifetime: forever, arrivals: {atOnce: {count: 1}}, " + template), true},
		{"a lifetime of two laws", with("lifetime: {fixed: 1m, exponential: {mean: 1m}}, arrivals: {atOnce: {count: 1}}, " + template), false},
		{"a law that lacks a field", with("lifetime: {lognormal: {median: 1m}}, arrivals: {atOnce: {count: 1}}, " + template), false},
		{"an unknown field of a container", with("arrivals: {every: 1m}, template: {spec: {containers: [{name: c, img: i}]}}"), false},
		{"an unknown field of a pod", with("arrivals: {every: 1m}, template: {spec: {nodeSelectors: {}}}"), false},
		{"a label that is a number", with("arrivals: {every: 1m}, template: {metadata: {labels: {a: 1}}, spec: {}}"), false},
		{"a trace", with("trace: {swf: {jobs: x.swf, statuses: [1], memoryPerProcessor: 1Gi, start: 2d}}"), true},
		{"two traces", with("trace: {swf: {jobs: x.swf}, philly: {jobs: y.csv}}"), false},
		{"an unknown option of a trace", with("trace: {swf: {jobs: x.swf, begin: 1h}}"), false},
		{"an event", header + "events: [{at: 1m, drain: {pool: p, count: 1}}]", true},
		{"an event without a time", header + "events: [{drain: {pool: p}}]", false},
		{"two events in one", header + "events: [{at: 1m, drain: {pool: p}, cordon: {pool: p}}]", false},
		{"a taint without an effect", header + "events: [{at: 1m, taint: {pool: p, key: a}}]", false},
		{"more nodes of no number", header + "events: [{at: 1m, add: {pool: p}}]", false},
		{"latency", header + "latency: {preset: none, bind: 5ms, start: {uniform: {max: 3s}}, perNode: 0}", true},
		{"no preset that there is", header + "latency: {preset: fast}", false},
		{"latency forever", header + "latency: {bind: forever}", false},
		{"a share above 1", header + "collect: {fragmentation: {share: 1.5}}", false},
	})
}

// said is a scenario, and whether it is good.
type said struct {
	name, text string
	good       bool
}

// agree holds berth and the schema against what is known of scenarios.
func agree(t *testing.T, all []said) {
	t.Helper()
	s := compiled(t, "scenario")
	for _, tt := range all {
		file := filepath.Join(t.TempDir(), "scenario.yaml")
		if err := os.WriteFile(file, []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, wrong := scenarios.Validate(file, recipe.Recipe{})
		missing := wrong != nil && strings.Contains(wrong.Error(), "no such file") && !strings.Contains(wrong.Error(), "\n")
		if (wrong == nil || missing) != tt.good {
			t.Errorf("%s: berth says %v", tt.name, wrong)
		}
		if err := valid(t, s, file, tt.text); (err == nil) != tt.good {
			t.Errorf("%s: the schema says %v", tt.name, err)
		}
	}
}

func TestWhatGatesCanSay(t *testing.T) {
	s := compiled(t, "gate")
	const header = "apiVersion: berth/v1alpha1\nkind: Gate\n"
	for _, tt := range []struct {
		name, text string
		good       bool
	}{
		{"a limit", header + "limits: {placement.pending: {max: 0}}", true},
		{"tolerances", header + "seeds: 5\ntolerances: {placement.pending: 2, \"placement.waitToBind[p99]\": 5%}", true},
		{"any resource", header + "limits: {\"utilization.allocated[example.com/fpga]\": {min: 0.1, max: 1}}", true},
		{"a workload", header + "limits: {\"placement.pending{workload=web}\": {max: 0}}", true},
		{"a statistic of a priority", header + "tolerances: {\"placement.waitToBind[p99]{priority=-10}\": 5%}", true},
		{"a resource of a pool", header + "limits: {\"utilization.allocated[cpu]{ pool = general }\": {max: 1}}", true},
		{"a reason of a workload", header + "limits: {\"placement.pendingReason[a: b {c}]{workload=web}\": {max: 1}}", true},
		{"a part that there is not", header + "limits: {\"placement.pending{profile=web}\": {max: 0}}", false},
		{"a part that the metric has not", header + "limits: {\"placement.pending{pool=general}\": {max: 0}}", false},
		{"a part of what only whole runs have", header + "limits: {\"utilization.zoneSkewMean[cpu]{pool=general}\": {max: 0}}", false},
		{"a priority that is not a number", header + "limits: {\"placement.pending{priority=high}\": {max: 0}}", false},
		{"a part without a name", header + "limits: {\"placement.pending{workload=}\": {max: 0}}", false},
		{"a part before the label", header + "limits: {\"placement.waitToBind{workload=web}[p99]\": {max: 0}}", false},
		{"a field left empty", header + "tolerances:\nlimits: {placement.pending: {max: 0}}", true},
		{"no header", "limits: {placement.pending: {max: 0}}", false},
		{"another kind", "apiVersion: berth/v1alpha1\nkind: Scenario\nlimits: {placement.pending: {max: 0}}", false},
		{"no seeds", header + "seeds: 0\nlimits: {placement.pending: {max: 0}}", false},
		{"an unknown field", header + "seed: 3\nlimits: {placement.pending: {max: 0}}", false},
		{"an unknown metric", header + "limits: {placement.pendign: {max: 0}}", false},
		{"a metric without its label", header + "limits: {placement.waitToBind: {max: 0}}", false},
		{"an unknown statistic", header + "limits: {\"placement.waitToBind[p98]\": {max: 0}}", false},
		{"a limit without bounds", header + "limits: {placement.pending: {}}", false},
		{"amounts with units", header + "tolerances: {\"placement.waitToBind[p99]\": 10s, \"utilization.allocated[cpu]\": 5 %}\nlimits: {\"placement.waitToBind[p50]\": {min: 500ms, max: \"1h\"}, \"fragmentation.largest[memory]\": {min: 8Gi, max: }}", true},
		{"shares", header + "limits: {\"utilization.allocated[cpu]\": {min: 60%, max: 0.9}}", true},
		{"a limit in words", header + "limits: {placement.pending: {max: few}}", false},
		{"a limit that is a list", header + "limits: {placement.pending: {max: [1]}}", false},
		{"an unknown bound", header + "limits: {placement.pending: {most: 0}}", false},
		{"a negative tolerance", header + "tolerances: {placement.pending: -1}", false},
		{"a tolerance in words", header + "tolerances: {placement.pending: some}", false},
		{"a tolerance of what is neither better nor worse", header + "tolerances: {placement.arrived: 1}", false},
	} {
		file := filepath.Join(t.TempDir(), "gate.yaml")
		if err := os.WriteFile(file, []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, wrong := gate.ReadRules(file); (wrong == nil) != tt.good {
			t.Errorf("%s: berth says %v", tt.name, wrong)
		}
		if err := valid(t, s, file, tt.text); (err == nil) != tt.good {
			t.Errorf("%s: the schema says %v", tt.name, err)
		}
	}
}

func TestWhatGoalsCanSay(t *testing.T) {
	s := compiled(t, "goal")
	const header = "apiVersion: berth/v1alpha1\nkind: Goal\n"
	const goals = header + "goals: [{goal: placement.pending == 0}]\n"
	for _, tt := range []struct {
		name, text string
		good       bool
	}{
		{"a goal", goals, true},
		{"goals", header + "goals:\n- {goal: placement.pending == 0, name: n, why: w, quantile: 50}\n- goal: placement.pending{workload=web} == 0", true},
		{"pools", goals + "vary: [{pool: a, count: 0..9, pricePerHour: 0.5}, {pool: b, count: 1 .. 1}]", true},
		{"numbers", goals + "seeds: 3\nseed: 0\nquantile: 100\nprobes: 5\nhorizon: 1h30m\npolicy: default", true},
		{"compaction", header + "compact: random\npending: 0\nhorizon: untilDone", true},
		{"fields left empty", goals + "vary:\nseeds:\npolicy:\nhorizon:\npending:\n", true},
		{"no header", "goals: [{goal: placement.pending == 0}]", false},
		{"another kind", "apiVersion: berth/v1alpha1\nkind: Gate\ngoals: [{goal: placement.pending == 0}]", false},
		{"nothing asked for", header + "seeds: 3", false},
		{"an unknown field", goals + "seds: 3", false},
		{"an unknown field of a goal", header + "goals: [{goal: placement.pending == 0, reason: r}]", false},
		{"a goal that is a text", header + "goals: [placement.pending == 0]", false},
		{"a goal without a condition", header + "goals: [{name: n}]", false},
		{"a quantile of none", goals + "quantile: 0", false},
		{"a quantile of a goal above all", header + "goals: [{goal: placement.pending == 0, quantile: 101}]", false},
		{"no seeds", goals + "seeds: 0", false},
		{"half a seed", goals + "seeds: 1.5", false},
		{"a negative first seed", goals + "seed: -1", false},
		{"no probes", goals + "probes: 0", false},
		{"compaction that is a truth", header + "compact: true", false},
		{"more pending than there are", header + "compact: random\npending: 1.1", false},
		{"a horizon of words", goals + "horizon: soon", false},
		{"a pool without sizes", goals + "vary: [{pool: a}]", false},
		{"sizes without a pool", goals + "vary: [{count: 1..2}]", false},
		{"one size", goals + "vary: [{pool: a, count: 5}]", false},
		{"sizes of words", goals + "vary: [{pool: a, count: few..many}]", false},
		{"negative sizes", goals + "vary: [{pool: a, count: -1..2}]", false},
		{"a negative price", goals + "vary: [{pool: a, count: 1..2, pricePerHour: -1}]", false},
	} {
		file := filepath.Join(t.TempDir(), "goals.yaml")
		if err := os.WriteFile(file, []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, wrong := plan.ReadFile(file); (wrong == nil) != tt.good {
			t.Errorf("%s: berth says %v", tt.name, wrong)
		}
		if err := valid(t, s, file, tt.text); (err == nil) != tt.good {
			t.Errorf("%s: the schema says %v", tt.name, err)
		}
	}
}

// Every field that the reference has says in the schema what it means.
func TestEveryFieldIsDescribed(t *testing.T) {
	for _, name := range schema.Names {
		t.Run(name, func(t *testing.T) { testDescribed(t, name) })
	}
}

func testDescribed(t *testing.T, kind string) {
	text, err := schema.Write(kind)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 1<<20 {
		t.Errorf("the schema has %d bytes", len(text))
	}
	var s struct {
		Defs map[string]struct {
			Properties map[string]struct{ Description string }
		} `json:"$defs"`
		Properties map[string]struct{ Description string }
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	for name, p := range s.Properties {
		if p.Description == "" {
			t.Errorf("%s has no description", name)
		}
	}
	for def, d := range s.Defs {
		for name, p := range d.Properties {
			if p.Description == "" && !strings.Contains(def, ".") {
				t.Errorf("%s.%s has no description", def, name)
			}
		}
	}
	again, err := schema.Write(kind)
	if err != nil || !bytes.Equal(text, again) {
		t.Error("the schema is not the same twice")
	}
}
