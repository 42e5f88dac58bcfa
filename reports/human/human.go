// Package human writes numbers for people: with their units, and with no more digits than they need. JSON and CSV have
// the whole number instead, see package output.
package human

import (
	"math"
	"strconv"
	"strings"
)

// None stands for a missing value.
const None = "–"

// Whole writes a whole number with its thousands apart: "1,200".
func Whole[N int | int32 | int64](n N) string { return Number(float64(n), 0) }

// largest is the largest number that is written with all of its digits.
const largest = 1e15

// Number writes a number with its thousands apart, and with the decimals unless it is whole and they are fewer
// than two. A very large one has an exponent: "9.2e+99".
func Number(v float64, decimals int) string {
	switch {
	case math.IsNaN(v):
		return None
	case math.Abs(v) >= largest:
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
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

// ThreeDigits writes a number with three significant digits, more only before the point: "0.50", "12.3", "1,234".
func ThreeDigits(v float64) string {
	switch magnitude := math.Abs(v); {
	case magnitude >= 99.95:
		return Number(math.Round(v), 0)
	case magnitude >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// Short is ThreeDigits without the zeros at the end of a decimal fraction: "0.5".
func Short(v float64) string { return trimZeros(ThreeDigits(v)) }

// trimZeros removes the zeros at the end of a decimal fraction.
func trimZeros(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// Share writes a share in percent. Less than all never reads as 100 %, and more than nothing never as 0 %, except for
// what is lost in sums.
func Share(v float64) string {
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

// Percent is a share, which is not negative, as a number of percent: with more than three digits where it would read
// as nothing, down to what rounding in sums may amount to.
func Percent(v float64) string {
	if v >= 0.00005 {
		return ThreeDigits(100 * v)
	}
	return strings.TrimSuffix(strconv.FormatFloat(100*v, 'f', 4, 64), "00")
}

// Signed puts the sign of a difference in front of the text of its size.
func Signed(difference float64, size string) string {
	if difference < 0 {
		return "−" + size
	}
	return "+" + size
}
