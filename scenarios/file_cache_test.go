package scenarios_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/berth-sim/berth/scenarios"
)

// What a scenario refers to is read once: a file that is gone since is no matter to further runs,
// which have the same inputs.
func TestFilesAreReadOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "pods.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: i}]}}")
	write(t, "in.yaml", completed("workloads: [{name: a, manifests: [pods.yaml]}]"))
	s, err := scenarios.Load("in.yaml")
	if err != nil {
		t.Fatal(err)
	}
	first, err := s.Build(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("pods.yaml", []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	var several sync.WaitGroup
	for range 4 {
		several.Go(func() {
			again, err := s.Build(scenarios.Options{})
			if err != nil || !slices.Equal(again.Inputs, first.Inputs) {
				t.Errorf("the second run: %v", err)
			}
		})
	}
	several.Wait()
	fresh, err := scenarios.Load("in.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fresh.Build(scenarios.Options{}); err == nil || !strings.HasPrefix(err.Error(), "pods.yaml:1:") {
		t.Errorf("a scenario that is loaded anew: %v", err)
	}
}

// A context that is done ends what is built under it, and a panic in there is not lost.
func TestUnlessDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	got, err := scenarios.UnlessDone(ctx, func() (int, error) { return 7, nil })
	if got != 7 || err != nil {
		t.Errorf("%d, %v", got, err)
	}
	endless := make(chan struct{})
	defer close(endless)
	if _, err := scenarios.UnlessDone(ctx, func() (int, error) { cancel(); <-endless; return 7, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("work that is given up: %v", err)
	}
	began := false
	if _, err := scenarios.UnlessDone(ctx, func() (int, error) { began = true; return 7, nil }); !errors.Is(err, context.Canceled) || began {
		t.Errorf("work of a context that is done: %v, begun %t", err, began)
	}
	defer func() {
		if r := recover(); r == nil || !strings.HasPrefix(r.(string), "lost\n") {
			t.Errorf("recovered %v", r)
		}
	}()
	_, _ = scenarios.UnlessDone(t.Context(), func() (int, error) { panic("lost") })
}
