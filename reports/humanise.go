package reports

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// none stands for a value that there is not.
const none = "–"

const (
	kibi = 1 << 10
	gibi = 1 << 30
)

// human words a value for people: with its unit, and no more digits than they need.
func human(unit Unit, label string, v float64) string {
	if math.IsNaN(v) {
		return none
	}
	switch unit {
	case UnitShare:
		return humanShare(v)
	case UnitRatio:
		return fmt.Sprintf("%.3f", v)
	case UnitSeconds:
		return humanSeconds(v)
	case UnitPodSeconds:
		return humanSpan(v, "pod")
	case UnitPerSecond:
		return humanRate(v)
	case UnitNodeHours:
		return trimZeros(three(v))
	case UnitCost:
		if v == 0 {
			return none // no node has a price
		}
		return grouped(v, 2)
	case UnitAmount:
		return humanAmount(label, v)
	case UnitAmountSeconds:
		return humanAmountSeconds(label, v)
	}
	return grouped(v, 1)
}

// humanShare words a share in percent: what is not all does not read as all, nor what is not
// nothing as nothing, but for what is lost in sums.
func humanShare(v float64) string {
	const most = 7 // decimals
	text := ""
	for decimals := 1; decimals <= most; decimals++ {
		text = strconv.FormatFloat(100*v, 'f', decimals, 64)
		if rounded, _ := strconv.ParseFloat(text, 64); (rounded != 0 || v == 0) && (rounded != 100 || v == 1) {
			return text + " %"
		}
	}
	return text[:len(text)-most+1] + " %"
}

// grouped writes a number with its thousands apart, and decimals unless it is whole.
func grouped(v float64, decimals int) string {
	if v == math.Trunc(v) && decimals < 2 {
		decimals = 0
	}
	text := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if v < 0 {
		return "-" + whole
	}
	return whole
}

// three writes a number with three digits, more only before the point.
func three(v float64) string {
	switch magnitude := math.Abs(v); {
	case magnitude >= 99.95:
		return grouped(math.Round(v), 0)
	case magnitude >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// From here on a unit of time gives way to the next: where three digits of it would
// read as 120 or, for hours, as 72.0.
const (
	fromMinutes = 119.5
	fromHours   = 119.5 * 60
	fromDays    = 71.95 * 3600
)

func humanSeconds(v float64) string {
	switch magnitude := math.Abs(v); {
	case v == 0:
		return "0 s"
	case magnitude < 0.9995e-6:
		return trimZeros(three(v*1e9)) + " ns"
	case magnitude < 0.9995e-3:
		return three(v*1e6) + " µs"
	case magnitude < 0.9995:
		return three(v*1e3) + " ms"
	case magnitude < fromMinutes:
		return three(v) + " s"
	case magnitude < fromHours:
		return three(v/60) + " min"
	case magnitude < fromDays:
		return three(v/3600) + " h"
	}
	return three(v/86400) + " d"
}

// humanSpan words an amount of something that was held for a time.
func humanSpan(v float64, what string) string {
	switch magnitude := math.Abs(v); {
	case v == 0:
		return "0"
	case magnitude < fromMinutes:
		return three(v) + " " + what + "·s"
	case magnitude < fromHours:
		return three(v/60) + " " + what + "·min"
	}
	return three(v/3600) + " " + what + "·h"
}

func humanRate(v float64) string { return rateBeside(v, v) }

// rateBeside words a rate in the unit that another one is worded in.
func rateBeside(v, other float64) string {
	switch {
	case other == 0:
		return "0 /s"
	case other >= 0.1:
		return three(v) + " /s"
	case other*60 >= 0.1:
		return three(v*60) + " /min"
	}
	return three(v*3600) + " /h"
}

// inBytes reports whether the base unit of the resource is bytes.
func inBytes(resource string) bool {
	return resource == "memory" || resource == "ephemeral-storage" || strings.HasPrefix(resource, "hugepages-")
}

func humanAmount(resource string, v float64) string {
	switch {
	case math.IsNaN(v):
		return none
	case resource == "cpu" && math.Abs(v) < 999.5:
		return trimZeros(three(v)) + "m"
	case resource == "cpu":
		return cores(trimZeros(three(v / 1000)))
	case inBytes(resource):
		return humanBytes(v)
	}
	return trimZeros(grouped(v, 1))
}

func cores(n string) string {
	if n == "1" {
		return "1 core"
	}
	return n + " cores"
}

func humanBytes(v float64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	i := 0
	for ; math.Abs(v) >= kibi && i < len(units)-1; i++ {
		v /= kibi
	}
	return trimZeros(three(v)) + " " + units[i]
}

// trimZeros takes the zeros off the end of a decimal fraction.
func trimZeros(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func humanAmountSeconds(resource string, v float64) string {
	switch {
	case resource == "cpu":
		return humanSpan(v/1000, "core")
	case inBytes(resource):
		return humanSpan(v/gibi, "GiB")
	}
	return humanSpan(v, "unit")
}
