package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/bits"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// maxRecordBytes is the longest line that ReadRecords takes.
const maxRecordBytes = 64 << 20

// ReadRecords reads what RecordWriter wrote. It ends at the end of the text or at the
// first fault, which is an error of the form "name:line: what is wrong". A record is
// valid until the next one is asked for.
func ReadRecords(name string, r io.Reader) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, maxRecordBytes)
		number := 0
		var parser recordParser
		for lines.Scan() {
			number++
			record, err := parser.parse(lines.Bytes())
			if err != nil {
				yield(nil, fmt.Errorf("%s:%d: %w", name, number, err))
				return
			}
			if !yield(record, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(nil, fmt.Errorf("%s:%d: %w", name, number+1, err))
		}
	}
}

// recordLine is a line of the log. Pointers tell what is there.
type recordLine struct {
	Time     *clock.Time     `json:"t"`
	Kind     record.Kind     `json:"kind"`
	Pod      *int64          `json:"pod"`
	Node     *int32          `json:"node"`
	Group    *int64          `json:"group"`
	Class    *int32          `json:"class"`
	Workload *int32          `json:"workload"`
	Count    *int            `json:"count"`
	Priority *int32          `json:"priority"`
	By       *int64          `json:"by"`
	Cause    *record.Cause   `json:"cause"`
	Text     *string         `json:"text"`
	Amounts  *amountsObject  `json:"amounts"`
	Info     *nodeObject     `json:"info"`
	Attempt  *attemptObject  `json:"attempt"`
	Sample   *sampleObject   `json:"sample"`
	Daemon   *bool           `json:"daemon"`
	Devices  *deviceObject   `json:"devices"`
	Held     *[]int32        `json:"held"`
	Target   *[]targetObject `json:"target"`
}

type nodeObject struct {
	Name          string        `json:"name"`
	Pool          string        `json:"pool"`
	Zone          string        `json:"zone"`
	PricePerHour  float64       `json:"pricePerHour"`
	Unschedulable bool          `json:"unschedulable"`
	Allocatable   amountsObject `json:"allocatable"`
	Devices       int           `json:"devices"`
	DeviceKind    string        `json:"deviceKind"`
	Model         string        `json:"model"`
}

type attemptObject struct {
	Outcome   string         `json:"outcome"`
	Node      int32          `json:"node"`
	Held      []int32        `json:"held"`
	Feasible  int            `json:"feasible"`
	Evaluated int            `json:"evaluated"`
	Busy      clock.Time     `json:"busy"`
	Nominated int32          `json:"nominated"`
	Victims   int            `json:"victims"`
	Reasons   []reasonTriple `json:"reasons"`
}

type sampleObject struct {
	Queue struct {
		Active        int `json:"active"`
		Backoff       int `json:"backoff"`
		Unschedulable int `json:"unschedulable"`
		Gated         int `json:"gated"`
		Waiting       int `json:"waiting"`
	} `json:"queue"`
	Fragmentation *fragmentationObject `json:"fragmentation"`
}

type fragmentationObject struct {
	Resources []string    `json:"resources"`
	Free      []int64     `json:"free"`
	Stranded  []int64     `json:"stranded"`
	Mix       []mixObject `json:"mix"`
	Inflated  []int64     `json:"inflated"`
}

type mixObject struct {
	Class    int32   `json:"class"`
	Weight   float64 `json:"weight"`
	Fits     int64   `json:"fits"`
	Unusable []int64 `json:"unusable"`
}

// amountsObject is an object of amounts that keeps its order.
type amountsObject []record.Amount

// UnmarshalJSON reads {"cpu": 500, …}.
func (a *amountsObject) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return errors.New("amounts must be an object")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value int64
		if err := d.Decode(&value); err != nil {
			return err
		}
		*a = append(*a, record.Amount{Resource: name.(string), Value: value})
	}
	return nil
}

// reasonTriple is plugin, reason and number of nodes.
type reasonTriple record.ReasonCount

// UnmarshalJSON reads ["plugin", "reason", nodes].
func (r *reasonTriple) UnmarshalJSON(text []byte) error {
	parts := []any{&r.Plugin, &r.Reason, &r.Nodes}
	var raw []json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil || len(raw) != len(parts) {
		return errors.New("a reason must be a plugin, a reason and a number of nodes")
	}
	for i, part := range parts {
		if err := json.Unmarshal(raw[i], part); err != nil {
			return err
		}
	}
	return nil
}

