// Command conformance compares berth with kube-scheduler on generated clusters. It exits
// with 0 where they agree, 1 where they differ, and 2 where it could not compare.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/berth-sim/berth/conformance"
)

func main() {
	o := conformance.Options{Progress: os.Stderr}
	kubernetes := flag.String("kubernetes", conformance.DefaultRelease, "release of kube-scheduler to compare with: "+strings.Join(conformance.Releases, ", "))
	flag.IntVar(&o.Cases, "cases", 300, "how many cases to compare")
	flag.Uint64Var(&o.Seed, "seed", 1, "seed of the first case; each case has the next one")
	flag.StringVar(&o.Only, "family", "", "compare the cases of one family only")
	flag.StringVar(&o.Found, "found", "testdata/found", "directory for shrunk cases that differ; empty: none")
	flag.IntVar(&o.MaxFound, "max-found", 20, "stop after so many cases that differ; 0: never")
	goldens := flag.String("goldens", "", "write kube-scheduler's decisions of small cases to this directory instead")
	directed := flag.String("directed", "", "write the decisions of all releases on the directed cases of this directory instead")
	speed := flag.Bool("speed", false, "compare speed instead")
	flag.Parse()
	var err error
	if o.Kube, err = conformance.StartKube(*kubernetes); err != nil {
		fail(err)
	}
	switch {
	case *goldens != "":
		err = conformance.WriteGoldens(o.Kube, o.Found, *goldens)
	case *directed != "":
		err = conformance.WriteDirected(*directed)
	case *speed:
		err = conformance.Speed(o.Kube, os.Stdout, os.Stderr)
	default:
		err = compare(o)
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "conformance:", err)
	os.Exit(2)
}

func compare(o conformance.Options) error {
	table, err := conformance.Run(o)
	if err != nil {
		return err
	}
	fmt.Print(table)
	if table.Mismatches() > 0 {
		os.Exit(1)
	}
	return nil
}
