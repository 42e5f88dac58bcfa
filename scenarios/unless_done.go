package scenarios

import (
	"context"
	"fmt"
	"runtime/debug"
)

// UnlessDone calls work and returns its results. If ctx is done first, UnlessDone returns its error at once, while work
// goes on in the background; work must therefore have no side effects. UnlessDone is for work that does not take a context,
// such as reading large files. A panic of work is raised again in the caller.
func UnlessDone[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		got   T
		err   error
		fault string // of a panic
	}
	if err := ctx.Err(); err != nil {
		return *new(T), err
	}
	ended := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if r := recover(); r != nil {
				o.fault = fmt.Sprintf("%v\n%s", r, debug.Stack())
			}
			ended <- o
		}()
		o.got, o.err = work()
	}()
	select {
	case <-ctx.Done():
		return *new(T), ctx.Err()
	case o := <-ended:
		if o.fault != "" {
			panic(o.fault)
		}
		return o.got, o.err
	}
}
