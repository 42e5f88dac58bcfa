package plan

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/sim/document"
)

// Axis is the pool whose size is looked for, and the sizes that may be.
type Axis struct {
	Pool      string
	Low, High int
}

// Forms of an axis as it is written.
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
	low, high, isRange := strings.Cut(sizes, "..")
	if !isRange {
		return Axis{}, errors.New("has no range: must end with LOW..HIGH, as 10..500")
	}
	a := Axis{Pool: name}
	var errLow, errHigh error
	a.Low, errLow = strconv.Atoi(strings.TrimSpace(low))
	a.High, errHigh = strconv.Atoi(strings.TrimSpace(high))
	switch {
	case errLow != nil || errHigh != nil || a.Low < 0:
		return Axis{}, errors.New("must end with two whole numbers from 0 up, as 10..500")
	case a.Low > a.High:
		return Axis{}, errors.New("runs backwards: the first number must not be above the last")
	}
	return a, nil
}

// checkAxes refuses a pool that varies twice.
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
