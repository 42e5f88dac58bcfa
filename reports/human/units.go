package human

import (
	"math"
	"strings"
)

// A unit of time gives way to the next where three digits of it would read as 120 or, for hours, as 72.0.
const (
	fromMinutes = 119.5
	fromHours   = 119.5 * 60
	fromDays    = 71.95 * 3600
)

// Seconds writes a time: "42.5 ms", "5.00 min".
func Seconds(v float64) string {
	switch magnitude := math.Abs(v); {
	case v == 0:
		return "0 s"
	case magnitude < 0.9995e-6:
		return Short(v*1e9) + " ns"
	case magnitude < 0.9995e-3:
		return ThreeDigits(v*1e6) + " µs"
	case magnitude < 0.9995:
		return ThreeDigits(v*1e3) + " ms"
	case magnitude < fromMinutes:
		return ThreeDigits(v) + " s"
	case magnitude < fromHours:
		return ThreeDigits(v/60) + " min"
	case magnitude < fromDays:
		return ThreeDigits(v/3600) + " h"
	}
	return ThreeDigits(v/86400) + " d"
}

// Span writes seconds during which so many of something were held: "10.0 pod·min".
func Span(v float64, what string) string {
	switch magnitude := math.Abs(v); {
	case v == 0:
		return "0"
	case magnitude < fromMinutes:
		return ThreeDigits(v) + " " + what + "·s"
	case magnitude < fromHours:
		return ThreeDigits(v/60) + " " + what + "·min"
	}
	return ThreeDigits(v/3600) + " " + what + "·h"
}

// Rate writes how often something happens, from what it is per second: "12.3 /s", "3.60 /h".
func Rate(v float64) string { return RateBeside(v, v) }

// RateBeside writes a rate in the unit that Rate chooses for another one.
func RateBeside(v, other float64) string {
	switch {
	case other == 0:
		return "0 /s"
	case other >= 0.1:
		return ThreeDigits(v) + " /s"
	case other*60 >= 0.1:
		return ThreeDigits(v*60) + " /min"
	}
	return ThreeDigits(v*3600) + " /h"
}

const (
	kibi = 1 << 10
	gibi = 1 << 30
)

// InBytes reports whether amounts of the resource are bytes.
func InBytes(resource string) bool {
	return resource == "memory" || resource == "ephemeral-storage" || strings.HasPrefix(resource, "hugepages-")
}

// Amount writes an amount of a resource, which is in thousandths of a core, in bytes or in pieces: "1.5 cores", "6 GiB".
func Amount(resource string, v float64) string {
	switch {
	case math.IsNaN(v):
		return None
	case resource == "cpu" && math.Abs(v) < 999.5:
		return Short(v) + "m"
	case resource == "cpu":
		return cores(Short(v / 1000))
	case InBytes(resource):
		return bytes(v)
	}
	return trimZeros(Number(v, 1))
}

// FreeAmount is Amount with the name of the resource where the unit does not tell it: "0 cores", "2 nvidia.com/gpu".
func FreeAmount(resource string, v int64) string {
	switch text := Amount(resource, float64(v)); {
	case resource == "cpu" && v == 0:
		return cores("0")
	case resource != "cpu" && resource != "memory":
		return text + " " + resource
	default:
		return text
	}
}

// AmountSeconds writes an amount of a resource times the seconds during which it was held: "2,000 core·h".
func AmountSeconds(resource string, v float64) string {
	switch {
	case resource == "cpu":
		return Span(v/1000, "core")
	case InBytes(resource):
		return Span(v/gibi, "GiB")
	}
	return Span(v, "unit")
}

func cores(n string) string {
	if n == "1" {
		return "1 core"
	}
	return n + " cores"
}

func bytes(v float64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	i := 0
	for ; math.Abs(v) >= kibi && i < len(units)-1; i++ {
		v /= kibi
	}
	return Short(v) + " " + units[i]
}
