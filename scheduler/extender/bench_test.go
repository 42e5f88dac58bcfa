package extender

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// BenchmarkRoundTrip asks a server on this machine, which lets every node pass and scores
// each of them, to filter and then to prioritize for one pod. Nodes go as names to an extender
// that keeps them itself, else as objects, and come back so.
func BenchmarkRoundTrip(b *testing.B) {
	const nodes = 1000
	for _, kind := range []string{"names", "objects"} {
		b.Run(fmt.Sprintf("%s/nodes=%d", kind, nodes), func(b *testing.B) {
			f := newFixture(b)
			list := f.copies(b, nodes)
			f.url = served(b)
			x := f.extender(b, Config{NodeCacheCapable: kind == "names", Weight: 1})
			pod, ctx := f.pods["web"], context.Background()
			b.ReportAllocs()
			for b.Loop() {
				passed, err := x.Filter(ctx, pod, list)
				if err != nil || len(passed.Nodes) != nodes || len(passed.Failed) != 0 {
					b.Fatalf("%d of %d nodes pass, %v", len(passed.Nodes), nodes, err)
				}
				scores, err := x.Prioritize(ctx, pod, passed.Nodes)
				if err != nil || len(scores) != nodes || scores[nodes-1].Score != 7 {
					b.Fatalf("%d of %d nodes have a score, %v", len(scores), nodes, err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pods/s")
		})
	}
}

// copies adds nodes like the first one of the fixture.
func (f *fixture) copies(b *testing.B, n int) []cluster.NodeID {
	b.Helper()
	like := f.c.Node(f.node(b, "n1")).NodeSpec
	list := make([]cluster.NodeID, n)
	for i := range list {
		spec := like
		spec.Name = fmt.Sprintf("copy-%04d", i)
		id, err := f.c.AddNode(spec)
		if err != nil {
			b.Fatal(err)
		}
		list[i] = id
	}
	return list
}

// served is where an extender is that lets every node pass and gives each 7.
func served(b *testing.B) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var args nodesArgs
		if err := json.NewDecoder(r.Body).Decode(&args); err != nil {
			b.Error(err)
		}
		var answer any = filterResult{Nodes: args.Nodes, NodeNames: args.NodeNames}
		if strings.HasSuffix(r.URL.Path, "/prioritize") {
			answer = scoresOf(b, &args)
		}
		if err := json.NewEncoder(w).Encode(answer); err != nil {
			b.Error(err)
		}
	}))
	b.Cleanup(server.Close)
	return server.URL
}

func scoresOf(b *testing.B, args *nodesArgs) []hostPriority {
	var names []string
	if args.NodeNames != nil {
		names = *args.NodeNames
	} else {
		for _, item := range args.Nodes.Items {
			name, err := nameOf(item)
			if err != nil {
				b.Error(err)
			}
			names = append(names, name)
		}
	}
	scores := make([]hostPriority, len(names))
	for i, name := range names {
		scores[i] = hostPriority{Host: name, Score: 7}
	}
	return scores
}
