package gate_test

import (
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/gate"
	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/sim/model/clock"
)

// What runs came to is what is read again, and they pass against themselves.
func TestBaselineReadAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	draws := clock.NewStreams(3).Rand("gate")
	awkward := func() float64 {
		switch draws.IntN(4) {
		case 0:
			return math.NaN()
		case 1:
			return math.Ldexp(draws.Float64(), draws.IntN(200)-100)
		}
		return draws.NormFloat64() / 3
	}
	for n := range 30 {
		runs := random(awkward, judgedNames(), 1+n%12).runs(t)
		made := gate.NewBaseline(gate.Baseline{
			Version: "v", Policy: "p", Horizon: "1h", Inputs: []rundir.Input{{Path: "x.yaml", SHA256: "1"}},
		}, runs, gate.Rules{})
		if err := made.Save("base.json"); err != nil {
			t.Fatal(err)
		}
		read, err := gate.ReadBaseline("base.json")
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(made, read) {
			t.Fatalf("%+v was read as %+v", made, read)
		}
		if got := failed(gate.Judge(gate.Default(runs, read), read, runs, "p")); got != "" {
			t.Errorf("the runs fail against themselves: %s", got)
		}
	}
}

func TestFits(t *testing.T) {
	in := func(pairs ...string) []rundir.Input {
		var out []rundir.Input
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, rundir.Input{Path: pairs[i], SHA256: pairs[i+1]})
		}
		return out
	}
	b := gate.NewBaseline(gate.Baseline{
		Horizon: "1h", Inputs: in("d/s.yaml", "0", "d/a.yaml", "1", "d/b.yaml", "2", "d/e/b.yaml", "3", "d/e/b.yaml", "3"),
	}, figures{"placement.victims": ten}.runs(t), gate.Rules{})
	for _, tt := range []struct {
		name, scenario, horizon string
		inputs                  []rundir.Input
		wrong                   string
	}{
		{"the same", "s", "1h", in("d/s.yaml", "0", "d/a.yaml", "1", "d/b.yaml", "2", "d/e/b.yaml", "3"), ""},
		{"one read twice", "s", "1h", in("d/s.yaml", "0", "d/a.yaml", "1", "d/a.yaml", "1", "d/b.yaml", "2", "d/e/b.yaml", "3"), ""},
		{"in another directory", "s", "1h", in("x/s.yaml", "0", "x/a.yaml", "1", "x/b.yaml", "2", "x/e/b.yaml", "3"), ""},
		{"of another name", "z", "1h", in("d/s.yaml", "0", "d/a.yaml", "1", "d/b.yaml", "2", "d/e/b.yaml", "3"), `is of the scenario "s", not of "z"`},
		{"with another horizon", "s", "2h", in("d/s.yaml", "0", "d/a.yaml", "1", "d/b.yaml", "2", "d/e/b.yaml", "3"), "horizon 1h, not with 2h"},
		{"one changed", "s", "1h", in("d/s.yaml", "0", "d/a.yaml", "9", "d/b.yaml", "2", "d/e/b.yaml", "3"), "d/a.yaml: is not what it was"},
		{"one gone", "s", "1h", in("d/s.yaml", "0", "d/a.yaml", "1", "d/b.yaml", "2"), "made with b.yaml, which is not read any more"},
		{"one more", "s", "1h", in("d/s.yaml", "0", "d/a.yaml", "1", "d/b.yaml", "2", "d/e/b.yaml", "3", "d/f.yaml", "4"), "f.yaml: is not what it was"},
		{"one more copy", "s", "1h", in("d/s.yaml", "0", "d/a.yaml", "1", "d/b.yaml", "2", "d/e/b.yaml", "3", "d/f/b.yaml", "3"), "b.yaml: is not what it was"},
		{"two with their contents swapped", "s", "1h", in("d/s.yaml", "0", "d/a.yaml", "2", "d/b.yaml", "1", "d/e/b.yaml", "3"), "a.yaml: is not what it was"},
		{"two of one name with their contents swapped", "s", "1h", in("d/s.yaml", "0", "d/a.yaml", "1", "d/b.yaml", "3", "d/e/b.yaml", "2"), "in another order"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := b.Fits(tt.scenario, tt.horizon, tt.inputs)
			if (err == nil) != (tt.wrong == "") || err != nil && !strings.Contains(err.Error(), tt.wrong) {
				t.Errorf("the error is %v, and not %q", err, tt.wrong)
			}
		})
	}
}

