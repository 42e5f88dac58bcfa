// Command berth simulates Kubernetes scheduling on a virtual clock.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(execute(context.Background(), os.Args[1:], systemStreams()))
}
