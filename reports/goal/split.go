package goal

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// piece is a part of the text of a goal.
type piece struct {
	text []rune
	at   int // where it begins, in characters from 0
}

// conjuncts are the parts of a goal that must all hold: what && or "and" joins outside of
// brackets. Text that makes no sense is left whole for the parser to say so.
func conjuncts(text []rune, at int) []piece {
	text, at = trim(text, at)
	if inner := unwrap(text); inner != nil {
		return conjuncts(inner, at+1)
	}
	var out []piece
	from, depth := 0, 0
	for i := 0; i < len(text); i++ {
		switch r := text[i]; {
		case r == '"' || r == '\'' || r == '`':
			i = closing(text, i)
		case r == '(' || r == '[' || r == '{':
			depth++
		case r == ')' || r == ']' || r == '}':
			depth--
		case depth == 0 && (hasWord(text, i, "or") || hasPrefix(text[i:], "||")):
			return []piece{{text, at}}
		case depth == 0 && (hasWord(text, i, "and") || hasPrefix(text[i:], "&&")):
			out = append(out, conjuncts(text[from:i], at+from)...)
			if i++; text[i] == 'n' {
				i++
			}
			from = i + 1
		}
	}
	if from == 0 {
		return []piece{{text, at}}
	}
	return append(out, conjuncts(text[from:], at+from)...)
}

func trim(text []rune, at int) ([]rune, int) {
	for len(text) > 0 && unicode.IsSpace(text[0]) {
		text, at = text[1:], at+1
	}
	for len(text) > 0 && unicode.IsSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text, at
}

// unwrap takes off the brackets around the whole text; nil: there are none.
func unwrap(text []rune) []rune {
	if len(text) < 2 || text[0] != '(' {
		return nil
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'', '`':
			i = closing(text, i)
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && i == len(text)-1 {
				return text[1:i]
			} else if depth == 0 {
				return nil
			}
		}
	}
	return nil
}

// closing is where the quoted text ends that begins at i, or the end of all text.
func closing(text []rune, i int) int {
	quote := text[i]
	for i++; i < len(text) && text[i] != quote; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

func hasPrefix(text []rune, prefix string) bool {
	return len(text) >= len(prefix) && string(text[:len(prefix)]) == prefix
}

// hasWord reports whether the word is at i, and not as a part of a longer one.
func hasWord(text []rune, i int, word string) bool {
	end := i + len(word)
	return hasPrefix(text[i:], word) && (i == 0 || !inWord(text[i-1])) && (end == len(text) || !inWord(text[end]))
}

func inWord(r rune) bool { return r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// plain is a term as the parser of expressions reads it: labels and parts of the run as quoted
// members, and numbers with units as calls of the function unit.
type plain struct {
	text   []rune
	origin []int // where each character of it, and the end, comes from
}

// unitCall is the function that stands for a number with a unit.
const unitCall = "unit"

// rewrite makes the text plain.
func rewrite(p piece) plain {
	var out plain
	add := func(s string, from int) {
		for _, r := range s {
			out.text, out.origin = append(out.text, r), append(out.origin, p.at+from)
		}
	}
	for i := 0; i < len(p.text); {
		end := i + 1
		switch r := p.text[i]; {
		case r == '"' || r == '\'' || r == '`':
			end = min(closing(p.text, i)+1, len(p.text))
		case r == '[':
			if label, after := bareLabel(p.text, i); label != "" {
				add(`["`+label+`"]`, i)
				i = after
				continue
			}
		case r == '{':
			if after := slices.Index(p.text[i:], '}'); after > 0 {
				add("["+strconv.Quote(string(p.text[i:i+after+1]))+"]", i)
				i += after + 1
				continue
			}
		case unicode.IsDigit(r):
			if end = numberEnd(p.text, i); hasUnit(p.text[i:end]) {
				add(unitCall+`("`+strings.ReplaceAll(string(p.text[i:end]), " ", "")+`")`, i)
				i = end
				continue
			}
		case inWord(r):
			for end < len(p.text) && inWord(p.text[end]) {
				end++
			}
		}
		for ; i < end; i++ {
			add(string(p.text[i]), i)
		}
	}
	out.origin = append(out.origin, p.at+len(p.text))
	return out
}

// bareLabel is the label without quotes in the brackets that open at i, and where they end;
// empty: there is none.
func bareLabel(text []rune, i int) (label string, after int) {
	end := slices.Index(text[i:], ']')
	if end < 0 {
		return "", 0
	}
	label = strings.TrimSpace(string(text[i+1 : i+end]))
	if strings.ContainsAny(label, "\"'`[\\") {
		return "", 0
	}
	return label, i + end + 1
}

// numberEnd is where a number ends that begins at i, with its unit: letters right behind it,
// or a percent sign that a space may stand before.
func numberEnd(text []rune, i int) int {
	end := i
	for end < len(text) && (inWord(text[end]) || (text[end] == '+' || text[end] == '-') && exponent(text[i:end])) {
		end++
	}
	for k := end; k < len(text); k++ {
		if text[k] == '%' {
			return k + 1
		}
		if text[k] != ' ' {
			break
		}
	}
	return end
}

// exponent reports whether the number has come to the e of 1e-3.
func exponent(number []rune) bool {
	last := number[len(number)-1]
	return (last == 'e' || last == 'E') && !slices.ContainsFunc(number[:len(number)-1], unicode.IsLetter)
}

// hasUnit reports whether more than a number is there.
func hasUnit(text []rune) bool {
	last := text[len(text)-1]
	return unicode.IsLetter(last) || last == '%'
}
