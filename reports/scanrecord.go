package reports

import (
	"math"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// slab is how many records are allocated at a time.
const slab = 256

// maxWords is how many texts of reasons a parser keeps to share them.
const maxWords = 4096

// recordParser parses lines of a log. Most lines are of a few kinds, and written by
// RecordWriter: those it scans itself. All others, and all that are wrong, go to
// parseRecord, which every line could go to.
type recordParser struct {
	records  []record.Record
	attempts []record.AttemptInfo
	words    map[string]string
}

// parse parses a line. Records share nothing that is written again.
func (p *recordParser) parse(line []byte) (*record.Record, error) {
	if len(p.records) == 0 {
		p.records = make([]record.Record, slab)
	}
	r := &p.records[0]
	if !p.scan(line, r) {
		*r = record.Record{}
		return parseRecord(line)
	}
	p.records = p.records[1:]
	return r, nil
}

// scan reads a line as RecordWriter writes it, without blanks and escapes. It says false
// where it does not understand it.
func (p *recordParser) scan(line []byte, r *record.Record) bool {
	s := lineScanner{rest: line}
	s.literal(`{"t":`)
	t := s.integer(math.MinInt64, math.MaxInt64)
	s.literal(`,"kind":`)
	kind, known := kindNames[string(s.plainText())]
	if s.bad || !known {
		return false
	}
	*r = record.Record{Time: clock.Time(t), Kind: kind, Pod: -1, Node: -1, Group: -1, By: -1}
	there := field(0)
	for !s.bad && s.next() == ',' {
		s.literal(",")
		bit := p.member(&s, r)
		if bit == 0 || there&bit != 0 {
			return false
		}
		there |= bit
	}
	s.literal("}")
	wanted := fieldsOf[kind]
	return !s.bad && len(s.rest) == 0 && there&^wanted == 0 && wanted&^there&^optionalIn(kind) == 0
}

// member reads a key and its value into the record. It returns the field, or 0 for one
// that it does not read.
func (p *recordParser) member(s *lineScanner, r *record.Record) field {
	key := s.plainText()
	s.literal(":")
	switch string(key) {
	case "pod":
		r.Pod = s.integer(math.MinInt64, math.MaxInt64)
		return hasPod
	case "node":
		r.Node = s.small()
		return hasNode
	case "group":
		r.Group = s.integer(math.MinInt64, math.MaxInt64)
		return hasGroup
	case "class":
		r.Class = s.small()
		return hasClass
	case "workload":
		r.Workload = s.small()
		return hasWorkload
	case "count":
		r.Count = int(s.small())
		return hasCount
	case "by":
		r.By = s.integer(math.MinInt64, math.MaxInt64)
		return hasBy
	case "cause":
		r.Cause = record.Cause(p.word(s.plainText()))
		return hasCause
	case "text":
		r.Text = string(s.plainText())
		return hasText
	case "held":
		r.Held = s.held()
		return hasHeld
	case "attempt":
		r.Attempt = p.attempt(s)
		return hasAttempt
	}
	return 0
}

func (p *recordParser) attempt(s *lineScanner) *record.AttemptInfo {
	if len(p.attempts) == 0 {
		p.attempts = make([]record.AttemptInfo, slab)
	}
	a := &p.attempts[0]
	p.attempts = p.attempts[1:]
	s.literal(`{"outcome":`)
	a.Outcome = p.word(s.plainText())
	s.literal(`,"node":`)
	a.Node = s.small()
	if s.ahead(`,"held":`) {
		s.literal(`,"held":`)
		a.Held = s.held()
	}
	s.literal(`,"feasible":`)
	a.Feasible = int(s.small())
	s.literal(`,"evaluated":`)
	a.Evaluated = int(s.small())
	s.literal(`,"busy":`)
	a.Busy = clock.Time(s.integer(math.MinInt64, math.MaxInt64))
	s.literal(`,"nominated":`)
	a.Nominated = s.small()
	s.literal(`,"victims":`)
	a.Victims = int(s.small())
	if s.next() == ',' {
		s.literal(`,"reasons":[`)
		a.Reasons = append(a.Reasons, p.reason(s))
		for !s.bad && s.next() == ',' {
			s.literal(",")
			a.Reasons = append(a.Reasons, p.reason(s))
		}
		s.literal("]")
	}
	s.literal("}")
	return a
}

func (p *recordParser) reason(s *lineScanner) record.ReasonCount {
	s.literal("[")
	plugin := p.word(s.plainText())
	s.literal(",")
	reason := p.word(s.plainText())
	s.literal(",")
	nodes := int(s.small())
	s.literal("]")
	return record.ReasonCount{Plugin: plugin, Reason: reason, Nodes: nodes}
}

// word is a text that is likely to come again.
func (p *recordParser) word(text []byte) string {
	if known, ok := p.words[string(text)]; ok {
		return known
	}
	if p.words == nil || len(p.words) == maxWords {
		p.words = map[string]string{}
	}
	word := string(text)
	p.words[word] = word
	return word
}

// kindNames are the kinds of records by their names, for texts that need not be strings.
var kindNames = func() map[string]record.Kind {
	names := map[string]record.Kind{}
	for kind := range fieldsOf {
		names[string(kind)] = kind
	}
	return names
}()

// lineScanner reads JSON that has neither blanks nor escapes. After the first fault all
// that it returns is zero.
type lineScanner struct {
	rest []byte
	bad  bool
}

// next is the next byte, or 0 at the end.
func (s *lineScanner) next() byte {
	if len(s.rest) == 0 {
		return 0
	}
	return s.rest[0]
}

func (s *lineScanner) literal(text string) {
	if s.bad || !s.ahead(text) {
		s.bad = true
		return
	}
	s.rest = s.rest[len(text):]
}

// ahead reports whether the text comes next.
func (s *lineScanner) ahead(text string) bool {
	return len(s.rest) >= len(text) && string(s.rest[:len(text)]) == text
}

// plainText reads a string of plain ASCII.
func (s *lineScanner) plainText() []byte {
	s.literal(`"`)
	if s.bad {
		return nil
	}
	for i, c := range s.rest {
		if c == '"' {
			text := s.rest[:i]
			s.rest = s.rest[i+1:]
			return text
		}
		if c < ' ' || c == '\\' || c > '~' {
			break
		}
	}
	s.bad = true
	return nil
}

// maxDigits is how many digits surely fit into an int64.
const maxDigits = 18

// integer reads a whole number of at most maxDigits digits.
func (s *lineScanner) integer(least, most int64) int64 {
	negative := s.next() == '-'
	if negative {
		s.rest = s.rest[1:]
	}
	digits, v := 0, int64(0)
	for digits < len(s.rest) && s.rest[digits] >= '0' && s.rest[digits] <= '9' && digits <= maxDigits {
		v = 10*v + int64(s.rest[digits]-'0')
		digits++
	}
	padded := digits > 1 && s.rest[0] == '0'
	if negative {
		v = -v
	}
	if s.bad || digits == 0 || digits > maxDigits || padded || v < least || v > most {
		s.bad = true
		return 0
	}
	s.rest = s.rest[digits:]
	return v
}

// small reads a number of 32 bits.
func (s *lineScanner) small() int32 { return int32(s.integer(math.MinInt32, math.MaxInt32)) }
