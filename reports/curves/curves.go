// Package curves follows a run of the protocol by which the paper on fragmentation gradient
// descent was evaluated: what of the devices is in use, and what is unusable, by how much
// demand has arrived; and puts that into tables with the columns and the rounding of the
// published ones.
//
// Source: Weng et al., "Beware of Fragmentation", USENIX ATC 2023, and the scripts in
// experiments/analysis of hkust-adsl/kubernetes-scheduler-simulator, commit 8f3d6417.
package curves

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/berth-sim/berth/reports/devices"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// Columns is how many columns a curve has: demand that has arrived of 0 to 130 % of the
// capacity.
const Columns = 131

// Point is the state of the devices after the first attempt for a pod. Amounts are in thousandths of devices.
type Point struct {
	Arrived    int64   // asked for by the pods so far, that one included
	Used       int64   // held by pods
	Idle       int64   // free
	Fragmented float64 // F: free but unusable
	Useless    float64 // the parts Q1, Q2 and Q4 of F
	Nodes      int64   // that have a pod which asks for something
	Devices    int64   // of these nodes
}

// Follower computes the points of a run while it reads the record log.
type Follower struct {
	life    *lifecycle.Lifecycle[struct{}]
	devices *devices.Usage
	Points  []Point // after each pod's first attempt
	pending int
}

// NewFollower returns a follower that has seen no record.
func NewFollower() *Follower {
	return &Follower{life: lifecycle.New[struct{}](), devices: devices.NewUsage()}
}

// Observe takes in the next record. It keeps nothing of it.
func (f *Follower) Observe(r *record.Record) {
	change, ok := f.life.Observe(r)
	if !ok {
		return
	}
	if bad := f.devices.Observe(r, change.Move(r)); bad != "" {
		f.life.Violate(r, "%s", bad)
	}
	if r.Kind != record.PodAttempted || r.Count != 1 {
		return
	}
	if r.Attempt.Node < 0 {
		f.pending++
	}
	d := f.devices
	p := Point{
		Arrived: d.Arrived(), Used: d.Used(), Idle: d.Capacity() - d.Used(), Fragmented: d.Fragmented(),
		Useless: d.Part(fragment.LacksBoth) + d.Part(fragment.LacksDevices) + d.Part(fragment.LacksCPU),
	}
	p.Nodes, p.Devices = d.Busy()
	f.Points = append(f.Points, p)
}

// Err joins an error for each violation of the laws of pods and devices in the log.
func (f *Follower) Err() error { return f.life.Err() }

// Curve is a value for each column. It is NaN where nothing was at that demand.
type Curve [Columns]float64

// MarshalJSON writes null where there is no value.
func (c Curve) MarshalJSON() ([]byte, error) {
	values := make([]output.Number, len(c))
	for i, v := range c {
		values[i] = output.Number(v)
	}
	return json.Marshal(values)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Curve) UnmarshalJSON(text []byte) error {
	var values []output.Number
	if err := json.Unmarshal(text, &values); err != nil {
		return err
	}
	if len(values) != len(c) {
		return fmt.Errorf("a curve has %d values, not %d", len(c), len(values))
	}
	for i, v := range values {
		c[i] = float64(v)
	}
	return nil
}

// Result is one run in the tables.
type Result struct {
	Devices     int64 // of all nodes
	Pods        int
	Unscheduled int
	Used        int64   // at the end, as the points have it
	Fragmented  float64 // with two decimals
	Ratio       float64 // of what is free, in percent, with two decimals
	// Allocated and Lost are in percent of the capacity, LostOfIdle in percent of what is
	// free.
	Allocated, Lost, LostOfIdle Curve
}

// Result returns the run as the tables show it.
func (f *Follower) Result() *Result {
	capacity := f.devices.Capacity()
	r := &Result{Devices: capacity / fragment.Whole, Pods: len(f.Points), Unscheduled: f.pending}
	columns := make([][]row, Columns+1)
	for _, p := range f.Points {
		x := math.RoundToEven(percent(p.Arrived, r.Devices))
		if x >= 0 && int(x) < len(columns) {
			columns[int(x)] = append(columns[int(x)], p.row(r.Devices))
		}
	}
	for j := range Columns {
		rows := columns[j]
		if len(rows) == 0 {
			rows = columns[j+1]
			if j > 0 {
				rows = append(append([]row(nil), columns[j-1]...), rows...)
			}
		}
		r.Allocated[j] = hundredths(mean(rows, func(x row) float64 { return x.allocated }))
		r.Lost[j] = hundredths(100 * mean(rows, func(x row) float64 { return x.lost }) / fragment.Whole / float64(r.Devices))
		r.LostOfIdle[j] = mean(rows, func(x row) float64 { return x.ofIdle })
	}
	if n := len(f.Points); n > 0 {
		last := f.Points[n-1].row(r.Devices)
		r.Used, r.Fragmented, r.Ratio = f.Points[n-1].Used, last.lost, last.ofIdle
	}
	return r
}

// row is a point as the authors' simulator prints it.
type row struct{ allocated, lost, ofIdle float64 }

func (p *Point) row(devices int64) row {
	r := row{allocated: decimals(percent(p.Used, devices), 2), lost: decimals(p.Fragmented, 2)}
	if p.Idle > 0 {
		r.ofIdle = decimals(100*p.Fragmented/float64(p.Idle), 2)
	}
	return r
}

// percent is an amount in percent of so many devices.
func percent(amount, devices int64) float64 { return float64(amount) / float64(devices) / 10 }

// decimals rounds to so many decimals of the exact binary value, as printing does.
func decimals(x float64, n int) float64 {
	if math.IsNaN(x) {
		return x
	}
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', n, 64), 64)
	if err != nil {
		panic(err) // it was printed just now
	}
	return y
}

// hundredths rounds to two decimals as numpy does: the product with 100 is rounded, and with it
// what only the multiplication made a half.
func hundredths(x float64) float64 { return math.RoundToEven(x*100) / 100 }

// mean is the mean of a column, NaN of an empty one. It adds in the order of numpy, which
// shows in the last digits of the published table of shares.
func mean(rows []row, of func(row) float64) float64 {
	values := make([]float64, len(rows))
	for i, r := range rows {
		values[i] = of(r)
	}
	return pairwise(values) / float64(len(values))
}

// pairwise adds blocks of up to 128 values in eight lanes, and halves what is longer.
//
// Source: pairwise_sum of numpy/core/src/umath/loops_utils.h.src.
func pairwise(v []float64) float64 {
	const lanes, block = 8, 128
	switch {
	case len(v) < lanes:
		sum := 0.0
		for _, x := range v {
			sum += x
		}
		return sum
	case len(v) > block:
		half := len(v) / 2
		half -= half % lanes
		return pairwise(v[:half]) + pairwise(v[half:])
	}
	var lane [lanes]float64
	whole := len(v) - len(v)%lanes
	for i, x := range v[:whole] {
		lane[i%lanes] += x
	}
	sum := ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]))
	for _, x := range v[whole:] {
		sum += x
	}
	return sum
}
