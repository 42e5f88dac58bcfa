package plan

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

// Axis is a pool whose size is searched, and the range of its sizes.
type Axis struct {
	Pool         string
	Low, High    int
	PricePerHour *float64 // of a node; nil: as the scenario says
}

// The notation of an axis.
const (
	axisPrefix = "pool."
	axisSuffix = ".count"
	axisForm   = "pool.NAME.count=LOW..HIGH"
)

// ParseAxis reads pool.general.count=10..500.
func ParseAxis(text string) (Axis, error) {
	field, sizes, isSet := strings.Cut(text, "=")
	if !isSet {
		return Axis{}, fmt.Errorf("must be %s", axisForm)
	}
	pool, ofPool := strings.CutPrefix(field, axisPrefix)
	name, ofCount := strings.CutSuffix(pool, axisSuffix)
	switch {
	case !ofPool:
		return Axis{}, fmt.Errorf("must be %s: only counts of pools can vary", axisForm)
	case !ofCount:
		last := pool[strings.LastIndex(pool, ".")+1:]
		return Axis{}, fmt.Errorf("must be %s: only the count of a pool can vary%s", axisForm, document.Meant(last, []string{axisSuffix[1:]}))
	case name == "":
		return Axis{}, fmt.Errorf("names no pool: must be %s", axisForm)
	}
	of, err := parseSizes(sizes)
	return Axis{Pool: name, Low: of.low, High: of.high}, err
}

// sizes are numbers of nodes, both ends included.
type sizes struct{ low, high int }

// UnmarshalText reads 10..500.
func (s *sizes) UnmarshalText(text []byte) (err error) {
	*s, err = parseSizes(string(text))
	return err
}

func parseSizes(text string) (sizes, error) {
	low, high, isRange := strings.Cut(text, "..")
	if !isRange {
		return sizes{}, errors.New("has no range LOW..HIGH, such as 10..500")
	}
	least, errLow := strconv.Atoi(strings.TrimSpace(low))
	most, errHigh := strconv.Atoi(strings.TrimSpace(high))
	switch {
	case errLow != nil || errHigh != nil || least < 0:
		return sizes{}, errors.New("has a range that is not of two whole numbers from 0 up, such as 10..500")
	case least > most:
		return sizes{}, errors.New("has a range that runs backwards: the first number must not be above the last")
	}
	return sizes{least, most}, nil
}

// AxisError is the error of pools that cannot vary in that way.
type AxisError struct{ Err error }

// Error says what is wrong.
func (e *AxisError) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong.
func (e *AxisError) Unwrap() error { return e.Err }

// checkAxes returns an error if a pool varies twice.
func checkAxes(axes []Axis) error {
	var faults []error
	seen := map[string]bool{}
	for _, a := range axes {
		if seen[a.Pool] {
			faults = append(faults, fmt.Errorf("pool %s varies twice", a.Pool))
		}
		seen[a.Pool] = true
	}
	return errors.Join(faults...)
}
