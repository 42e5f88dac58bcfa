package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"unicode/utf16"
)

// mutation breaks the text of a file in one way.
type mutation struct {
	name string
	of   func(*rand.Rand, []byte) []byte
}

// mutations are the ways to break a text that has keys, values, lines and bytes, whatever its format is.
var mutations = []mutation{
	{"a value replaced", replaceValue},
	{"two values replaced", func(r *rand.Rand, text []byte) []byte { return replaceValue(r, replaceValue(r, text)) }},
	{"a key removed", func(r *rand.Rand, text []byte) []byte { return replaceKey(r, text, "") }},
	{"a key renamed", func(r *rand.Rand, text []byte) []byte { return replaceKey(r, text, pick(r, badKeys)) }},
	{"a line removed", func(r *rand.Rand, text []byte) []byte { return changeLine(r, text, "") }},
	{"a line twice", func(r *rand.Rand, text []byte) []byte { return changeLine(r, text, "$0\n$0") }},
	{"a line indented", func(r *rand.Rand, text []byte) []byte { return changeLine(r, text, "   $0") }},
	{"a line not indented", func(r *rand.Rand, text []byte) []byte {
		return changeLineBy(r, text, func(line string) string { return strings.TrimLeft(line, " \t") })
	}},
	{"a line with an anchor on itself", func(r *rand.Rand, text []byte) []byte { return changeLine(r, text, "$0\nloop: &loop [*loop]") }},
	{"a merge key", func(r *rand.Rand, text []byte) []byte { return changeLine(r, text, "<<: {name: merged}\n$0") }},
	{"a merge of an unknown anchor", func(r *rand.Rand, text []byte) []byte { return changeLine(r, text, "$0\n<<: *unknown") }},
	{"a tab", func(r *rand.Rand, text []byte) []byte { return changeLine(r, text, "\t$0") }},
	{"truncated", func(r *rand.Rand, text []byte) []byte { return text[:r.IntN(len(text)+1)] }},
	{"a byte changed", func(r *rand.Rand, text []byte) []byte { return insert(r, text, []byte{byte(r.IntN(256))}, 1) }},
	{"bytes inserted", func(r *rand.Rand, text []byte) []byte { return insert(r, text, []byte(pick(r, badBytes)), 0) }},
	{"bytes removed", func(r *rand.Rand, text []byte) []byte { return insert(r, text, nil, 1+r.IntN(40)) }},
	{"a byte order mark", func(_ *rand.Rand, text []byte) []byte { return append([]byte("\xef\xbb\xbf"), text...) }},
	{"CRLF", func(_ *rand.Rand, text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) }},
	{"CR", func(_ *rand.Rand, text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r")) }},
	{"UTF-16", func(r *rand.Rand, text []byte) []byte { return inUTF16(text, r.IntN(2) == 0) }},
	{"twice", func(_ *rand.Rand, text []byte) []byte { return join(text, "\n---\n", text) }},
	{"twice without a separator", func(_ *rand.Rand, text []byte) []byte { return join(text, "", text) }},
	{"an empty document before it", func(_ *rand.Rand, text []byte) []byte { return join(nil, "---\n---\n", text) }},
	{"other text after it", func(r *rand.Rand, text []byte) []byte { return join(text, "\n", []byte(pick(r, badValues))) }},
	{"a directive", func(_ *rand.Rand, text []byte) []byte { return join(nil, "%YAML 7.7\n---\n", text) }},
	{"a long line", func(r *rand.Rand, text []byte) []byte { return insert(r, text, bytes.Repeat([]byte("x"), 100_000), 0) }},
	{"many keys", manyKeys},
	{"deep lists", func(r *rand.Rand, text []byte) []byte { return deep(r, text, "[", "]") }},
	{"deep mappings", func(r *rand.Rand, text []byte) []byte { return deep(r, text, `{"a":`, "}") }},
	{"open brackets", func(r *rand.Rand, text []byte) []byte {
		return deep(r, text, pick(r, []string{"[", "{", `{"a":`, "- "}), "")
	}},
	{"a tag", func(r *rand.Rand, text []byte) []byte { return tagValue(r, text) }},
	{"empty", func(*rand.Rand, []byte) []byte { return nil }},
	{"only space", func(*rand.Rand, []byte) []byte { return []byte(" \n\t\n ") }},
	{"only a scalar", func(r *rand.Rand, _ []byte) []byte { return []byte(pick(r, badValues)) }},
	{"aliases of aliases", func(*rand.Rand, []byte) []byte { return aliasBomb() }},
}

// badValues are put in the place of values: of wrong types, out of range, or made to disturb a terminal.
var badValues = []string{
	"", "null", "~", `""`, "{}", "[]", "true", "-1", "0", "1e309", "-1e309", "9E99", "1e-320", ".nan", ".inf", "-.inf", "NaN", "Infinity",
	"99999999999999999999999999", "-9223372036854775808", "18446744073709551616", "1e2000000000", "0x7fffffffffffffff", "0o17", "1_000", "1.5.2",
	`"\u001b[31mred"`, `"\u0000"`, `"\u202egnp.exe"`, `"\u009b31m"`, `"\u0007\b\r"`, `"a\nb"`, "\x1b[2J", "\x00", "\xff\xfe", "\u2028", "\u202e",
	"!!binary aGVsbG8=", "!unknown x", "!!set {a, b}", "!\x1b[31m x", "&a [*a]", "*unknown", "&a {<<: *a}", "2001-01-01", "12:30:45", "-2h", "1h1h", "9999999h", "2562047h47m17s",
	"{a: {b: [1, {c: null}]}}", "[[[[[[[[1]]]]]]]]", "| \n  text", "'it''s'", `"unclosed`, "{unclosed: [", "? key", "@reserved", "`reserved`", "%20",
	"../../../../etc/passwd", "/dev/null", ".", "https://example.com/x", "$(HOME)", "{{ .Values.x }}", "-1Gi", "1e99Gi", "0.0000000001m", "5%", "101%", "<script>alert(1)</script>", "a,b", "ﬀ",
}

var badKeys = []string{"Name", "unknown", "", "null", "~", `"\u001b[1m"`, "<<", "? x", "1", "a b", "metadata", "\x00", "*a", "&a", strings.Repeat("k", 2_000)}

var badBytes = []string{"\x00", "\x1b[31m", "\x07", "\xff", "\xc3\x28", "\xed\xa0\x80", "\u0085", "\u2029", "\u200f", "\u202e", ",", "\"", "'", "{", "}", "[", "]", ":", ": ", "- ", "#", "&", "*", "!", "|", "\t", "\n", "\r", "\n...\n", "\n---\n"}

// The values and keys of YAML and JSON, and the cells of CSV and SWF.
var (
	someValue = regexp.MustCompile(`(?m)(?:[:,] ?|- |^)([^\s:,{}\[\]][^\n:,{}\[\]]*)`)
	someKey   = regexp.MustCompile(`(?m)"?[A-Za-z][A-Za-z0-9./-]*"?: ?`)
)

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// splice puts other text in the place of text[from:to].
func splice(text []byte, from, to int, other []byte) []byte {
	return bytes.Join([][]byte{text[:from], other, text[to:]}, nil)
}

func join(a []byte, between string, b []byte) []byte {
	return bytes.Join([][]byte{a, b}, []byte(between))
}

func insert(r *rand.Rand, text, what []byte, over int) []byte {
	at := r.IntN(len(text) + 1)
	return splice(text, at, min(len(text), at+over), what)
}

// spanOf returns where one of the matches of the pattern is. The last group counts.
func spanOf(r *rand.Rand, text []byte, pattern *regexp.Regexp) (from, to int) {
	all := pattern.FindAllSubmatchIndex(text, -1)
	if len(all) == 0 {
		return 0, 0
	}
	one := all[r.IntN(len(all))]
	return one[len(one)-2], one[len(one)-1]
}

func replaceValue(r *rand.Rand, text []byte) []byte {
	from, to := spanOf(r, text, someValue)
	return splice(text, from, to, []byte(pick(r, badValues)))
}

func tagValue(r *rand.Rand, text []byte) []byte {
	from, _ := spanOf(r, text, someValue)
	return splice(text, from, from, []byte(pick(r, []string{"!!str ", "!!int ", "!!float ", "!!map ", "!!seq ", "!!timestamp ", "!!null ", "!x ", "! ", "!!python/object:x "})))
}

func replaceKey(r *rand.Rand, text []byte, name string) []byte {
	from, to := spanOf(r, text, someKey)
	if name != "" {
		name += ": "
	}
	return splice(text, from, to, []byte(name))
}

// changeLine replaces a line. $0 stands for it.
func changeLine(r *rand.Rand, text []byte, by string) []byte {
	return changeLineBy(r, text, func(line string) string { return strings.ReplaceAll(by, "$0", line) })
}

func changeLineBy(r *rand.Rand, text []byte, by func(string) string) []byte {
	lines := strings.Split(string(text), "\n")
	i := r.IntN(len(lines))
	lines[i] = by(lines[i])
	return []byte(strings.Join(lines, "\n"))
}

func deep(r *rand.Rand, text []byte, open, shut string) []byte {
	levels := []int{100, 499, 501, 10_000, 60_000}[r.IntN(5)]
	from, to := spanOf(r, text, someValue)
	return splice(text, from, to, []byte(strings.Repeat(open, levels)+"1"+strings.Repeat(shut, levels)))
}

func manyKeys(r *rand.Rand, text []byte) []byte {
	var b strings.Builder
	b.WriteString("{")
	for i := range 5_000 {
		fmt.Fprintf(&b, `"key%d": %d, `, i, i)
	}
	b.WriteString(`"last": 1}`)
	from, to := spanOf(r, text, someValue)
	return splice(text, from, to, []byte(b.String()))
}

func inUTF16(text []byte, big bool) []byte {
	var out []byte
	for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(string(text)))...) {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

// aliasBomb is a text of a few hundred bytes that means some 10^9 values.
func aliasBomb() []byte {
	var b strings.Builder
	b.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := range 9 {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 10), ","))
	}
	return []byte(b.String())
}
