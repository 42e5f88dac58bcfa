package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/berth-sim/berth/sim/model/record"
)

// field is a set of the fields of a record.
type field uint32

const (
	hasPod   field = 1 << iota
	hasNode        // left out of an arrival where it is -1
	hasGroup       // left out where it is -1
	hasClass
	hasWorkload
	hasCount
	hasPriority
	hasBy    // only for preemption
	hasCause // left out where it is empty
	hasText  // left out where it is empty
	hasAmounts
	hasNodeInfo
	hasAttempt
	hasSample
	hasDaemon  // only where it is true
	hasDevices // left out where there are none
	hasHeld    // left out where there are none
	hasTarget
)

// fieldsOf are the fields that have a meaning in a record of each kind: what is
// written, and what may be read.
var fieldsOf = map[record.Kind]field{
	record.RunStarted:    hasText,
	record.DeclareClass:  hasClass | hasAmounts | hasPriority | hasText | hasDevices,
	record.DeclareLoad:   hasWorkload | hasText,
	record.DeclareTarget: hasTarget,
	record.DeclareGroup:  hasGroup | hasWorkload | hasText | hasCount,
	record.NodeAdded:     hasNode | hasNodeInfo,
	record.NodeChanged:   hasNode | hasNodeInfo,
	record.NodeRemoved:   hasNode,
	record.PodArrived:    hasPod | hasNode | hasClass | hasWorkload | hasGroup | hasText | hasDaemon,
	record.PodGated:      hasPod | hasText,
	record.PodUngated:    hasPod,
	record.PodAttempted:  hasPod | hasCount | hasText | hasAttempt,
	record.PodAllowed:    hasPod | hasNode,
	record.PodRolledBack: hasPod | hasNode | hasCause | hasText,
	record.PodBound:      hasPod | hasNode | hasHeld,
	record.PodStarted:    hasPod | hasNode,
	record.PodCompleted:  hasPod | hasNode,
	record.PodHeld:       hasPod | hasNode | hasText,
	record.PodEvicted:    hasPod | hasNode | hasCause | hasBy,
	record.PodGone:       hasPod | hasNode,
	record.Sampled:       hasSample,
	record.RunEnded:      hasText,
}

// RecordWriter writes records as JSON, one a line: the time "t" in nanoseconds, the
// kind, and the fields that have a meaning for it. Errors come from the writer below,
// which should be buffered.
type RecordWriter struct {
	w    io.Writer
	line []byte
}

// NewRecordWriter returns a writer of records to w.
func NewRecordWriter(w io.Writer) *RecordWriter { return &RecordWriter{w: w} }

// Write writes one record.
func (w *RecordWriter) Write(r *record.Record) error {
	fields, ok := fieldsOf[r.Kind]
	if !ok {
		return fmt.Errorf("there is no kind of record %q", r.Kind)
	}
	b := append(w.line[:0], `{"t":`...)
	b = strconv.AppendInt(b, int64(r.Time), 10)
	b = appendText(append(b, `,"kind":`...), string(r.Kind))
	b = appendNumbers(b, r, fields)
	if fields&hasDaemon != 0 && r.Daemon {
		b = append(b, `,"daemon":true`...)
	}
	if fields&hasCause != 0 && r.Cause != "" {
		b = appendText(append(b, `,"cause":`...), string(r.Cause))
	}
	if fields&hasBy != 0 && r.Cause == record.ByPreemption {
		b = appendInt(b, `,"by":`, r.By)
	}
	if fields&hasText != 0 && r.Text != "" {
		b = appendText(append(b, `,"text":`...), r.Text)
	}
	if fields&hasAmounts != 0 {
		b = appendAmounts(append(b, `,"amounts":`...), r.Amounts)
	}
	b = appendDevices(b, r, fields)
	if fields&hasNodeInfo != 0 {
		b = appendNodeInfo(append(b, `,"info":`...), r.NodeInfo)
	}
	if fields&hasAttempt != 0 {
		b = appendAttempt(append(b, `,"attempt":`...), r.Attempt)
	}
	if fields&hasSample != 0 {
		b = appendSample(append(b, `,"sample":`...), r.Sample)
	}
	w.line = append(b, '}', '\n')
	_, err := w.w.Write(w.line)
	return err
}

