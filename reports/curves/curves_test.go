package curves

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/record"
)

// log plays pods of one thousandth count each on one node of 10 devices, one a pod.
func log(f *Follower, milli ...int32) {
	f.Observe(&record.Record{Kind: record.DeclareWorkload})
	f.Observe(&record.Record{Kind: record.DeclareTarget, Target: []record.TargetClass{{Pods: 1, MilliCPU: 1, Count: 1, Milli: 600}}})
	f.Observe(&record.Record{Kind: record.NodeAdded, NodeInfo: &record.NodeInfo{
		Name: "n", Devices: 10, DeviceKind: "gpu", Allocatable: []record.Amount{{Resource: "cpu", Value: 1000}},
	}})
	for i, m := range milli {
		f.Observe(&record.Record{Kind: record.DeclareClass, Class: int32(i), Amounts: []record.Amount{{Resource: "cpu", Value: 1}}, Devices: &record.DeviceRequest{Kind: "gpu", Count: 1, Milli: m}})
		f.Observe(&record.Record{Kind: record.PodArrived, Pod: int64(i), Class: int32(i), Node: -1, Group: -1})
		a := record.AttemptInfo{Outcome: record.Unschedulable, Node: -1}
		if i < 10 {
			a = record.AttemptInfo{Outcome: record.Scheduled, Node: 0, Held: []int32{int32(i)}}
		}
		f.Observe(&record.Record{Kind: record.PodAttempted, Pod: int64(i), Count: 1, Attempt: &a})
		if i >= 10 {
			f.Observe(&record.Record{Kind: record.PodAttempted, Pod: int64(i), Count: 2, Attempt: &a}) // not counted
		}
	}
}

func TestResult(t *testing.T) {
	f := NewFollower()
	log(f, 500, 1000, 100, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 700)
	r := f.Result()
	if r.Devices != 10 || r.Pods != 11 || r.Unscheduled != 1 || r.Used != 8600 {
		t.Errorf("the run has %d devices, %d pods, %d of them unscheduled, %d used", r.Devices, r.Pods, r.Unscheduled, r.Used)
	}
	// The devices with 500 and 900 left: 500 is unusable for a pod that asks for 600.
	if r.Fragmented != 500 || r.Ratio != 35.71 {
		t.Errorf("F is %v, %v %%", r.Fragmented, r.Ratio)
	}
	for column, want := range map[int]float64{5: 5, 15: 15, 16: 16, 36: 36, 86: 86, 93: 86} {
		if r.Allocated[column] != want {
			t.Errorf("column %d of what is allocated is %v, not %v", column, r.Allocated[column], want)
		}
	}
	// Where no record is, those of the columns beside it count: 16 and nothing for 17, 15 for 14.
	for column, want := range map[int]float64{4: 5, 6: 5, 14: 15, 17: 16, 92: 86} {
		if r.Allocated[column] != want {
			t.Errorf("column %d is %v, not that of its neighbor %v", column, r.Allocated[column], want)
		}
	}
	for _, column := range []int{0, 3, 8, 130} {
		if !math.IsNaN(r.Allocated[column]) || !math.IsNaN(r.Lost[column]) || !math.IsNaN(r.LostOfIdle[column]) {
			t.Errorf("column %d has a value: %v", column, r.Allocated[column])
		}
	}
	if r.Lost[5] != 5 || r.LostOfIdle[5] != 5.26 {
		t.Errorf("%v %% is lost, %v %% of what is free", r.Lost[5], r.LostOfIdle[5])
	}
}

// Demand is rounded half to even, and what is beyond the last column is left out.
func TestColumnsAreRoundedToEven(t *testing.T) {
	f := NewFollower()
	log(f, 250, 200) // 2.5 and 4.5 %
	r := f.Result()
	if r.Allocated[2] != 2.5 || r.Allocated[4] != 4.5 || r.Allocated[3] != 3.5 {
		t.Errorf("columns 2, 3 and 4 are %v", r.Allocated[2:5])
	}
	over := NewFollower()
	log(over, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000)
	if r := over.Result(); r.Allocated[130] != 100 || r.Pods != 15 {
		t.Errorf("column 130 is %v of %d pods", r.Allocated[130], r.Pods)
	}
}

