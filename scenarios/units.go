package scenarios

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// Duration is a span of virtual time as people write it: "90s", "1h30m", "2d", "1w".
type Duration clock.Time

// hoursOf are the units that may come first; package time knows all shorter ones.
var (
	longPart = regexp.MustCompile(`^(\d+(?:\.\d+)?)([wdh])`)
	hoursOf  = map[string]float64{"w": 7 * 24, "d": 24, "h": 1}
)

var (
	errNoDuration = errors.New("is not a duration: write it like 30s, 10m, 1h30m or 2d")
	errTooLong    = errors.New("is too long: at most 292 years")
)

// UnmarshalText reads a duration. Weeks, days and hours come before the shorter units.
func (d *Duration) UnmarshalText(text []byte) error {
	rest := strings.TrimSpace(string(text))
	sign := clock.Time(1)
	if strings.HasPrefix(rest, "-") {
		rest, sign = rest[1:], -1
	}
	var sum clock.Time
	whole := rest
	for m := longPart.FindStringSubmatch(rest); m != nil; m = longPart.FindStringSubmatch(rest) {
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return errTooLong
		}
		sum = sum.Add(clock.FromSeconds(n * hoursOf[m[2]] * 3600))
		rest = rest[len(m[0]):]
	}
	if rest != "" || whole == "" {
		span, err := time.ParseDuration(rest)
		if err != nil {
			return errNoDuration
		}
		if span < 0 {
			return errors.New("is not a duration: the sign comes first")
		}
		sum = sum.Add(clock.FromDuration(span))
	}
	if sum == clock.Forever {
		return errTooLong
	}
	*d = Duration(sign * sum)
	return nil
}

// Time is the span as virtual time.
func (d Duration) Time() clock.Time { return clock.Time(d) }

// Rate is a number of arrivals per unit of time: "40/m", "2.5/s", "1000/d".
type Rate float64 // per second

// maxRate bounds rates, per second: beyond it a number is a slip of the keyboard.
const maxRate = 1_000_000

// UnmarshalText reads a rate.
func (r *Rate) UnmarshalText(text []byte) error {
	number, unit, ok := strings.Cut(strings.TrimSpace(string(text)), "/")
	seconds := map[string]float64{"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}[strings.TrimSpace(unit)]
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !ok || seconds == 0 || err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return fmt.Errorf("is not a rate: write it like 40/m, 2.5/s, 100/h or 1000/d")
	}
	if n/seconds > maxRate {
		return fmt.Errorf("is too high: at most %d/s", maxRate)
	}
	*r = Rate(n / seconds)
	return nil
}

// Horizon is when a run ends: after a span, or when all is done.
type Horizon clock.Time

// UntilDone is what a scenario writes for a run that ends when all is done.
const UntilDone = "untilDone"

// String is the horizon as UnmarshalText reads it.
func (h Horizon) String() string {
	if h == Horizon(clock.Forever) {
		return UntilDone
	}
	return clock.Time(h).String()
}

// UnmarshalText reads a horizon.
func (h *Horizon) UnmarshalText(text []byte) error {
	if string(text) == UntilDone {
		*h = Horizon(clock.Forever)
		return nil
	}
	var d Duration
	if err := d.UnmarshalText(text); err != nil {
		if errors.Is(err, errNoDuration) {
			err = fmt.Errorf("%w, or %s", err, UntilDone)
		}
		return err
	}
	if d <= 0 {
		return fmt.Errorf("must be positive")
	}
	*h = Horizon(d)
	return nil
}

// MilliCPU is an amount of cpu in milli, written as a Kubernetes quantity.
type MilliCPU int64

// UnmarshalText reads a quantity.
func (q *MilliCPU) UnmarshalText(text []byte) error {
	n, err := manifest.MilliCPU(string(text))
	*q = MilliCPU(n)
	return err
}

// Bytes is an amount of memory, written as a Kubernetes quantity.
type Bytes int64

// UnmarshalText reads a quantity.
func (q *Bytes) UnmarshalText(text []byte) error {
	n, err := manifest.Units(string(text))
	*q = Bytes(n)
	return err
}
