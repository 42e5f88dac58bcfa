// Command conformance compares berth with kube-scheduler on generated clusters.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/berth-sim/berth/conformance"
)

func main() {
	var o conformance.Options
	flag.IntVar(&o.Cases, "cases", 300, "how many cases to compare")
	flag.Uint64Var(&o.Seed, "seed", 1, "seed of the first case; each case has the next one")
	flag.StringVar(&o.Only, "family", "", "compare the cases of one family only")
	flag.StringVar(&o.Found, "found", "testdata/found", "directory for shrunk cases that differ; empty: none")
	flag.IntVar(&o.MaxFound, "max-found", 20, "stop after so many cases that differ")
	flag.Parse()
	table, err := conformance.Run(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(2)
	}
	fmt.Print(table)
	if table.Mismatches() > 0 {
		os.Exit(1)
	}
}
