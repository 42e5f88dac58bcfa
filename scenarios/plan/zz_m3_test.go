package plan

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports"
	"github.com/berth-sim/berth/scenarios"
)

func TestZZ(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for _, fleet := range []struct{ small, large, pods, trials, lo, hi int }{{8,2,16,250,1,6},{8,2,17,250,1,6},{8,2,18,250,1,6},{8,2,14,250,2,6},{16,4,34,250,1,6}} {
		var b strings.Builder
		fmt.Fprintf(&b, "apiVersion: berth/v1alpha1\nkind: Scenario\nmetadata: {name: t}\nseed: 5\nhorizon: 1m\nlatency: {preset: none}\nfleet:\n")
		fmt.Fprintf(&b, "  - {pool: s, count: %d, template: {status: {allocatable: {cpu: \"8\", memory: 32Gi, pods: \"110\"}}}}\n", fleet.small)
		fmt.Fprintf(&b, "  - {pool: l, count: %d, template: {status: {allocatable: {cpu: \"16\", memory: 64Gi, pods: \"110\"}}}}\n", fleet.large)
		b.WriteString("workloads: [{name: w, manifests: [pods.yaml]}]\n")
		var p strings.Builder
		p.WriteString("apiVersion: v1\nkind: List\nitems:\n")
		for i := range fleet.pods {
			fmt.Fprintf(&p, "- {apiVersion: v1, kind: Pod, metadata: {name: p%d}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: %d}}}]}}\n", i, fleet.lo+r.IntN(fleet.hi))
		}
		dir := t.TempDir()
		os.WriteFile(filepath.Join(dir, "s.yaml"), []byte(b.String()), 0o644)
		os.WriteFile(filepath.Join(dir, "pods.yaml"), []byte(p.String()), 0o644)
		s, err := scenarios.Load(filepath.Join(dir, "s.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		c := &Compaction{Scenario: s, Pending: 0.002}
		n := fleet.small + fleet.large
		differ := map[int]int{}
		for seed := range uint64(fleet.trials) {
			tr := &trial{CompactionTrial: reports.CompactionTrial{Seed: seed}, c: c, placed: map[int]*placement{}}
			fits := make([]bool, n+1)
			line := ""
			walk := 0
			for k := n*5/10; k <= n; k++ {
				pl, err := c.place(t.Context(), tr, subset{1, k})
				if err != nil {
					t.Fatal(err)
				}
				fits[k] = pl.fits
				line += map[bool]string{true: "+", false: "."}[pl.fits]
				if k == n && seed == 0 { fmt.Println(pl.why, pl.reasons) }
				if !pl.fits {
					walk = k + 1
				}
			}
			lo, hi := 0, n
			for hi-lo > 1 {
				m := lo + (hi-lo)/2
				if fits[m] {
					hi = m
				} else {
					lo = m
				}
			}
			for k := 0; k <= 12; k++ {
				at := hi
				for x := at + 1; x <= at+k && x < n; x++ {
					if !fits[x] {
						at = x + 1
					}
				}
				if at != walk {
					differ[k]++
				}
			}
			if hi != walk || seed == 0 {
				fmt.Println(seed, hi, walk, line)
			}
		}
		fmt.Println(fleet, differ)
	}
}
