package extender

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// said answers every request with a text, without a network.
type said func() string

// RoundTrip implements http.RoundTripper.
func (s said) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(s()))}, nil
}

// FuzzAnswers: whatever an extender answers, a call ends with an error or with nodes and pods
// that exist.
func FuzzAnswers(f *testing.F) {
	for _, text := range []string{
		``, `null`, `[]`, `{}`, `{"NodeNames":["n1"],"FailedNodes":{"n2":"x","n9":"y"},"FailedAndUnresolvableNodes":{"n2":""}}`,
		`{"Nodes":{"items":[{"metadata":{"name":"n2"}},null,1]}}`, `[{"Host":"n1","Score":9223372036854775807},{"Host":"n1","Score":1}]`,
		`{"NodeNameToMetaVictims":{"n1":{"Pods":[{"UID":"00000000-0000-4000-8000-000000000002"},null]},"n2":null}}`, `{"Error":"no"}`,
	} {
		f.Add(text, true)
		f.Add(text, false)
	}
	fix := newFixture(f)
	ctx := context.Background()
	says := ""
	extenders := map[bool]scheduler.Extender{}
	for _, names := range []bool{true, false} {
		x := fix.extender(f, Config{NodeCacheCapable: names}).(*Extender)
		x.client = &http.Client{Transport: said(func() string { return says })}
		extenders[names] = x
	}
	f.Fuzz(func(t *testing.T, answer string, names bool) {
		says = answer
		x := extenders[names]
		pod, nodes := fix.pods["web"], []cluster.NodeID{0, 1}
		exist := func(nodes ...cluster.NodeID) {
			for _, n := range nodes {
				if n < 0 || int(n) >= fix.c.NumNodes() {
					t.Errorf("node %d does not exist", n)
				}
			}
		}
		if got, err := x.Filter(ctx, pod, nodes); err == nil {
			exist(got.Nodes...)
			for _, n := range got.Failed {
				if n.Node != cluster.None {
					exist(n.Node)
				}
			}
		}
		scores, err := x.Prioritize(ctx, pod, nodes)
		for _, s := range scores {
			exist(s.Node)
		}
		if err != nil && scores != nil {
			t.Error("scores beside an error")
		}
		old := []scheduler.Candidate{{Node: 0, Victims: []cluster.PodID{fix.pods["old"]}}}
		if left, err := x.Preempt(ctx, pod, old); err == nil {
			for _, k := range left {
				exist(k.Node)
				for _, v := range k.Victims {
					if fix.c.Pod(v).Node != k.Node {
						t.Errorf("victim %d is not on node %d", v, k.Node)
					}
				}
			}
		}
		_ = x.Bind(ctx, pod, 0)
	})
}
