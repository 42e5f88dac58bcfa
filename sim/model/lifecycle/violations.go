package lifecycle

import (
	"errors"
	"fmt"
	"slices"

	"github.com/berth-sim/berth/sim/model/record"
)

// MaxViolations is how many violations are worded; the rest are only counted.
const MaxViolations = 20

// Violations are what records of a log say that cannot be.
type Violations struct {
	worded   []error
	unworded int
}

// Violate notes what is wrong with a record.
func (v *Violations) Violate(r *record.Record, format string, args ...any) {
	if len(v.worded) == MaxViolations {
		v.unworded++
		return
	}
	subject := ""
	if r.Kind.HasPod() {
		subject = fmt.Sprintf(" of pod %d", r.Pod)
	}
	v.worded = append(v.worded, fmt.Errorf("%v: %v%s: %s", r.Time, r.Kind, subject, fmt.Sprintf(format, args...)))
}

// Err joins an error for each violation; it is nil if there is none.
func (v *Violations) Err() error {
	if v.unworded == 0 {
		return errors.Join(v.worded...)
	}
	return errors.Join(append(slices.Clone(v.worded), fmt.Errorf("and %d more violations", v.unworded))...)
}
