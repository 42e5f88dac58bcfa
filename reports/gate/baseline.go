package gate

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/sim/files/atomicfile"
	"github.com/berth-sim/berth/sim/files/document"
)

// BaselineSchema is the version of the JSON of a baseline.
const BaselineSchema = baselineSchemas + "v1"

// baselineSchemas is the prefix of all versions.
const baselineSchemas = "berth/baseline/"

// Baseline has the values of the metrics of earlier runs of a scenario, by seed. Save writes it, and runs are compared
// with it.
type Baseline struct {
	Schema   string   `json:"schema"`
	Version  string   `json:"version"` // of berth that made it
	Scenario string   `json:"scenario"`
	Policy   string   `json:"policy"`
	Horizon  string   `json:"horizon"` // of the runs, as scenarios write it
	Seeds    []uint64 `json:"seeds"`
	// Inputs are the input files of the runs without the policy, by name and hash.
	Inputs []rundir.Input `json:"inputs"`
	// Values are values of complete runs.
	Values []Values `json:"values"`
}

// Values are the values of one metric and label.
type Values struct {
	Key    string     `json:"metric"`
	BySeed []*float64 `json:"bySeed"` // nil: no value
}

// NewBaseline returns a baseline of the runs. It has all values of complete runs, and the values of parts of a run that
// the rules name. Version, Policy, Horizon and Inputs are those of about.
func NewBaseline(about Baseline, runs []*metric.Summary, rules Rules) *Baseline {
	b := &about
	b.Schema, b.Scenario, b.Inputs = BaselineSchema, runs[0].Run.Scenario, named(about.Inputs)
	for _, s := range runs {
		b.Seeds = append(b.Seeds, s.Run.Seed)
	}
	keys := metric.Keys(runs)
	for _, t := range rules.Tolerances {
		if t.Unknown(runs) == nil && !slices.Contains(keys, t.Key) {
			keys = append(keys, t.Key)
		}
	}
	for _, key := range keys {
		v := Values{Key: key.String()}
		for _, x := range values(key, runs) {
			var value *float64
			if isNumber(x) {
				value = &x
			}
			v.BySeed = append(v.BySeed, value)
		}
		b.Values = append(b.Values, v)
	}
	return b
}

// Replaceable returns an error if Save would fail, or would overwrite a file that is not a baseline.
func Replaceable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir() && !info.Mode().IsRegular():
		return nil // a pipe or a device: opening it now could consume what is meant for Save
	case err == nil && info.Mode().IsRegular():
		docs, err := document.ReadFile(path)
		if err != nil || len(docs) > 0 && !strings.HasPrefix(docs[0].Root().Get("schema").Text(), baselineSchemas) {
			return fmt.Errorf("%s: is there already and is not a baseline of berth", path)
		}
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return atomicfile.PathFirst(path, err)
	}
	f.Abort()
	return nil
}

// Save writes the baseline to a file. After an error the file is unchanged.
func (b *Baseline) Save(path string) error {
	if err := atomicfile.Write(path, func(w io.Writer) error { return output.WriteJSON(w, b) }); err != nil {
		return atomicfile.PathFirst(path, err)
	}
	return nil
}

// ReadBaseline reads what Save wrote. The error lists every fault.
func ReadBaseline(path string) (*Baseline, error) {
	docs, err := document.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(docs) != 1 {
		return nil, &document.Error{File: path, What: fmt.Sprintf("holds %d documents, a baseline is one", len(docs))}
	}
	root := docs[0].Root()
	switch schema := root.Get("schema").Text(); {
	case !strings.HasPrefix(schema, baselineSchemas):
		return nil, &document.Error{File: path, What: "is not a baseline of berth"}
	case schema != BaselineSchema:
		return nil, root.Errorf("schema", "is not %s: re-create the baseline with --update", BaselineSchema)
	}
	b := &Baseline{}
	var faults document.Errors
	if faults.Append(document.Decode(root, b)); len(faults) == 0 {
		b.check(root, &faults)
	}
	return b, faults.Err()
}

