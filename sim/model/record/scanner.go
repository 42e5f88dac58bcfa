package record

import (
	"encoding/json"
	"strconv"
)

// scanner reads JSON that has neither blanks nor escapes. After the first fault all that it returns is zero.
type scanner struct {
	rest     []byte
	bad      bool
	words    map[string]string
	attempts slab[AttemptInfo]
}

// slabSize is how many values are allocated at a time.
const slabSize = 256

// slab hands out values that are allocated many at a time.
type slab[V any] struct {
	values []V
	used   int
}

func (s *slab[V]) next() *V {
	if s.used == len(s.values) {
		s.values, s.used = make([]V, slabSize), 0
	}
	s.used++
	return &s.values[s.used-1]
}

// putBack takes back the value that was handed out last.
func (s *slab[V]) putBack() {
	var zero V
	s.used--
	s.values[s.used] = zero
}

func (s *scanner) newAttempt() *AttemptInfo { return s.attempts.next() }

// maxWords is how many texts a scanner keeps to share them.
const maxWords = 4096

// word scans a text that is likely to be repeated.
func (s *scanner) word() string {
	text := s.plainText()
	if known, ok := s.words[string(text)]; ok {
		return known
	}
	if s.words == nil || len(s.words) == maxWords {
		s.words = map[string]string{}
	}
	word := string(text)
	s.words[word] = word
	return word
}

// ahead reports whether the text comes next.
func (s *scanner) ahead(text string) bool {
	return len(s.rest) >= len(text) && string(s.rest[:len(text)]) == text
}

// skip skips the text if it comes next.
func (s *scanner) skip(text string) bool {
	if !s.ahead(text) {
		return false
	}
	s.rest = s.rest[len(text):]
	return true
}

// literal skips the text, which must come next.
func (s *scanner) literal(text string) {
	if s.bad || !s.skip(text) {
		s.bad = true
	}
}

// list scans elements between two brackets.
func (s *scanner) list(open, shut byte, element func()) {
	s.literal(string(open))
	if s.skip(string(shut)) {
		return
	}
	element()
	for !s.bad && s.skip(",") {
		element()
	}
	s.literal(string(shut))
}

// plainText scans a string of plain ASCII.
func (s *scanner) plainText() []byte {
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

// scanInteger scans a whole number of at most maxDigits digits that fits into the type.
func scanInteger[N whole](s *scanner) N {
	v := s.integer()
	if int64(N(v)) != v {
		s.bad = true
		return 0
	}
	return N(v)
}

func (s *scanner) integer() int64 {
	negative := s.skip("-")
	digits, v := 0, int64(0)
	for digits < len(s.rest) && s.rest[digits] >= '0' && s.rest[digits] <= '9' && digits <= maxDigits {
		v = 10*v + int64(s.rest[digits]-'0')
		digits++
	}
	padded := digits > 1 && s.rest[0] == '0'
	if s.bad || digits == 0 || digits > maxDigits || padded {
		s.bad = true
		return 0
	}
	s.rest = s.rest[digits:]
	if negative {
		return -v
	}
	return v
}

// fraction scans a number.
func (s *scanner) fraction() float64 {
	n := 0
	for n < len(s.rest) && s.rest[n] != ',' && s.rest[n] != '}' && s.rest[n] != ']' {
		n++
	}
	v, err := strconv.ParseFloat(string(s.rest[:n]), 64)
	if s.bad || err != nil || !json.Valid(s.rest[:n]) {
		s.bad = true
		return 0
	}
	s.rest = s.rest[n:]
	return v
}

// truth scans true or false.
func (s *scanner) truth() bool {
	if s.skip("true") {
		return true
	}
	s.literal("false")
	return false
}
