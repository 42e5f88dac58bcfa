package document

import (
	"fmt"
	"strconv"
	"strings"
)

// step is one step of a path: into a list (by index) or into a mapping (by key).
type step struct {
	key   string
	index int // -1 for a key
}

// Path writes a path from its steps: an int is an index of a list, a string a key of a mapping.
// Path("labels", "a/b", 0) is `labels["a/b"][0]`. It panics on steps of other types.
func Path(steps ...any) string {
	all := make([]step, len(steps))
	for i, s := range steps {
		switch s := s.(type) {
		case int:
			all[i] = step{index: s}
		case string:
			all[i] = step{key: s, index: -1}
		default:
			panic(fmt.Sprintf("document: a path has no steps of type %T", s))
		}
	}
	return renderPath("", all)
}

// renderPath writes the steps behind base.
func renderPath(base string, steps []step) string {
	b := []byte(base)
	for _, s := range steps {
		b = appendStep(b, s)
	}
	return string(b)
}

func appendStep(b []byte, s step) []byte {
	switch {
	case s.index >= 0:
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(s.index), 10)
		return append(b, ']')
	case !isPlainKey(s.key):
		b = append(b, '[')
		b = strconv.AppendQuote(b, s.key)
		return append(b, ']')
	case len(b) > 0:
		b = append(b, '.')
	}
	return append(b, s.key...)
}

// isPlainKey reports whether a key can stand in a path without quotes.
func isPlainKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return key != ""
}

// joinPath puts the relative path rel behind base.
func joinPath(base, rel string) string {
	if base == "" || rel == "" || rel[0] == '[' {
		return base + rel
	}
	return base + "." + rel
}

// parsePath takes a path apart. It reports false for text that no path has.
func parsePath(path string) ([]step, bool) {
	var steps []step
	for path != "" {
		switch path[0] {
		case '[':
			s, rest, ok := parseBracket(path[1:])
			if !ok {
				return steps, false
			}
			steps, path = append(steps, s), rest
		case '.':
			path = path[1:]
		default:
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			steps, path = append(steps, step{key: path[:end], index: -1}), path[end:]
		}
	}
	return steps, true
}

// parseBracket reads what follows an opening bracket, up to and with the closing one.
func parseBracket(text string) (s step, rest string, ok bool) {
	if strings.HasPrefix(text, `"`) {
		literal, err := strconv.QuotedPrefix(text)
		if err != nil {
			return step{}, "", false
		}
		key, err := strconv.Unquote(literal)
		if err != nil {
			return step{}, "", false
		}
		rest, ok = strings.CutPrefix(text[len(literal):], "]")
		return step{key: key, index: -1}, rest, ok
	}
	number, rest, ok := strings.Cut(text, "]")
	index, err := strconv.Atoi(number)
	return step{index: index}, rest, ok && err == nil && index >= 0
}
