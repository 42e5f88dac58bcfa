package output

import (
	"regexp"
	"strings"
)

// The colors of a terminal, as SGR sequences of ECMA-48.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

// verdicts are words of the first line of an answer that say how it ended: a gate, a pod, the pods of a placement. The group
// of an expression is what has the color.
var verdicts = []struct {
	words *regexp.Regexp
	color string
}{
	{regexp.MustCompile(`\b([\d,]+ of [\d,]+ checks? failed)\b`), bold + red},
	{regexp.MustCompile(`\b(no failure in [\d,]+ checks?)\b`), bold + yellow},
	{regexp.MustCompile(`\b([\d,]+ checks? passed)\b`), bold + green},
	{regexp.MustCompile(`: (unschedulable|error)\b`), bold + red},
	{regexp.MustCompile(`: (gated|queued|waiting|assumed)\b`), bold + yellow},
	{regexp.MustCompile(`: (scheduled|running)\b`), bold + green},
	{regexp.MustCompile(`\bpods? scheduled,.*; ([\d,]+ unschedulable|[\d,]+ failed with an error)\b`), bold + red},
}

// scheduledPods says how many pods of how many a placement has put on nodes.
var scheduledPods = regexp.MustCompile(`^([1-9][\d,]*) of ([\d,]+) pods? scheduled\b`)

// paint colors text that is laid out already: headings, those of what is better and worse, and the verdict in the first
// line. Since nothing that is measured or escaped comes after it, widths do not count the colors, and every escape
// character in the result is berth's own.
func paint(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch {
		case i == 0:
			lines[i] = paintVerdict(line)
		case isHeading(line) && lines[i-1] == "" && i+1 < len(lines) && lines[i+1] == "":
			lines[i] = bold + headingColor(line) + line + plain
		}
	}
	return strings.Join(lines, "\n")
}

func paintVerdict(line string) string {
	for _, v := range verdicts {
		if at := v.words.FindStringSubmatchIndex(line); at != nil {
			return line[:at[2]] + v.color + line[at[2]:at[3]] + plain + line[at[3]:]
		}
	}
	if m := scheduledPods.FindStringSubmatch(line); m != nil && m[1] == m[2] {
		return bold + green + m[0] + plain + line[len(m[0]):]
	}
	return line
}

// isHeading reports whether a line is written in capitals, as headings are.
func isHeading(line string) bool {
	return line == strings.ToUpper(line) && line != strings.ToLower(line)
}

func headingColor(line string) string {
	switch {
	case strings.HasSuffix(line, "BETTER"):
		return green
	case strings.HasSuffix(line, "WORSE"):
		return red
	}
	return ""
}
