// Package parallel does pieces of work side by side. It is the one pool of workers.
package parallel

import (
	"context"
	"runtime"
	"sync"
)

// Do calls piece with each number from 0 to n-1, begun in this order, by so many workers at a time (0: as many as Go uses
// processors). A result belongs to the place of its number: then the outcome does not depend on which piece ends first.
//
// When a piece fails or the context ends, no more are begun. Those that have begun end by themselves, so that the error
// does not depend on timing: it is that of the lowest number, or else, if some were not begun, the cause of the context's
// end.
func Do(ctx context.Context, workers, n int, piece func(i int) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := pool{ctx: ctx, n: n}
	var all sync.WaitGroup
	for range min(workers, n) {
		all.Go(func() {
			for i, more := p.take(); more; i, more = p.take() {
				if err := piece(i); err != nil {
					p.fail(i, err)
				}
			}
		})
	}
	all.Wait()
	if p.err == nil && p.next < n {
		return context.Cause(ctx)
	}
	return p.err
}

// Each calls piece with each number from 0 to n-1, side by side. It returns when all have ended.
func Each(n int, piece func(i int)) {
	_ = Do(context.Background(), 0, n, func(i int) error { piece(i); return nil }) // no piece fails
}

type pool struct {
	ctx context.Context
	n   int

	sync.Mutex
	next   int   // the lowest number that has not begun
	failed int   // the lowest number that failed, if err is set
	err    error // that of failed
}

// take returns the number of the next piece, if it should begin.
func (p *pool) take() (int, bool) {
	p.Lock()
	defer p.Unlock()
	if p.next == p.n || p.err != nil || p.ctx.Err() != nil {
		return 0, false
	}
	p.next++
	return p.next - 1, true
}

func (p *pool) fail(i int, err error) {
	p.Lock()
	defer p.Unlock()
	if p.err == nil || i < p.failed {
		p.failed, p.err = i, err
	}
}