// The column after the last one fills it where nothing else does; halves go to the even neighbor.
func TestEdges(t *testing.T) {
	f := NewFollower()
	f.Observe(&record.Record{Kind: record.NodeAdded, NodeInfo: &record.NodeInfo{Name: "n", Devices: 10, DeviceKind: "gpu"}})
	f.Points = []Point{{Arrived: 13_100, Used: 9000, Idle: 1000}}
	if r := f.Result(); r.Allocated[130] != 90 || !math.IsNaN(r.Allocated[129]) {
		t.Errorf("the last columns are %v", r.Allocated[128:])
	}
	for x, want := range map[float64]float64{0.125: 0.12, 0.375: 0.38, 2.5: 2.5, 80.015: 80.02} {
		if got := hundredths(x); got != want {
			t.Errorf("%v is rounded to %v, not %v", x, got, want)
		}
	}
	if !math.IsNaN(hundredths(math.NaN())) {
		t.Error("no value is rounded to one")
	}
}

// The sums are those of numpy: eight lanes, added in pairs.
func TestPairwise(t *testing.T) {
	values := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = float64(i%97)/7 + 0.1
		}
		return out
	}
	plain := func(v []float64) (sum float64) {
		for _, x := range v {
			sum += x
		}
		return sum
	}
	differs := false
	for n := range 700 {
		v := values(n)
		got := pairwise(v)
		if math.Abs(got-plain(v)) > 1e-9*got {
			t.Errorf("of %d values the sum is %v, added in turn %v", n, got, plain(v))
		}
		differs = differs || got != plain(v)
	}
	if !differs {
		t.Error("the order of addition makes no difference: the test shows nothing")
	}
	v := []float64{1e16, 1, 1, 1, 1, 1, 1, 1, -1e16, 1}
	// In a sum of 1e16 and 1 the 1 is lost, so that the pairs show.
	if got := pairwise(v[:8]); got != 1e16+6 {
		t.Errorf("eight values sum to %v", got)
	}
	if got := pairwise(append(v, 1, 1, 1, 1, 1, 1)); got != 14 {
		t.Errorf("lanes sum to %v", got)
	}
}

func TestTablesReadBack(t *testing.T) {
	f := NewFollower()
	log(f, 500, 1000, 100)
	entries := []Entry{
		{"list", "06-FGD", 1.3, 43, f.Result()}, {"list", "05-BestFit", 1.3, 44, f.Result()}, {"list", "06-FGD", 1.3, 42, f.Result()},
	}
	Sort(entries)
	if order := fmt.Sprint(entries[0].Policy, entries[1].Seed, entries[2].Seed); order != "05-BestFit42 43" {
		t.Errorf("the order is %s", order)
	}
	texts := map[string]string{}
	for _, table := range Tables() {
		var text bytes.Buffer
		if err := table.Write(&text, entries); err != nil {
			t.Fatal(err)
		}
		texts[table.Published] = text.String()
	}
	open := func(name string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(texts[name])), nil }
	published, err := ReadPublished(open)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range Tables() {
		if a := table.Compare(entries, published); a.Runs != 3 || a.Points == 0 || a.Equal != a.Points || a.First != nil {
			t.Errorf("%s agrees with itself in %+v", table.Name, a)
		}
		table.Of(published[1].Result)[5] += 0.01
		if a := table.Compare(entries, published); a.Points-a.Equal != 1 || len(a.First) != 1 {
			t.Errorf("%s: a difference was planted, found: %+v", table.Name, a)
		}
	}
	for _, spoil := range []func(){
		func() { texts["analysis_frag_discrete"] = "a,b\n1,2\n" },
		func() {
			texts["analysis_frag_discrete"] = strings.Replace(texts["analysis_allo_discrete"], ",1.3,42,", ",1.3,41,", 1)
		},
		func() {
			texts["analysis_frag_discrete"] = strings.Replace(texts["analysis_allo_discrete"], ",5.0,", ",five,", 1)
		},
		func() { texts["analysis_allo_discrete"] = "" },
	} {
		spoil()
		if _, err := ReadPublished(open); err == nil {
			t.Error("spoilt tables were read")
		}
	}
	var finals bytes.Buffer
	if err := WriteFinals(&finals, entries[:1]); err != nil {
		t.Fatal(err)
	}
	if want := "workload,policy,seed,pods,unscheduled_pods,used_gpu_milli,frag_gpu_milli,frag_ratio_pct\nlist,05-BestFit,44,3,0,1600,500.0,5.95\n"; finals.String() != want {
		t.Errorf("finals are\n%swant\n%s", finals.String(), want)
	}
}

