// Command berth simulates Kubernetes scheduling on a virtual clock.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := execute(ctx, os.Args[1:], systemStreams())
	stop()
	os.Exit(code)
}
