// Package arrival generates when pods arrive and how long they live. Processes
// and distributions are pure streams over the random source given to them: the
// same source gives the same stream, and one stream never touches another's
// source. None of them is safe for use by two goroutines at once.
package arrival

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
)

// Process is a stream of arrivals. Next gives the time of the next one; times
// never decrease and lie in [0, clock.Forever). False means that no more come,
// now and on every later call.
type Process interface {
	Next() (clock.Time, bool)
}

type constant struct {
	next, every clock.Time
}

// Constant returns one arrival at start and one every span after it. It is an error when every is
// not positive or start is negative.
func Constant(every, start clock.Time) (Process, error) {
	if every <= 0 {
		return nil, fmt.Errorf("the span between arrivals is %v, it must be positive", every)
	}
	if err := checkInstant("start", start); err != nil {
		return nil, err
	}
	return &constant{next: start, every: every}, nil
}

func (p *constant) Next() (clock.Time, bool) {
	if p.next == clock.Forever {
		return 0, false
	}
	at := p.next
	p.next = at.Add(p.every)
	return at, true
}

type atOnce struct {
	left int
	at   clock.Time
}

// AtOnce returns count arrivals in one instant. It is an error when count is not positive or at is
// negative.
func AtOnce(count int, at clock.Time) (Process, error) {
	if count <= 0 {
		return nil, fmt.Errorf("the number of arrivals is %d, it must be positive", count)
	}
	if err := checkInstant("the instant", at); err != nil {
		return nil, err
	}
	return &atOnce{left: count, at: at}, nil
}

func (p *atOnce) Next() (clock.Time, bool) {
	if p.left == 0 {
		return 0, false
	}
	p.left--
	return p.at, true
}

type times struct{ left []clock.Time }

// Times returns one arrival at each of the given times, which are copied. It is an error when there
// is none, when one is negative, or when one lies before the one ahead of it.
func Times(at []clock.Time) (Process, error) {
	if len(at) == 0 {
		return nil, fmt.Errorf("there are no arrival times, at least one is needed")
	}
	for i, t := range at {
		if err := checkInstant(fmt.Sprintf("time %d", i+1), t); err != nil {
			return nil, err
		}
		if i > 0 && t < at[i-1] {
			return nil, fmt.Errorf("time %d is %v, before the %v ahead of it: times must not decrease", i+1, t, at[i-1])
		}
	}
	return &times{slices.Clone(at)}, nil
}

func (p *times) Next() (clock.Time, bool) {
	if len(p.left) == 0 {
		return 0, false
	}
	at := p.left[0]
	p.left = p.left[1:]
	return at, true
}

type limit struct {
	of   Process
	left int
}

// Limit returns the first count arrivals of a process. It is an error when count is not positive.
func Limit(of Process, count int) (Process, error) {
	if of == nil {
		return nil, fmt.Errorf("there is no process to limit")
	}
	if count <= 0 {
		return nil, fmt.Errorf("the limit is %d arrivals, it must be positive", count)
	}
	return &limit{of, count}, nil
}

func (p *limit) Next() (clock.Time, bool) {
	if p.left == 0 {
		return 0, false
	}
	at, ok := p.of.Next()
	p.left--
	if !ok {
		p.left = 0
	}
	return at, ok
}

type window struct {
	of           Process
	start, until clock.Time
	over         bool
}

// Window returns the arrivals of a process in [start, until): those before start are dropped, not
// moved. Until clock.Forever is a window without end. It is an error when start is negative or not
// before until.
func Window(of Process, start, until clock.Time) (Process, error) {
	if of == nil {
		return nil, fmt.Errorf("there is no process to take a window of")
	}
	if err := checkInstant("start", start); err != nil {
		return nil, err
	}
	if start >= until {
		return nil, fmt.Errorf("start is %v, it must be before until, which is %v", start, until)
	}
	return &window{of: of, start: start, until: until}, nil
}

func (p *window) Next() (clock.Time, bool) {
	for !p.over {
		at, ok := p.of.Next()
		switch {
		case !ok || at >= p.until:
			p.over = true
		case at >= p.start:
			return at, true
		}
	}
	return 0, false
}

func checkInstant(what string, t clock.Time) error {
	if t < 0 || t == clock.Forever {
		return fmt.Errorf("%s is %v, it must be zero or positive and not forever", what, t)
	}
	return nil
}

func checkPositive(what string, x float64) error {
	if !(x > 0) || math.IsInf(x, 1) {
		return fmt.Errorf("%s is %v, it must be a positive number", what, x)
	}
	return nil
}

func checkNonNegative(what string, x float64) error {
	if !(x >= 0) || math.IsInf(x, 1) {
		return fmt.Errorf("%s is %v, it must be zero or a positive number", what, x)
	}
	return nil
}

func checkSource(src rand.Source) error {
	if src == nil {
		return fmt.Errorf("there is no random source")
	}
	return nil
}