// check finds the errors of a baseline that has been decoded.
func (b *Baseline) check(root document.Value, faults *document.Errors) {
	if b.Horizon == "" {
		faults.Add(root, "horizon", "is not there: re-create the baseline with --update")
	}
	if len(b.Seeds) == 0 {
		faults.Add(root, "seeds", "is empty")
	}
	for i, seed := range b.Seeds {
		if slices.Contains(b.Seeds[:i], seed) {
			faults.Add(root, fmt.Sprintf("seeds[%d]", i), "is there twice")
		}
	}
	if len(b.Values) == 0 {
		faults.Add(root, "values", "is empty")
	}
	seen := map[string]bool{}
	for i, v := range b.Values {
		at := fmt.Sprintf("values[%d]", i)
		if seen[v.Key] {
			faults.Add(root, at+".metric", "is there twice")
		}
		seen[v.Key] = true
		if len(v.BySeed) != len(b.Seeds) {
			faults.Add(root, at+".bySeed", "has %s for %s", human.Counted(len(v.BySeed), "value"), human.Counted(len(b.Seeds), "seed"))
		}
	}
}

// Take removes all seeds but the first n.
func (b *Baseline) Take(n int) {
	b.Seeds = b.Seeds[:n]
	for i := range b.Values {
		b.Values[i].BySeed = b.Values[i].BySeed[:n]
	}
}

// Fits returns an error if runs of these inputs cannot be compared with the baseline. The inputs must be the same files,
// by name and content, in the same order.
func (b *Baseline) Fits(scenario, horizon string, inputs []rundir.Input) error {
	if scenario != b.Scenario {
		return fmt.Errorf("the baseline is of the scenario %q, not of %q", b.Scenario, scenario)
	}
	if horizon != b.Horizon {
		return fmt.Errorf("the baseline was made with the horizon %s, not with %s: re-create it with --update if that is meant", b.Horizon, horizon)
	}
	now := named(inputs)
	if slices.Equal(now, b.Inputs) {
		return nil
	}
	if in, has := surplus(now, b.Inputs); has {
		i := slices.IndexFunc(inputs, func(x rundir.Input) bool { return x.SHA256 == in.SHA256 && filepath.Base(x.Path) == in.Path })
		return fmt.Errorf("%s: is not what it was for the baseline: re-create it with --update if that is meant", inputs[i].Path)
	}
	if in, has := surplus(b.Inputs, now); has {
		return fmt.Errorf("the baseline was made with %s, which is not read any more or has changed: re-create it with --update if that is meant", in.Path)
	}
	return errors.New("the files of the scenario are in another order than for the baseline: re-create it with --update if that is meant")
}

// named returns the inputs without repeats and without their directories, since a baseline does not depend on where the
// files are.
func named(inputs []rundir.Input) []rundir.Input {
	var out []rundir.Input
	for i, in := range inputs {
		if !slices.Contains(inputs[:i], in) {
			in.Path = filepath.Base(in.Path)
			out = append(out, in)
		}
	}
	return out
}

// surplus returns the first input of list that is missing in other.
func surplus(list, other []rundir.Input) (rundir.Input, bool) {
	rest := slices.Clone(other)
	for _, in := range list {
		i := slices.Index(rest, in)
		if i < 0 {
			return in, true
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return rundir.Input{}, false
}

// of returns the values of a key by seed, NaN where there is none, and reports whether the baseline has the key.
func (b *Baseline) of(key metric.Key) ([]float64, bool) {
	i := slices.IndexFunc(b.Values, func(v Values) bool { return v.Key == key.String() })
	absent := math.NaN()
	if key.Part == (metric.Part{}) {
		absent = key.Absent()
	}
	out := make([]float64, len(b.Seeds))
	for seed := range out {
		switch {
		case i < 0:
			out[seed] = absent
		case b.Values[i].BySeed[seed] == nil:
			out[seed] = math.NaN()
		default:
			out[seed] = *b.Values[i].BySeed[seed]
		}
	}
	return out, i >= 0 || isNumber(absent)
}

// withoutChance reports whether the values do not depend on the seed.
func (b *Baseline) withoutChance() bool {
	for _, v := range b.Values {
		for _, x := range v.BySeed[1:] {
			if first := v.BySeed[0]; (x == nil) != (first == nil) || x != nil && *x != *first {
				return false
			}
		}
	}
	return len(b.Seeds) > 1
}
