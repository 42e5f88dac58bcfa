// Package fgd deals the arrivals of the protocol by which the paper on fragmentation gradient
// descent was evaluated: a list of pods in a shuffled order, brought to a demand, and ranks of
// nodes that break ties. All is drawn from one stream, the same numbers in the same order as
// in the simulator of the paper's authors, so that a seed means here what it means there.
//
// Source: Weng et al., "Beware of Fragmentation", USENIX ATC 2023, section 6, and
// hkust-adsl/kubernetes-scheduler-simulator, commit 8f3d6417, pkg/simulator.
package fgd

import (
	"cmp"
	"fmt"
	"io"
	"math/rand"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/workloads/trace"
)

// PaperDemand is how many times the capacity of the fleet the paper's arrivals ask for.
const PaperDemand = 1.3

// informers are how many watches the authors' simulator starts between the draws for the
// pods and those for the nodes, each with a draw of its own.
const informers = 10

// Deal is what a seed deals.
type Deal struct {
	// Pods in order of arrival. The clones that bring the list to the demand are called
	// NAME-tuned-0, NAME-tuned-1, ….
	Pods []trace.OpenbPod
	// Ranks of the nodes, by name, from 0: of equally good nodes that of the lowest takes the
	// pod.
	Ranks map[string]int
	// counts are the pods of the list by shape, without clones.
	counts map[fragment.Shape]int64
	// Skipped are the lines of the list that could not be read and were passed over, with
	// what was wrong with the first of them.
	Skipped int
	Faults  []error
}

// Read reads a pod list of openb whole; with skip broken lines are passed over. file is its
// name in errors.
func Read(file string, in io.Reader, skip bool) (Deal, error) {
	r, err := trace.OpenbPods(file, in, trace.Options{SkipBad: skip})
	if err != nil {
		return Deal{}, err
	}
	d := Deal{counts: map[fragment.Shape]int64{}}
	for pod, err := range r.Rows() {
		if err != nil {
			return Deal{}, err
		}
		d.Pods = append(d.Pods, pod)
		d.counts[fragment.Shape{MilliCPU: pod.MilliCPU, Count: int(pod.GPUs), Milli: int32(pod.MilliGPU), Spec: pod.Spec}]++
	}
	d.Skipped, d.Faults = r.Skipped(), r.SkippedErrors()
	return d, nil
}

// Target is the target workload: the shapes that are most frequent in the list, up to the
// share of the paper. models resolves what a pod says of the models that it accepts.
func (d *Deal) Target(models func(spec string) []int32) *fragment.Target {
	return fragment.NewTarget(d.counts, fragment.PaperShare, models)
}

// Models are the models that a Spec of a pod names.
func Models(spec string) []string {
	models := strings.Split(spec, "|")
	for i := range models {
		models[i] = strings.TrimSpace(models[i])
	}
	return slices.DeleteFunc(models, func(model string) bool { return model == "" })
}

// Shuffle deals the order of the pods and the ranks of the nodes. capacity is what the nodes
// have, in thousandths of GPUs; the pods will ask for demand times that: clones of random ones
// are added, or random ones are left out.
func (d *Deal) Shuffle(seed int64, demand float64, capacity int64, nodes []string) error {
	if len(d.Pods) == 0 || capacity <= 0 || sum(d.Pods) == 0 {
		return fmt.Errorf("pods and nodes must have GPUs for a demand of %v to have a meaning", demand)
	}
	rnd := rand.New(rand.NewSource(seed))
	rnd.Int()
	byName := slices.SortedFunc(slices.Values(d.Pods), func(a, b trace.OpenbPod) int { return cmp.Compare(a.Name, b.Name) })
	d.Pods = slices.Clone(byName)
	rnd.Shuffle(len(d.Pods), func(i, j int) { d.Pods[i], d.Pods[j] = d.Pods[j], d.Pods[i] })
	if asked, want := sum(d.Pods), demand*float64(capacity); float64(asked) > want {
		d.cut(rnd, asked, want)
	} else if float64(asked) < want {
		d.inflate(rnd, byName, asked, want)
	}
	if sum(d.Pods) == 0 {
		return fmt.Errorf("no pod with GPUs is left of the list for a demand of %v", demand)
	}
	for range informers {
		rnd.Float64()
	}
	d.rank(rnd, nodes)
	return nil
}

// asks is what a pod asks for of all its GPUs, in thousandths.
func asks(p *trace.OpenbPod) int64 { return p.GPUs * p.MilliGPU }

func sum(pods []trace.OpenbPod) int64 {
	var total int64
	for i := range pods {
		total += asks(&pods[i])
	}
	return total
}

// cut leaves out pods until they ask for no more than is wanted.
func (d *Deal) cut(rnd *rand.Rand, asked int64, want float64) {
	for float64(asked) > want {
		i := rnd.Intn(len(d.Pods))
		asked -= asks(&d.Pods[i])
		d.Pods = slices.Delete(d.Pods, i, i+1)
	}
}

// inflate adds clones until the next one would ask for more than is wanted, of each of its
// GPUs: that it may have several is not looked at.
func (d *Deal) inflate(rnd *rand.Rand, byName []trace.OpenbPod, asked int64, want float64) {
	for n := 0; ; n++ {
		clone := byName[rnd.Intn(len(byName))]
		if float64(asked+clone.MilliGPU) > want {
			return
		}
		asked += asks(&clone)
		clone.Name = fmt.Sprintf("%s-tuned-%d", clone.Name, n)
		d.Pods = append(d.Pods, clone)
	}
}

func (d *Deal) rank(rnd *rand.Rand, nodes []string) {
	nodes = slices.SortedFunc(slices.Values(nodes), strings.Compare)
	d.Ranks = make(map[string]int, len(nodes))
	for i, rank := range rnd.Perm(len(nodes)) {
		d.Ranks[nodes[i]] = rank
	}
}
