package reproduce

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/berth-sim/berth/reports/curves"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/atomicfile"
)

// store is the file that keeps the result of a run.
type store struct {
	path        string
	fingerprint string // of what the run is made from
}

// storeSchema goes up when results of older files are worth nothing.
const storeSchema = "berth/fgd/v2"

func (j *job) store(run *scenarios.Run) store {
	sum := sha256.New()
	fmt.Fprintln(sum, storeSchema, j.study.Version, j.seed)
	for _, in := range run.Inputs {
		if filepath.Base(in.Path) != "scenario.yaml" { // which says where the other files are
			fmt.Fprintln(sum, in.SHA256)
		}
	}
	return store{
		path:        filepath.Join(j.study.Out, "runs", j.list, j.policy.Name, strconv.FormatUint(j.seed, 10)+".json"),
		fingerprint: hex.EncodeToString(sum.Sum(nil)),
	}
}

// kept is the file as it is written.
type kept struct {
	Schema      string  `json:"schema"`
	Inputs      string  `json:"inputs"` // fingerprint
	Devices     int64   `json:"devices"`
	Pods        int     `json:"pods"`
	Unscheduled int     `json:"unscheduled"`
	Used        int64   `json:"usedMilli"`
	Fragmented  float64 `json:"fragmentedMilli"`
	Ratio       float64 `json:"fragmentedOfIdlePercent"`
	Allocated   column  `json:"allocatedPercent"`
	Lost        column  `json:"fragmentedPercent"`
	LostOfIdle  column  `json:"fragmentedOfIdlePercentCurve"`
}

// column is a curve in which null stands for no value.
type column []*float64

func columnOf(c *curves.Curve) column {
	out := make(column, len(c))
	for i := range c {
		if !math.IsNaN(c[i]) {
			out[i] = &c[i]
		}
	}
	return out
}

func (c column) curve() (out curves.Curve) {
	for i := range out {
		out[i] = math.NaN()
		if i < len(c) && c[i] != nil {
			out[i] = *c[i]
		}
	}
	return out
}

// read returns the result that is kept, nil if there is none of this run.
func (s store) read() (*curves.Result, error) {
	text, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var k kept
	if err := json.Unmarshal(text, &k); err != nil || k.Schema != storeSchema || k.Inputs != s.fingerprint {
		return nil, nil // of other inputs, or cut: it is played again
	}
	return &curves.Result{
		Devices: k.Devices, Pods: k.Pods, Unscheduled: k.Unscheduled, Used: k.Used, Fragmented: k.Fragmented, Ratio: k.Ratio,
		Allocated: k.Allocated.curve(), Lost: k.Lost.curve(), LostOfIdle: k.LostOfIdle.curve(),
	}, nil
}

func (s store) write(r *curves.Result) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o755); err != nil {
		return err
	}
	out := kept{
		Schema: storeSchema, Inputs: s.fingerprint,
		Devices: r.Devices, Pods: r.Pods, Unscheduled: r.Unscheduled, Used: r.Used, Fragmented: r.Fragmented, Ratio: r.Ratio,
		Allocated: columnOf(&r.Allocated), Lost: columnOf(&r.Lost), LostOfIdle: columnOf(&r.LostOfIdle),
	}
	return atomicfile.Write(s.path, func(w io.Writer) error { return json.NewEncoder(w).Encode(out) })
}
