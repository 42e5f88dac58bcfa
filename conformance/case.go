package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/berth-sim/berth/conformance/protocol"
	"github.com/berth-sim/berth/scheduler"
)

// object is a Kubernetes object as YAML has it.
type object = map[string]any

// Case is a cluster, its pending pods and a scheduler configuration.
type Case struct {
	Family  string
	Seed    uint64
	Policy  object
	Objects []object
	// Heap leaves the choice among equal nodes to kube-scheduler; else the smallest name is taken on both sides.
	Heap bool
	// Queue tries pods in the order of the scheduling queue; else each is tried once, in the
	// order of the objects, and again as long as it preempts.
	Queue bool

	registry scheduler.Registry // berth's plugins; nil: as they are
}

// YAML is the case as one file: the configuration first, then the objects.
func (c *Case) YAML() ([]byte, error) {
	var b bytes.Buffer
	for _, o := range append([]object{c.Policy}, c.Objects...) {
		text, err := yaml.Marshal(o)
		if err != nil {
			return nil, err
		}
		b.WriteString("---\n")
		b.Write(text)
	}
	return b.Bytes(), nil
}

// ReadCase reads what YAML wrote. Files of the name queue-… are about the order of the queue.
func ReadCase(path string) (*Case, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c := &Case{Family: path, Policy: defaultPolicy(), Queue: strings.HasPrefix(filepath.Base(path), "queue-")}
	r := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for {
		text, err := r.Read()
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		var o object
		if err := yaml.UnmarshalStrict(text, &o); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		switch {
		case o == nil:
		case o["kind"] == "KubeSchedulerConfiguration":
			c.Policy = o
		default:
			c.Objects = append(c.Objects, o)
		}
	}
}

// Result is how many attempts were compared, on how many nodes they looked, and what
// differed first.
type Result struct {
	Attempts   int
	Nodes      int
	Difference *Difference
}

// wire is the case as kube-scheduler is sent it.
func (c *Case) wire() (protocol.Case, error) {
	out := protocol.Case{Heap: c.Heap, Queue: c.Queue}
	var err error
	if out.Configuration, err = yaml.Marshal(c.Policy); err != nil {
		return out, err
	}
	for _, o := range c.Objects {
		text, err := json.Marshal(o)
		if err != nil {
			return out, err
		}
		out.Objects = append(out.Objects, text)
	}
	return out, nil
}

// Run runs the case on both sides and compares. An error means that the case could not
// be run, which for a generated case is a finding too.
func (c *Case) Run(k *Kube) (Result, error) {
	theirs, err := k.Decide(c)
	if err != nil {
		return Result{}, fmt.Errorf("kube-scheduler: %w", err)
	}
	ours, err := c.berth(k.Release, theirs)
	if err != nil {
		return Result{}, fmt.Errorf("berth: %w", err)
	}
	r := Result{Attempts: len(theirs), Difference: compare(ours, theirs)}
	for i := range theirs {
		r.Nodes += len(theirs[i].Feasible) + len(theirs[i].Rejected)
	}
	return r, nil
}