func parseRecord(text []byte) (*record.Record, error) {
	var line recordLine
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&line); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.New("the record is cut off")
		}
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("there is more than one record on the line")
	}
	if err := line.check(); err != nil {
		return nil, err
	}
	return line.record(), nil
}

// fieldNames are the keys of the fields, by bit.
var fieldNames = []string{
	"pod", "node", "group", "class", "workload", "count", "priority", "by", "cause", "text",
	"amounts", "info", "attempt", "sample", "daemon", "devices", "held", "target",
}

// check asks for the fields of the kind, all of them and no others.
func (l *recordLine) check() error {
	wanted, ok := fieldsOf[l.Kind]
	if !ok {
		return fmt.Errorf("kind: %q is not a kind of record", l.Kind)
	}
	if l.Time == nil {
		return errors.New("t is missing")
	}
	there := field(0)
	for i, present := range []bool{
		l.Pod != nil, l.Node != nil, l.Group != nil, l.Class != nil, l.Workload != nil, l.Count != nil,
		l.Priority != nil, l.By != nil, l.Cause != nil, l.Text != nil,
		l.Amounts != nil, l.Info != nil, l.Attempt != nil, l.Sample != nil, l.Daemon != nil,
		l.Devices != nil, l.Held != nil, l.Target != nil,
	} {
		if present {
			there |= 1 << i
		}
	}
	if extra := there &^ wanted; extra != 0 {
		return fmt.Errorf("%s has no meaning in a record of kind %q", fieldNames[bits.TrailingZeros32(uint32(extra))], l.Kind)
	}
	if missing := wanted &^ there &^ optionalIn(l.Kind); missing != 0 {
		return fmt.Errorf("%s is missing in a record of kind %q", fieldNames[bits.TrailingZeros32(uint32(missing))], l.Kind)
	}
	return nil
}

// optionalIn are the fields that a record of the kind may leave out.
func optionalIn(kind record.Kind) field {
	optional := hasBy | hasCause | hasText | hasDevices | hasHeld
	if kind == record.PodArrived {
		optional |= hasGroup | hasNode | hasDaemon
	}
	return optional
}

func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

func (l *recordLine) record() *record.Record {
	r := &record.Record{
		Time: *l.Time, Kind: l.Kind,
		Pod: or(l.Pod, -1), Node: or(l.Node, -1), Group: or(l.Group, -1),
		Class: or(l.Class, 0), Workload: or(l.Workload, 0), Count: or(l.Count, 0), Priority: or(l.Priority, 0),
		Daemon: or(l.Daemon, false), By: or(l.By, -1), Cause: or(l.Cause, ""), Text: or(l.Text, ""),
	}
	if l.Amounts != nil {
		r.Amounts = *l.Amounts
	}
	if i := l.Info; i != nil {
		r.NodeInfo = &record.NodeInfo{
			Name: i.Name, Pool: i.Pool, Zone: i.Zone, PricePerHour: i.PricePerHour,
			Unschedulable: i.Unschedulable, Allocatable: i.Allocatable,
			Devices: i.Devices, DeviceKind: i.DeviceKind, Model: i.Model,
		}
	}
	if a := l.Attempt; a != nil {
		r.Attempt = &record.AttemptInfo{
			Outcome: a.Outcome, Node: a.Node, Held: a.Held, Feasible: a.Feasible, Evaluated: a.Evaluated,
			Busy: a.Busy, Nominated: a.Nominated, Victims: a.Victims,
		}
		for _, reason := range a.Reasons {
			r.Attempt.Reasons = append(r.Attempt.Reasons, record.ReasonCount(reason))
		}
	}
	l.devices(r)
	if l.Sample != nil {
		r.Sample = l.Sample.sample()
	}
	return r
}

func (s *sampleObject) sample() *record.Sample {
	out := &record.Sample{Queue: record.Depth(s.Queue)}
	if f := s.Fragmentation; f != nil {
		out.Fragmentation = &record.Fragmentation{
			Resources: f.Resources, Free: f.Free, Stranded: f.Stranded, Inflated: f.Inflated,
		}
		for _, m := range f.Mix {
			out.Fragmentation.Mix = append(out.Fragmentation.Mix, record.MixShare(m))
		}
	}
	return out
}
