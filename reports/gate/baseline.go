package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/berth-sim/berth/reports"
)

// BaselineSchema names the form of a baseline's JSON.
const BaselineSchema = "berth/baseline/v1"

// Baseline is what a scenario came to, seed by seed, when it was last thought good.
type Baseline struct {
	Schema   string   `json:"schema"`
	Version  string   `json:"version"` // of berth that made it
	Scenario string   `json:"scenario"`
	Policy   string   `json:"policy"`
	Seeds    []uint64 `json:"seeds"`
	// Inputs are what the runs were made from but for the policy, by name and hash.
	Inputs []reports.Input `json:"inputs"`
	// Values are those of the whole run, by seed; null where there is none.
	Values []Values `json:"values"`
}

// Values are those of one metric and label.
type Values struct {
	Key    string     `json:"metric"`
	BySeed []*float64 `json:"bySeed"`
}

// NewBaseline is a baseline of these runs.
func NewBaseline(version, policy string, runs []*reports.Summary, inputs []reports.Input) *Baseline {
	b := &Baseline{Schema: BaselineSchema, Version: version, Scenario: runs[0].Run.Scenario, Policy: policy}
	for _, in := range inputs {
		in.Path = filepath.Base(in.Path)
		b.Inputs = append(b.Inputs, in)
	}
	for _, s := range runs {
		b.Seeds = append(b.Seeds, s.Run.Seed)
	}
	for _, key := range reports.Keys(runs) {
		v := Values{Key: key.String()}
		for _, s := range runs {
			var value *float64
			if x := key.In(s); !math.IsNaN(x) {
				value = &x
			}
			v.BySeed = append(v.BySeed, value)
		}
		b.Values = append(b.Values, v)
	}
	return b
}

// Save writes the baseline to a file, whole or not at all.
func (b *Baseline) Save(path string) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(b); err != nil {
		return err
	}
	return save(path, text.Bytes())
}

// ReadBaseline reads what Save wrote.
func ReadBaseline(path string) (*Baseline, error) {
	text, err := os.ReadFile(path)
	var cause *os.PathError
	if errors.As(err, &cause) {
		return nil, fmt.Errorf("%s: %w", path, cause.Err)
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("%s: is not a baseline: %w", path, err)
	}
	if head.Schema != BaselineSchema {
		return nil, fmt.Errorf("%s: schema: %q is not %q: make the baseline anew with --update", path, head.Schema, BaselineSchema)
	}
	b := &Baseline{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(b); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("%s: there is more behind the baseline", path)
	}
	if len(b.Seeds) == 0 {
		return nil, fmt.Errorf("%s: seeds: is empty", path)
	}
	for _, v := range b.Values {
		if len(v.BySeed) != len(b.Seeds) {
			return nil, fmt.Errorf("%s: %s: has %d values for %d seeds", path, v.Key, len(v.BySeed), len(b.Seeds))
		}
	}
	return b, nil
}

// Take leaves the first n seeds.
func (b *Baseline) Take(n int) {
	b.Seeds = b.Seeds[:n]
	for i := range b.Values {
		b.Values[i].BySeed = b.Values[i].BySeed[:n]
	}
}

// Fits returns an error if runs of these inputs cannot be held against the baseline.
func (b *Baseline) Fits(scenario string, inputs []reports.Input) error {
	if scenario != b.Scenario {
		return fmt.Errorf("the baseline is of the scenario %q, not of %q", b.Scenario, scenario)
	}
	has := func(list []reports.Input, in reports.Input) bool {
		return slices.ContainsFunc(list, func(x reports.Input) bool { return x.SHA256 == in.SHA256 })
	}
	for _, in := range inputs {
		if !has(b.Inputs, in) {
			return fmt.Errorf("%s: is not what it was for the baseline: make it anew with --update if that is meant", in.Path)
		}
	}
	for _, in := range b.Inputs {
		if !has(inputs, in) {
			return fmt.Errorf("the baseline was made with %s, which is not read any more or has changed: make it anew with --update if that is meant", in.Path)
		}
	}
	return nil
}

// of are the values of a key by seed; NaN where there is none. It has none at all of a key
// that it does not know.
func (b *Baseline) of(key reports.Key) ([]float64, bool) {
	i := slices.IndexFunc(b.Values, func(v Values) bool { return v.Key == key.String() })
	out := make([]float64, len(b.Seeds))
	for seed := range out {
		out[seed] = math.NaN()
		if i >= 0 && b.Values[i].BySeed[seed] != nil {
			out[seed] = *b.Values[i].BySeed[seed]
		}
	}
	return out, i >= 0
}
