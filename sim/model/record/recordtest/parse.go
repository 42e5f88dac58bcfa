package recordtest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// Parse reads a record from a line of a test script: "seconds kind key=value …", with _ for spaces in values. It fails the
// test when it does not understand the line.
func Parse(t *testing.T, line string) *record.Record {
	t.Helper()
	words := strings.Fields(line)
	seconds, err := strconv.ParseFloat(words[0], 64)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	kind, _ := record.KindOf(words[1])
	r := &record.Record{Time: clock.FromSeconds(seconds), Kind: kind, Pod: -1, Node: -1, Group: -1, By: -1}
	f := scriptFields{t: t, line: line, of: map[string]string{}}
	for _, word := range words[2:] {
		key, value, _ := strings.Cut(word, "=")
		f.of[key] = value
		f.keys = append(f.keys, key)
	}
	r.Pod, r.Node, r.Group = f.int("pod", -1), int32(f.int("node", -1)), f.int("group", -1)
	r.Class, r.Workload = int32(f.int("class", 0)), int32(f.int("workload", 0))
	r.Count, r.Priority, r.By = int(f.int("count", 0)), int32(f.int("priority", 0)), f.int("by", -1)
	r.Cause, r.Text, r.Daemon = record.Cause(f.text("cause")), f.text("text"), f.text("daemon") == "true"
	switch r.Kind {
	case record.NodeAdded, record.NodeChanged:
		price, _ := strconv.ParseFloat(f.text("price"), 64)
		r.NodeInfo = &record.NodeInfo{
			Name: f.text("name"), Pool: f.text("pool"), Zone: f.text("zone"),
			PricePerHour: price, Unschedulable: f.text("unschedulable") == "true",
			Labels: f.labels(), Devices: int(f.int("devices", 0)), DeviceKind: f.text("kind"), Model: f.text("model"),
		}
		r.NodeInfo.Allocatable = f.amounts()
	case record.DeclareClass:
		r.Devices = f.asks(f.text("asks"))
		r.Amounts = f.amounts()
	case record.DeclareTarget:
		r.Target = f.target()
	case record.PodBound:
		r.Held = f.held()
	case record.PodAttempted:
		r.Attempt, r.Node = f.attempt(int32(f.int("to", -1))), -1
	case record.Sampled:
		r.Sample = f.sample()
	}
	if len(f.of) != 0 {
		t.Fatalf("%s: unknown keys %v", line, f.of)
	}
	return r
}

// scriptFields are the fields of a line that have not been read.
type scriptFields struct {
	t    *testing.T
	line string
	keys []string
	of   map[string]string
}

func (f *scriptFields) text(key string) string {
	value := f.of[key]
	delete(f.of, key)
	return strings.ReplaceAll(value, "_", " ")
}

func (f *scriptFields) int(key string, otherwise int64) int64 {
	text := f.text(key)
	if text == "" {
		return otherwise
	}
	return f.ints(text, ",")[0]
}

func (f *scriptFields) ints(text, separator string) []int64 {
	var out []int64
	for _, part := range strings.Split(text, separator) {
		v, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			f.t.Fatalf("%s: %v", f.line, err)
		}
		out = append(out, v)
	}
	return out
}

// labels reads "a=1;b=2".
func (f *scriptFields) labels() []record.Label {
	text := f.text("labels")
	if text == "" {
		return nil
	}
	var out []record.Label
	for _, part := range strings.Split(text, ";") {
		key, value, _ := strings.Cut(part, "=")
		out = append(out, record.Label{Key: key, Value: value})
	}
	return out
}

func (f *scriptFields) amounts() []record.Amount {
	var out []record.Amount
	for _, key := range f.keys {
		if value, left := f.of[key]; left {
			out = append(out, record.Amount{Resource: key, Value: f.ints(value, ",")[0]})
			delete(f.of, key)
		}
	}
	return out
}

// asks reads "2x500 gpu T4|A10", with _ for spaces: how many devices, thousandths of each,
// their kind and models.
func (f *scriptFields) asks(text string) *record.DeviceRequest {
	if text == "" {
		return nil
	}
	parts := append(strings.Fields(text), "", "")
	counts := f.ints(parts[0], "x")
	r := &record.DeviceRequest{Count: int(counts[0]), Milli: int32(counts[1]), Kind: parts[1]}
	if parts[2] != "" {
		r.Models = strings.Split(parts[2], "|")
	}
	return r
}

// target reads "3 1000 1x500 gpu T4|A10;…", with _ for spaces: pods, their cpu and what they
// ask for.
func (f *scriptFields) target() []record.TargetClass {
	var out []record.TargetClass
	for _, text := range strings.Split(f.text("classes"), ";") {
		parts := strings.SplitN(text, " ", 3)
		c := record.TargetClass{Pods: f.ints(parts[0], ",")[0], MilliCPU: f.ints(parts[1], ",")[0]}
		if len(parts) == 3 {
			asks := f.asks(parts[2])
			c.Count, c.Milli, c.Models = asks.Count, asks.Milli, asks.Models
		}
		out = append(out, c)
	}
	return out
}

func (f *scriptFields) held() []int32 {
	text := f.text("held")
	if text == "" {
		return nil
	}
	var out []int32
	for _, device := range f.ints(text, ",") {
		out = append(out, int32(device))
	}
	return out
}

func (f *scriptFields) attempt(to int32) *record.AttemptInfo {
	a := &record.AttemptInfo{Outcome: f.text("outcome"), Node: to, Held: f.held(), Nominated: -1, Victims: int(f.int("victims", 0))}
	seconds, _ := strconv.ParseFloat(f.text("busy"), 64)
	a.Busy = clock.FromSeconds(seconds)
	if text := f.text("reasons"); text != "" {
		for _, reason := range strings.Split(text, ";") {
			parts := strings.Split(reason, ":")
			a.Reasons = append(a.Reasons, record.ReasonCount{Plugin: parts[0], Reason: parts[1], Nodes: int(f.ints(parts[2], ",")[0])})
		}
	}
	return a
}

func (f *scriptFields) sample() *record.Sample {
	s := &record.Sample{Queue: record.Depth{
		Active: int(f.int("active", 0)), Backoff: int(f.int("backoff", 0)), Unschedulable: int(f.int("unschedulable", 0)),
		Gated: int(f.int("gated", 0)), Waiting: int(f.int("waiting", 0)),
	}}
	resources := f.text("resources")
	if resources == "" {
		return s
	}
	s.Fragmentation = &record.Fragmentation{
		Resources: strings.Split(resources, ","), Free: f.ints(f.text("free"), ","), Stranded: f.ints(f.text("stranded"), ","),
	}
	if text := f.text("inflated"); text != "" {
		s.Fragmentation.Inflated = f.ints(text, ",")
	}
	for _, class := range strings.Split(f.text("mix"), ";") {
		parts := strings.Split(class, ":")
		weight, _ := strconv.ParseFloat(parts[1], 64)
		s.Fragmentation.Mix = append(s.Fragmentation.Mix, record.MixShare{
			Class: int32(f.ints(parts[0], ",")[0]), Weight: weight, Fits: f.ints(parts[2], ",")[0], Unusable: f.ints(parts[3], ","),
		})
	}
	return s
}
