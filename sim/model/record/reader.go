package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/berth-sim/berth/sim/model/clock"
)

// maxLine is the longest line that Read takes.
const maxLine = 64 << 20

// Read reads what Writer wrote. It ends at the end of the text or at the first fault, which is an error of the form
// "name:line:1: what is wrong". Records share no memory that is written again, so that they can be kept.
func Read(name string, r io.Reader) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, maxLine)
		number := 0
		var p parser
		for lines.Scan() {
			number++
			record, err := p.parse(lines.Bytes())
			if err != nil {
				yield(nil, fmt.Errorf("%s:%d:1: %w", name, number, err))
				return
			}
			if !yield(record, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(nil, fmt.Errorf("%s:%d:1: %w", name, number+1, err))
		}
	}
}

// parser parses lines of a log. It scans lines as Writer writes them. Others, and faulty ones, go to decode, which
// every line could go to.
type parser struct {
	scanner
	records slab[Record]
}

func (p *parser) parse(line []byte) (*Record, error) {
	r := p.records.next()
	if p.scan(line, r) {
		return r, nil
	}
	p.records.putBack()
	return decode(line)
}

// scan reads a line as Writer writes it, without blanks and escapes. It returns false for any other line.
func (p *parser) scan(line []byte, r *Record) bool {
	s := &p.scanner
	s.rest, s.bad = line, false
	s.literal(`{"t":`)
	at := scanInteger[clock.Time](s)
	s.literal(`,"kind":`)
	kind := kindByName[string(s.plainText())]
	if s.bad || kind == 0 {
		return false
	}
	*r = Record{Time: at, Kind: kind, Pod: -1, Node: -1, Group: -1, By: -1}
	layouts[kind].scanMembers(s, r)
	s.literal("}")
	return !s.bad && len(s.rest) == 0
}

// decode reads a line in any form that JSON allows.
func decode(line []byte) (*Record, error) {
	members, err := decodeLine(line)
	if err != nil {
		return nil, err
	}
	r := &Record{Pod: -1, Node: -1, Group: -1, By: -1}
	for _, key := range []string{"kind", "t"} {
		if members[key] == nil {
			return nil, &keyError{key: key, missing: true}
		}
	}
	if err := headObject.decodeMembers(members, r); err != nil {
		return nil, err
	}
	l := &layouts[r.Kind]
	delete(members, "t")
	delete(members, "kind")
	if err := l.checkKeys(members); err != nil {
		var k *keyError
		if errors.As(err, &k) && !k.missing {
			return nil, fmt.Errorf("%s has no meaning in a record of kind %q", k.key, r.Kind)
		}
		return nil, fmt.Errorf("%w in a record of kind %q", err, r.Kind)
	}
	return r, l.decodeMembers(members, r)
}

// headObject is what a record of any kind begins with.
var headObject = objectOf(
	integer("t", func(r *Record) *clock.Time { return &r.Time }),
	field[Record]{key: "kind", decode: func(raw []byte, r *Record) error {
		var name string
		known := false
		if json.Unmarshal(raw, &name) == nil {
			r.Kind, known = KindOf(name)
		}
		if !known {
			return fmt.Errorf("%s is not a kind of record", raw)
		}
		return nil
	}},
)

// decodeLine reads the one object of a line.
func decodeLine(line []byte) (map[string]json.RawMessage, error) {
	var raw json.RawMessage
	d := json.NewDecoder(bytes.NewReader(line))
	if err := d.Decode(&raw); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errors.New("the record is truncated")
	} else if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("there is more than one record on the line")
	}
	return decodeMembers(raw)
}