// Rules name figures that baselines do not have by themselves.
func TestBaselineForRules(t *testing.T) {
	const cause = "placement.evictions[drain]{workload=w}"
	zeros := make([]float64, 10)
	f := figures{
		"placement.victims": ten, "placement.victims{workload=w}": ten,
		"utilization.allocated[unused]": zeros, "utilization.allocatedPeak[unused]": zeros,
	}
	rules := rulesOf(t, "tolerances:", "  placement.victims{workload=w}: 0", "  utilization.allocated[unused]: 0", "  "+cause+": 0")
	for _, tt := range []struct {
		about gate.Rules
		want  int
	}{{gate.Rules{}, 1}, {rules, 4}} {
		if got := len(baselineOf(t, f, tt.about).Values); got != tt.want {
			t.Errorf("the baseline has %d figures, and not %d", got, tt.want)
		}
	}
	if got := failed(gate.Judge(rules, baselineOf(t, f, rules), f.runs(t), "p")); got != "" {
		t.Errorf("against the same: %s", got)
	}
	f[cause] = ten
	if got := failed(gate.Judge(rules, baselineOf(t, f, rules), f.runs(t), "p")); got != "" {
		t.Errorf("against the same, with a cause: %s", got)
	}
}

func TestReadBaselineFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	const good = `{"schema": "berth/baseline/v1", "version": "v", "scenario": "s", "policy": "p", "horizon": "1h", "seeds": [1, 2],
 "inputs": [], "values": [{"metric": "placement.victims", "bySeed": [1, null]}]}`
	for _, tt := range []struct {
		name, old, new string
		wrong          []string
	}{
		{"whole", "", "", nil},
		{"empty", good, "", []string{"b.json: holds 0 documents, a baseline is one"}},
		{"cut", "]}]}", "", []string{"b.json:2:77: is not well-formed JSON: expected a comma or ]"}},
		{"a list", good, "[]", []string{"b.json: is not a baseline of berth"}},
		{"of something else", "berth/baseline/v1", "berth/plan/v1", []string{"b.json: is not a baseline of berth"}},
		{"of another form", "v1", "v0", []string{`b.json:1:12: schema: "berth/baseline/v0" is not berth/baseline/v1: re-create the baseline with --update`}},
		{"with an unknown field", `"inputs"`, `"more": 1, "inputs"`, []string{"b.json:2:2: more: unknown field"}},
		{"with more behind it", "]}]}", "]}]} {}", []string{"b.json: holds 2 documents, a baseline is one"}},
		{"without a horizon", `"horizon": "1h", `, "", []string{"b.json:1:1: horizon: is not there: re-create the baseline with --update"}},
		{"without seeds", `"seeds": [1, 2]`, `"seeds": []`, []string{"b.json:1:107: seeds: is empty", "values[0].bySeed: has 2 values for 0 seeds"}},
		{"with a seed twice", "[1, 2]", "[2, 2]", []string{`b.json:1:111: seeds[1]: "2" is there twice`}},
		{"without values", `{"metric": "placement.victims", "bySeed": [1, null]}`, "", []string{"b.json:2:26: values: is empty"}},
		{"with a figure twice", `]}]}`, `]}, {"metric": "placement.victims", "bySeed": [1]}]}`, []string{`values[1].metric: "placement.victims" is there twice`, "values[1].bySeed: has 1 value for 2 seeds"}},
		{"with words", "[1, null]", `[1, "many"]`, []string{`values[0].bySeed[1]: "many" must be a number, got a string`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile("b.json", []byte(strings.Replace(good, tt.old, tt.new, 1)), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := gate.ReadBaseline("b.json")
			if (err == nil) != (tt.wrong == nil) {
				t.Fatalf("the error is %v, and not %q", err, tt.wrong)
			}
			for _, wrong := range tt.wrong {
				if !strings.Contains(err.Error(), wrong) {
					t.Errorf("the error is\n%v\nand not\n%s", err, wrong)
				}
			}
		})
	}
}

// Nothing but a baseline is replaced, and what cannot be written is known beforehand.
func TestReplaceable(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"scenario.yaml": "kind: Scenario\n", "plan.json": `{"schema": "berth/plan/v1"}`, "cut.json": `{"schema": "berth/baseline/v1", "seeds": [`,
		"empty": "", "old.json": `{"schema": "berth/baseline/v0"}`, "base.json": `{"schema": "berth/baseline/v1"}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("dir", 0o755); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	const other = ": is there already and is not a baseline of berth"
	for path, wrong := range map[string]string{
		"new.json": "", "empty": "", "old.json": "", "base.json": "",
		"scenario.yaml": other, "plan.json": other, "cut.json": other,
		"dir": ": is a directory", "none/base.json": ": no such file or directory", "empty/base.json": ": not a directory",
	} {
		err := gate.Replaceable(path)
		if (err == nil) != (wrong == "") || err != nil && err.Error() != path+wrong {
			t.Errorf("%s: the error is %v, and not %q", path, err, wrong)
		}
	}
	after, err := os.ReadDir(".")
	if err != nil || !slices.EqualFunc(before, after, func(a, b os.DirEntry) bool { return a.Name() == b.Name() }) {
		t.Errorf("%v became %v, %v", before, after, err)
	}
}
