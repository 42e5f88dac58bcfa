package trace

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// SWFJob is a job of a log in the Standard Workload Format; -1 is unknown.
type SWFJob struct {
	Line             int   // of the file
	Number           int64 // rising strictly
	SubmitSeconds    float64
	WaitSeconds      float64
	RunSeconds       float64
	Processors       int64 // allocated
	MeanCPUSeconds   float64
	MemoryKB         float64 // used, mean over processors
	ProcessorsAsked  int64
	SecondsAsked     float64
	MemoryKBAsked    float64 // per processor
	Status           int64   // 1 completed, 0 failed, 5 canceled
	User             int64
	Group            int64
	Program          int64
	Queue            int64
	Partition        int64
	PrecedingJob     int64
	ThinkTimeSeconds float64 // from the preceding job's end to this one's submission
}

// HeaderField is one "; Key: value" comment at the beginning of a log. Comments
// that go on over several lines are joined by a space; the key is empty for text
// that has none.
type HeaderField struct {
	Key, Value string
}

// SWF is the stream of jobs of a log, and its header.
type SWF struct {
	*Reader[SWFJob]
	header []HeaderField
}

// Header returns the comments ahead of the first job, in the order of the file. Keys may repeat
// (Note, Queue, Partition).
func (s *SWF) Header() []HeaderField { return s.header }

// HeaderValue returns the value of the first header comment with that key ("MaxProcs").
func (s *SWF) HeaderValue(key string) (string, bool) {
	for _, f := range s.header {
		if f.Key == key {
			return f.Value, true
		}
	}
	return "", false
}

// maxHeaderBytes bounds the comments that are kept.
const maxHeaderBytes = 1 << 20

// The fields of a line, numbered from 0 (the definition of the format numbers
// them from 1).
const (
	swfNumber = iota
	swfSubmit
	swfWait
	swfRun
	swfProcessors
	swfMeanCPU
	swfMemory
	swfProcessorsAsked
	swfSecondsAsked
	swfMemoryAsked
	swfStatus
	swfUser
	swfGroup
	swfProgram
	swfQueue
	swfPartition
	swfPreceding
	swfThinkTime
	swfFields
)

var swfColumns = [swfFields]struct {
	name      string
	low, high float64
	whole     bool
}{
	swfNumber:          {"job number", 0, MaxCount, true},
	swfSubmit:          {"submit time", -1, MaxSeconds, false},
	swfWait:            {"wait time", -1, MaxSeconds, false},
	swfRun:             {"run time", -1, MaxSeconds, false},
	swfProcessors:      {"allocated processors", -1, MaxCount, true},
	swfMeanCPU:         {"average CPU time", -1, math.MaxInt64, false},
	swfMemory:          {"used memory", -1, MaxAmount, false},
	swfProcessorsAsked: {"requested processors", -1, MaxCount, true},
	swfSecondsAsked:    {"requested time", -1, MaxSeconds, false},
	swfMemoryAsked:     {"requested memory", -1, MaxAmount, false},
	swfStatus:          {"status", -1, 5, true},
	swfUser:            {"user", -1, MaxCount, true},
	swfGroup:           {"group", -1, MaxCount, true},
	swfProgram:         {"executable", -1, MaxCount, true},
	swfQueue:           {"queue", -1, MaxCount, true},
	swfPartition:       {"partition", -1, MaxCount, true},
	swfPreceding:       {"preceding job", -1, MaxCount, true},
	swfThinkTime:       {"think time", -1, MaxSeconds, false},
}

// SWFJobs reads a log in the Standard Workload Format, version 2.2 and before:
// 18 numbers a line, separated by blanks, -1 where unknown, and comments that
// begin with ";" (www.cs.huji.ac.il/labs/parallel/workload/swf.html). Times may
// have fractions. Jobs must come in order: numbers rise strictly, and submit
// times do not fall; the format demands it, and a log that breaks it is to be
// sorted first. The error is about reading.
func SWFJobs(file string, in io.Reader, o Options) (*SWF, error) {
	l, err := openLines(file, in)
	if err != nil {
		return nil, err
	}
	s := &SWF{}
	if s.header, err = readHeader(l); err != nil {
		return nil, err
	}
	last := SWFJob{Number: -1}
	parse := func(text string, f *faults) (SWFJob, bool) {
		f.text = text
		text = strings.TrimSpace(text)
		if text == "" || text[0] == ';' {
			return SWFJob{}, false
		}
		field, ok := parseSWF(text, f)
		if !ok {
			return SWFJob{}, false
		}
		if status := field[swfStatus]; status >= 2 && status <= 4 {
			// A part of a job that was checkpointed or swapped: the job has a line with its totals.
			return SWFJob{}, false
		}
		j := newSWFJob(f.line, field)
		if j.Number <= last.Number {
			f.addSWF(swfNumber, j.Number, "does not come after %d of line %d: job numbers must rise", last.Number, last.Line)
		}
		if j.SubmitSeconds < last.SubmitSeconds {
			f.addSWF(swfSubmit, j.SubmitSeconds, "is before %v of line %d: jobs must be sorted", last.SubmitSeconds, last.Line)
		}
		if len(f.list) == 0 {
			last = j
		}
		return j, true
	}
	s.Reader = &Reader[SWFJob]{lines: l, skip: o.SkipBad, parse: parse}
	return s, nil
}