// Figures have a line for each policy, the published one below it, and bars in the order of the
// numbers in the lists' names.
func TestFigures(t *testing.T) {
	f := NewFollower()
	log(f, 500, 1000, 100)
	entry := func(list, policy string, seed uint64) Entry { return Entry{list, policy, 1.3, seed, f.Result()} }
	entries := []Entry{
		entry("openb_pod_list_default", "05-BestFit", 1), entry("openb_pod_list_default", "06-FGD", 1), entry("openb_pod_list_default", "06-FGD", 2),
		entry("openb_pod_list_cpu250", "06-FGD", 1), entry("openb_pod_list_cpu050", "06-FGD", 1), entry("openb_pod_list_cpuless", "06-FGD", 1),
	}
	Sort(entries)
	named := map[string]Figure{}
	for _, figure := range Figures(entries, entries[4:]) {
		named[figure.Name] = figure
		var b bytes.Buffer
		if err := figure.Chart.WriteSVG(&b); err != nil || !strings.Contains(b.String(), "<svg") {
			t.Errorf("%s cannot be drawn: %v", figure.Name, err)
		}
	}
	lines := named["figure-7-fragmented-default"].Chart.Marks
	if len(lines) != 3 || !lines[1].Faint || lines[2].Name != "FGD" || lines[1].Ink != lines[2].Ink || lines[2].Y[5] != 0.05 {
		t.Errorf("the lines of figure 7 are %+v", lines)
	}
	bars := named["figure-11-14-cpu"].Chart
	if got := fmt.Sprint(bars.Y.Names); got != "[050 % FGD 250 % FGD]" {
		t.Errorf("the bars are %s", got)
	}
	if band := named["figure-9a-default"].Chart.Marks; len(band) != 5 {
		t.Errorf("figure 9 (a) has %d marks for two policies, one of them published", len(band))
	}
	if _, has := named["figure-11-14-gpushare"]; has || len(named) != 3*4+1 {
		t.Errorf("there are %d figures", len(named))
	}
	var tables bytes.Buffer
	if err := WriteMarkdown(&tables, entries[3:], entries[4:]); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(tables.String(), "\n| default | FGD | ") || !strings.Contains(tables.String(), "| published | ") || strings.Count(tables.String(), "\n## ") != strings.Count(tables.String(), "## ")-1 {
		t.Errorf("the tables are\n%s", tables.String())
	}
}

// Over seeds: the mean, the deviation of a sample, and quantiles in proportion.
func TestGroups(t *testing.T) {
	var entries []Entry
	for seed, v := range []float64{4, 1, 2, math.NaN()} {
		r := &Result{}
		r.Lost[7] = v
		entries = append(entries, Entry{"list", "01-Random", 1.3, uint64(seed), r})
	}
	g := Groups(entries)[0]
	of := func(r *Result) *Curve { return &r.Lost }
	mean, deviation := g.Mean(of, 7)
	if math.Abs(mean-7.0/3) > 1e-12 || math.Abs(deviation-math.Sqrt(7.0/3)) > 1e-12 || g.Seeds() != 4 {
		t.Errorf("the mean is %v, the deviation %v of %d seeds", mean, deviation, g.Seeds())
	}
	if low, high := g.quantile(of, 7, 0.25), g.quantile(of, 7, 1); low != 1.5 || high != 4 || !math.IsNaN((&Group{}).quantile(of, 7, 0.5)) {
		t.Errorf("quantiles are %v and %v", low, high)
	}
}

// A curve reads back as it was written, columns without a value too; one of another length is
// an error.
func TestCurvesReadBack(t *testing.T) {
	var c, back Curve
	for i := range c {
		c[i] = float64(i) / 3
	}
	c[0], c[130] = math.NaN(), math.NaN()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	for i := range c {
		if c[i] != back[i] && !(math.IsNaN(c[i]) && math.IsNaN(back[i])) {
			t.Errorf("column %d is %v, was %v", i, back[i], c[i])
		}
	}
	for _, bad := range []string{"[1,2]", `"x"`, "null"} {
		if err := new(Curve).UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%s was read as a curve", bad)
		}
	}
}
