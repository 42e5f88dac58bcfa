package initialize_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/berth-sim/berth/scenarios/initialize"
)

// expiring is a context that is done from the so many-th look at it on, which is like a
// moment: nothing is timed.
type expiring struct {
	context.Context
	left int
}

// Err implements context.Context.
func (e *expiring) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// Whenever init is interrupted, it leaves nothing behind, not even a directory.
func TestInterruptionLeavesNothing(t *testing.T) {
	ended := 0
	for looks := 0; ; looks += 3 {
		dir := t.TempDir()
		_, err := initialize.Write(&expiring{t.Context(), looks}, initialize.Options{
			Files: []string{"../manifests/cluster.yaml"}, Scrub: true,
			Out: filepath.Join(dir, "new", "below", "s.yaml"), Names: filepath.Join(dir, "elsewhere", "names.csv"),
		})
		if err == nil {
			break
		}
		ended++
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d looks: %v", looks, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Fatalf("after %d looks there are left: %v, %v", looks, left, err)
		}
	}
	if ended < 3 {
		t.Errorf("it was interrupted %d times only", ended)
	}
	dir := t.TempDir()
	done, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := initialize.Write(done, initialize.Options{Files: []string{"../manifests/cluster.yaml"}, Out: filepath.Join(dir, "s.yaml")})
	if left, _ := os.ReadDir(dir); !errors.Is(err, context.Canceled) || len(left) > 0 {
		t.Errorf("with a context that is done: %v, left %v", err, left)
	}
}
