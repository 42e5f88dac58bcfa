package experiment

import (
	"context"
	"runtime"
	"sync"
)

// Each plays n runs by their numbers, so many of them side by side (0: as many as there are
// cores), and begins them in order. When one fails or the context ends, no more are begun; the
// error is the first one, or the cause of the context's end.
func Each(ctx context.Context, workers, n int, play func(ctx context.Context, i int) error) error {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for i := range next {
				if err := play(ctx, i); err != nil {
					stop(err) // the first cause counts
				}
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	all.Wait()
	return context.Cause(ctx)
}
