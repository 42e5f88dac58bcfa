package recipe

import (
	"errors"
	"fmt"

	"github.com/berth-sim/berth/sim/model/clock"
)

// Horizon is when a run ends at the latest; clock.Forever: when all is done.
type Horizon clock.Time

// UntilDone is the text of a horizon of clock.Forever.
const UntilDone = "untilDone"

// String returns the horizon as UnmarshalText reads it.
func (h Horizon) String() string {
	if clock.Time(h) == clock.Forever {
		return UntilDone
	}
	return clock.Time(h).String()
}

// MarshalText writes the horizon as String returns it.
func (h Horizon) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads a horizon: a positive span of time, or UntilDone.
func (h *Horizon) UnmarshalText(text []byte) error {
	if string(text) == UntilDone {
		*h = Horizon(clock.Forever)
		return nil
	}
	span, err := clock.ParseSpan(string(text))
	switch {
	case errors.Is(err, clock.ErrNotSpan):
		return fmt.Errorf("%w, or %s", err, UntilDone)
	case err != nil:
		return err
	case span <= 0:
		return errors.New("must be positive")
	}
	*h = Horizon(span)
	return nil
}
