package scenarios

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"

	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// Duration is a span of virtual time, written as "90s", "1h30m", "2d" or "1w".
type Duration clock.Time

// UnmarshalText reads a duration. Longer units must come before shorter ones.
func (d *Duration) UnmarshalText(text []byte) error {
	span, err := clock.ParseSpan(string(text))
	if err == nil {
		*d = Duration(span)
	}
	return err
}

// Time returns the duration as virtual time.
func (d Duration) Time() clock.Time { return clock.Time(d) }

// Rate is a number of arrivals per unit of time, written as "40/m", "2.5/s" or "1000/d".
type Rate float64 // per second

// maxRate is the largest rate, per second. Larger numbers are taken for typing errors.
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

// MilliCPU is an amount of cpu in milli, written as a Kubernetes quantity.
type MilliCPU int64

// UnmarshalText reads a quantity.
func (q *MilliCPU) UnmarshalText(text []byte) error {
	n, err := resources.MilliCPU(string(text))
	*q = MilliCPU(n)
	return err
}

// Bytes is an amount of memory, written as a Kubernetes quantity.
type Bytes int64

// UnmarshalText reads a quantity.
func (q *Bytes) UnmarshalText(text []byte) error {
	n, err := resources.Units(string(text))
	*q = Bytes(n)
	return err
}