func appendNumbers(b []byte, r *record.Record, fields field) []byte {
	if fields&hasPod != 0 {
		b = appendInt(b, `,"pod":`, r.Pod)
	}
	if fields&hasNode != 0 && (r.Node >= 0 || r.Kind != record.PodArrived) {
		b = appendInt(b, `,"node":`, int64(r.Node))
	}
	if fields&hasGroup != 0 && r.Group >= 0 {
		b = appendInt(b, `,"group":`, r.Group)
	}
	if fields&hasClass != 0 {
		b = appendInt(b, `,"class":`, int64(r.Class))
	}
	if fields&hasWorkload != 0 {
		b = appendInt(b, `,"workload":`, int64(r.Workload))
	}
	if fields&hasCount != 0 {
		b = appendInt(b, `,"count":`, int64(r.Count))
	}
	if fields&hasPriority != 0 {
		b = appendInt(b, `,"priority":`, int64(r.Priority))
	}
	return b
}

func appendInt(b []byte, key string, v int64) []byte {
	return strconv.AppendInt(append(b, key...), v, 10)
}

func appendInts(b []byte, key string, list []int64) []byte {
	b = append(append(b, key...), '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, v, 10)
	}
	return append(b, ']')
}

// appendText appends s as a JSON string. Plain text needs no escapes.
func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return append(b, quote(s)...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

func appendAmounts(b []byte, amounts []record.Amount) []byte {
	b = append(b, '{')
	for i, a := range amounts {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, a.Resource)
		b = appendInt(b, ":", a.Value)
	}
	return append(b, '}')
}

func appendNodeInfo(b []byte, n *record.NodeInfo) []byte {
	b = appendText(append(b, `{"name":`...), n.Name)
	b = appendText(append(b, `,"pool":`...), n.Pool)
	b = appendText(append(b, `,"zone":`...), n.Zone)
	b = appendFloat(append(b, `,"pricePerHour":`...), n.PricePerHour)
	b = strconv.AppendBool(append(b, `,"unschedulable":`...), n.Unschedulable)
	b = appendAmounts(append(b, `,"allocatable":`...), n.Allocatable)
	b = appendNodeDevices(b, n)
	return append(b, '}')
}

func appendFloat(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'g', -1, 64) }

func appendAttempt(b []byte, a *record.AttemptInfo) []byte {
	b = appendText(append(b, `{"outcome":`...), a.Outcome)
	b = appendHeld(appendInt(b, `,"node":`, int64(a.Node)), a.Held)
	b = appendInt(b, `,"feasible":`, int64(a.Feasible))
	b = appendInt(b, `,"evaluated":`, int64(a.Evaluated))
	b = appendInt(b, `,"busy":`, int64(a.Busy))
	b = appendInt(b, `,"nominated":`, int64(a.Nominated))
	b = appendInt(b, `,"victims":`, int64(a.Victims))
	if len(a.Reasons) > 0 {
		b = append(b, `,"reasons":[`...)
		for i, r := range a.Reasons {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendText(append(b, '['), r.Plugin)
			b = appendText(append(b, ','), r.Reason)
			b = append(appendInt(b, ",", int64(r.Nodes)), ']')
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

func appendSample(b []byte, s *record.Sample) []byte {
	b = append(b, `{"queue":{`...)
	for i, part := range queueParts(s.Queue) {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, part.name)
		b = appendInt(b, ":", int64(part.pods))
	}
	b = append(b, '}')
	if f := s.Fragmentation; f != nil {
		b = appendFragmentation(append(b, `,"fragmentation":`...), f)
	}
	return append(b, '}')
}

func appendFragmentation(b []byte, f *record.Fragmentation) []byte {
	b = append(append(b, `{"resources":`...), encoded(f.Resources)...)
	b = appendInts(b, `,"free":`, f.Free)
	b = appendInts(b, `,"stranded":`, f.Stranded)
	b = append(b, `,"mix":[`...)
	for i, m := range f.Mix {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendInt(b, `{"class":`, int64(m.Class))
		b = appendFloat(append(b, `,"weight":`...), m.Weight)
		b = appendInt(b, `,"fits":`, m.Fits)
		b = append(appendInts(b, `,"unusable":`, m.Unusable), '}')
	}
	b = append(b, ']')
	if f.Inflated != nil {
		b = appendInts(b, `,"inflated":`, f.Inflated)
	}
	return append(b, '}')
}

// quote is s as a JSON string, without the escapes that only HTML needs.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a string can always be encoded
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