func (f *faults) addSWF(column int, value any, format string, args ...any) {
	f.addField(field{blankedCol(f.text, column), swfColumns[column].name, fmt.Sprint(value)}, format, args...)
}

// blankedCol is where a field of a line begins whose fields are separated by blanks. Fields count from 0.
func blankedCol(line string, n int) int {
	at := 0
	for ; ; n-- {
		at += len(line[at:]) - len(strings.TrimLeftFunc(line[at:], unicode.IsSpace))
		if n == 0 {
			return at + 1
		}
		if end := strings.IndexFunc(line[at:], unicode.IsSpace); end > 0 {
			at += end
		}
	}
}

// parseSWF is the numbers of a line, or false and faults.
func parseSWF(text string, f *faults) ([swfFields]float64, bool) {
	var field [swfFields]float64
	n := 0
	for s := range strings.FieldsSeq(text) {
		if n < swfFields {
			field[n] = parseSWFField(n, s, f)
		}
		n++
	}
	if n != swfFields {
		f.list = f.list[:0]
		f.add("", text, "has %d fields, it must have %d", n, swfFields)
	} else if status := field[swfStatus]; field[swfSubmit] < 0 && !(status >= 2 && status <= 4) {
		// Only the parts of a job may leave out when it was submitted.
		f.addSWF(swfSubmit, field[swfSubmit], "must not be negative")
	}
	return field, len(f.list) == 0
}

func parseSWFField(column int, s string, f *faults) float64 {
	c := &swfColumns[column]
	x, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange) || strings.ContainsAny(s, "xXiInN"):
		f.addSWF(column, s, "is not a number")
	case c.whole && x != math.Trunc(x) && !math.IsInf(x, 0):
		f.addSWF(column, s, "is not an integer")
	case x < c.low:
		f.addSWF(column, s, "must be %v or more", c.low)
	case x > c.high:
		f.addSWF(column, s, "must be at most %.0f", c.high)
	default:
		return x
	}
	return 0
}

func newSWFJob(line int, field [swfFields]float64) SWFJob {
	return SWFJob{
		Line:             line,
		Number:           int64(field[swfNumber]),
		SubmitSeconds:    field[swfSubmit],
		WaitSeconds:      field[swfWait],
		RunSeconds:       field[swfRun],
		Processors:       int64(field[swfProcessors]),
		MeanCPUSeconds:   field[swfMeanCPU],
		MemoryKB:         field[swfMemory],
		ProcessorsAsked:  int64(field[swfProcessorsAsked]),
		SecondsAsked:     field[swfSecondsAsked],
		MemoryKBAsked:    field[swfMemoryAsked],
		Status:           int64(field[swfStatus]),
		User:             int64(field[swfUser]),
		Group:            int64(field[swfGroup]),
		Program:          int64(field[swfProgram]),
		Queue:            int64(field[swfQueue]),
		Partition:        int64(field[swfPartition]),
		PrecedingJob:     int64(field[swfPreceding]),
		ThinkTimeSeconds: field[swfThinkTime],
	}
}

// readHeader reads the comments ahead of the first line that is none, and leaves
// that line, or the error in its place, to be read again.
func readHeader(l *lines) ([]HeaderField, error) {
	var header []HeaderField
	var value []string // lines of the last field's value
	closeField := func() {
		if len(value) > 0 {
			header[len(header)-1].Value = strings.TrimSpace(strings.Join(value, " "))
			value = nil
		}
	}
	for size := 0; ; {
		text, err := l.next()
		text = strings.TrimSpace(text)
		if err != nil || text != "" && text[0] != ';' {
			l.unread()
			closeField()
			return header, nil
		}
		text = strings.ToValidUTF8(strings.TrimSpace(strings.TrimPrefix(text, ";")), "\uFFFD")
		if size += len(text); size > maxHeaderBytes {
			return nil, fmt.Errorf("%s:%d:1: the header comments are longer than %d bytes", l.file, l.number, maxHeaderBytes)
		}
		key, rest, ok := cutKey(text)
		if text == "" || ok {
			closeField()
		}
		if text == "" {
			continue
		}
		if len(value) == 0 {
			header = append(header, HeaderField{Key: key})
		}
		value = append(value, rest)
	}
}

// cutKey splits "Key: value"; the key is one word, and a blank or the end of the
// line follows the colon, which "http://..." has not.
func cutKey(text string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(text, ":")
	if !ok || key == "" || strings.ContainsAny(key, " \t") || value != "" && value[0] != ' ' && value[0] != '\t' {
		return "", text, false
	}
	return key, strings.TrimSpace(value), true
}
