package lifecycle

import (
	"errors"
	"fmt"
	"slices"

	"github.com/berth-sim/berth/sim/model/record"
)

// MaxViolations is the most violations that are described; the rest are only counted.
const MaxViolations = 20

// Violations are the records of a log that violate an invariant.
type Violations struct {
	described []error
	more      int
}

// Violate adds a violation: what is wrong with a record.
func (v *Violations) Violate(r *record.Record, format string, args ...any) {
	if len(v.described) == MaxViolations {
		v.more++
		return
	}
	subject := ""
	if r.Kind.HasPod() {
		subject = fmt.Sprintf(" of pod %d", r.Pod)
	}
	v.described = append(v.described, fmt.Errorf("%v: %v%s: %s", r.Time, r.Kind, subject, fmt.Sprintf(format, args...)))
}

// Err joins an error for each violation; it is nil if there is none.
func (v *Violations) Err() error {
	if v.more == 0 {
		return errors.Join(v.described...)
	}
	return errors.Join(append(slices.Clone(v.described), fmt.Errorf("and %d more violations", v.more))...)
}
