package conformance

import (
	"errors"
	"fmt"
	"io"
	"net/rpc"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/berth-sim/berth/conformance/protocol"
)

// Kube is the kube-scheduler of a release, a program of its own that runs beside the harness: a build of Go can hold the
// modules of Kubernetes in the versions of one release only.
type Kube struct {
	Release string // like "1.36"
	client  *rpc.Client
	process *exec.Cmd
}

// pipes are the standard input and output of a program.
type pipes struct {
	io.ReadCloser
	io.WriteCloser
}

// Close closes the input, at the end of which the program ends.
func (p pipes) Close() error { return errors.Join(p.WriteCloser.Close(), p.ReadCloser.Close()) }

// StartKube builds the kube-scheduler of a release, which takes minutes the first time, and starts it.
func StartKube(release string) (*Kube, error) {
	program, err := buildKube(release)
	if err != nil {
		return nil, err
	}
	process := exec.Command(program)
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	return &Kube{Release: release, client: rpc.NewClient(pipes{out, in}), process: process}, nil
}

// Close ends the program.
func (k *Kube) Close() error { return errors.Join(k.client.Close(), k.process.Wait()) }

// buildKube returns the program of a release, built anew if its source has changed.
func buildKube(release string) (string, error) {
	flags, err := buildFlags(release)
	if err != nil {
		return "", err
	}
	module, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(filepath.Dir(strings.TrimSpace(string(module))), "kube")
	program := filepath.Join(dir, "bin", "kube-"+release)
	build := exec.Command("go", append([]string{"build", "-ldflags=-s -w", "-o", program}, flags...)...)
	build.Dir = dir
	if text, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the kube-scheduler of %s in %s: %w\n%s", release, dir, err, text)
	}
	return program, nil
}

// call calls a method of the program.
func call[T any](k *Kube, method string, request any) (T, error) {
	var answer T
	err := k.client.Call(method, request, &answer)
	return answer, err
}

// Decide has kube-scheduler decide a case. Where it would choose among equals by chance, it takes the smallest name.
func (k *Kube) Decide(c *Case) ([]Attempt, error) {
	wire, err := c.wire()
	if err != nil {
		return nil, err
	}
	return call[[]Attempt](k, protocol.Decide, wire)
}

// Starts returns why kube-scheduler does not start with a configuration, nil if it does.
func (k *Kube) Starts(configuration []byte) (refused, err error) {
	text, err := call[string](k, protocol.Configure, configuration)
	if text != "" {
		refused = errors.New(text)
	}
	return refused, err
}
