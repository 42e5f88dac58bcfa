package clock

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The units that may come first in a span; package time knows all shorter ones.
var (
	longPart    = regexp.MustCompile(`^(\d+(?:\.\d+)?)([wdh])`)
	hoursInUnit = map[string]float64{"w": 7 * 24, "d": 24, "h": 1}
)

// ErrNotSpan is the error of ParseSpan for text that is not a span of time.
var ErrNotSpan = errors.New("is not a duration: write it like 30s, 10m, 1h30m or 2d")

var (
	errSignInside = errors.New("is not a duration: the sign comes first")
	errTooLong    = errors.New("is too long: at most 292 years")
)

// ParseSpan reads a span of time as people write it: "90s", "1h30m", "2d", "1w". Weeks, days and hours come before
// the shorter units. It reads what Time.String prints, except "forever".
func ParseSpan(text string) (Time, error) {
	rest := strings.TrimSpace(text)
	sign := Time(1)
	if strings.HasPrefix(rest, "-") {
		rest, sign = rest[1:], -1
	}
	var sum Time
	whole := rest
	for m := longPart.FindStringSubmatch(rest); m != nil; m = longPart.FindStringSubmatch(rest) {
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return 0, errTooLong
		}
		sum = sum.Add(FromSeconds(n * hoursInUnit[m[2]] * 3600))
		rest = rest[len(m[0]):]
	}
	if rest != "" || whole == "" {
		span, err := time.ParseDuration(rest)
		if err != nil {
			return 0, ErrNotSpan
		}
		if span < 0 {
			return 0, errSignInside
		}
		sum = sum.Add(FromDuration(span))
	}
	if sum == Forever {
		return 0, errTooLong
	}
	return sign * sum, nil
}
