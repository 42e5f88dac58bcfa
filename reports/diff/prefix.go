package diff

import (
	"bytes"
	"reflect"
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// FirstRecord is the first line in which two logs differ.
type FirstRecord struct {
	Line    int64     `json:"line"`
	Records [2]string `json:"records"` // as in the logs; "" if the log has ended

	ends [2]clock.Time // when the run ends, if this is its last record; otherwise 0
}

// prefix compares two logs record by record, up to the first difference.
type prefix struct {
	waiting [2][]*record.Record // one of them is empty
	line    int64               // of the last pair compared
	first   *FirstRecord
}

func (p *prefix) add(s int, r *record.Record) {
	if p.first != nil {
		return
	}
	if len(p.waiting[1-s]) == 0 {
		p.waiting[s] = append(p.waiting[s], r)
		return
	}
	other := p.waiting[1-s][0]
	p.waiting[1-s] = p.waiting[1-s][1:]
	p.line++
	if !equal(r, other) {
		p.differ(s, r, other)
	}
}

// finish is called at the end of both logs.
func (p *prefix) finish() {
	for s, left := range p.waiting {
		if p.first == nil && len(left) > 0 {
			p.line++
			p.differ(s, left[0], nil)
		}
	}
}

func (p *prefix) differ(s int, r, other *record.Record) {
	p.first = &FirstRecord{Line: p.line}
	p.first.Records[s], p.first.Records[1-s] = text(r), text(other)
	p.waiting = [2][]*record.Record{}
	for i, r := range [2]*record.Record{r, other} {
		if r != nil && r.Kind == record.RunEnded {
			p.first.ends[[2]int{s, 1 - s}[i]] = r.Time
		}
	}
}

// text returns a record as the log has it; "" for nil.
func text(r *record.Record) string {
	if r == nil {
		return ""
	}
	var b bytes.Buffer
	if err := record.NewWriter(&b).Write(r); err != nil {
		return err.Error()
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

// equal reports whether all fields of two records are equal.
func equal(a, b *record.Record) bool {
	plain := a.Time == b.Time && a.Kind == b.Kind && a.Pod == b.Pod && a.Node == b.Node && a.Group == b.Group &&
		a.Class == b.Class && a.Workload == b.Workload && a.Count == b.Count && a.Priority == b.Priority &&
		a.By == b.By && a.Cause == b.Cause && a.Text == b.Text && a.Daemon == b.Daemon
	return plain && slices.Equal(a.Amounts, b.Amounts) && slices.Equal(a.Held, b.Held) && equalAttempts(a.Attempt, b.Attempt) &&
		(a.Devices == b.Devices || reflect.DeepEqual(a.Devices, b.Devices)) &&
		(a.Target == nil && b.Target == nil || reflect.DeepEqual(a.Target, b.Target)) &&
		(a.NodeInfo == b.NodeInfo || reflect.DeepEqual(a.NodeInfo, b.NodeInfo)) &&
		(a.Sample == b.Sample || reflect.DeepEqual(a.Sample, b.Sample))
}

func equalAttempts(a, b *record.AttemptInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Outcome == b.Outcome && a.Node == b.Node && a.Feasible == b.Feasible && a.Evaluated == b.Evaluated &&
		a.Busy == b.Busy && a.Nominated == b.Nominated && a.Victims == b.Victims && slices.Equal(a.Reasons, b.Reasons) &&
		slices.Equal(a.Held, b.Held)
}
