// Package fgd makes the arrivals of the evaluation of the paper on fragmentation gradient descent: a shuffled pod list
// whose requests are brought to a given demand, and ranks of nodes that break ties. It draws the same numbers in the same
// order as the simulator of the paper's authors, so that a seed gives the same arrivals in both.
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

// PaperDemand is the demand of the paper: the GPUs that the pods request in all, divided by those of the fleet.
const PaperDemand = 1.3

// informers is how many informers the authors' simulator starts between the draws for the pods and those for the nodes.
// Each start draws a number.
const informers = 10

// PodList is a pod list. Shuffle puts its pods into the order of arrival.
type PodList struct {
	// Pods are the pods. Clones that Shuffle adds are called NAME-tuned-0, NAME-tuned-1, ….
	Pods []trace.OpenbPod
	// Ranks are the ranks of the nodes by name, from 0. Among nodes with equal scores the one with the lowest rank is
	// selected. They are set by Shuffle.
	Ranks map[string]int
	// counts are the pods of the list by shape, without clones.
	counts map[fragment.Shape]int64
	// Skipped is how many invalid lines of the list were skipped. Faults are the errors of the first of them.
	Skipped int
	Faults  []error
}

// Read reads an openb pod list. file is its name in errors. With skip, invalid lines are skipped and counted.
func Read(file string, in io.Reader, skip bool) (PodList, error) {
	r, err := trace.OpenbPods(file, in, trace.Options{SkipBad: skip})
	if err != nil {
		return PodList{}, err
	}
	l := PodList{counts: map[fragment.Shape]int64{}}
	for pod, err := range r.Rows() {
		if err != nil {
			return PodList{}, err
		}
		l.Pods = append(l.Pods, pod)
		l.counts[fragment.Shape{MilliCPU: pod.MilliCPU, Count: int(pod.GPUs), Milli: int32(pod.MilliGPU), Spec: pod.Spec}]++
	}
	l.Skipped, l.Faults = r.Skipped(), r.SkippedErrors()
	return l, nil
}

// Target returns the target workload of the fragmentation measure: the most frequent shapes of the list, up to the share
// of the paper. models resolves the Spec of a pod to the GPU models that it accepts.
func (l *PodList) Target(models func(spec string) []int32) *fragment.Target {
	return fragment.NewTarget(l.counts, fragment.PaperShare, models)
}

// Models returns the GPU models in the Spec of a pod.
func Models(spec string) []string {
	models := strings.Split(spec, "|")
	for i := range models {
		models[i] = strings.TrimSpace(models[i])
	}
	return slices.DeleteFunc(models, func(model string) bool { return model == "" })
}

// Shuffle shuffles the pods and draws the ranks of the nodes. It adds clones of random pods, or removes random pods, until
// the pods request demand times capacity. capacity is that of all nodes, in thousandths of GPUs.
func (l *PodList) Shuffle(seed int64, demand float64, capacity int64, nodes []string) error {
	if len(l.Pods) == 0 || capacity <= 0 || sum(l.Pods) == 0 {
		return fmt.Errorf("pods and nodes must have GPUs for a demand of %v to have a meaning", demand)
	}
	rnd := rand.New(rand.NewSource(seed))
	rnd.Int()
	byName := slices.SortedFunc(slices.Values(l.Pods), func(a, b trace.OpenbPod) int { return cmp.Compare(a.Name, b.Name) })
	l.Pods = slices.Clone(byName)
	rnd.Shuffle(len(l.Pods), func(i, j int) { l.Pods[i], l.Pods[j] = l.Pods[j], l.Pods[i] })
	if asked, want := sum(l.Pods), demand*float64(capacity); float64(asked) > want {
		l.cut(rnd, asked, want)
	} else if float64(asked) < want {
		l.inflate(rnd, byName, asked, want)
	}
	if sum(l.Pods) == 0 {
		return fmt.Errorf("no pod with GPUs is left of the list for a demand of %v", demand)
	}
	for range informers {
		rnd.Float64()
	}
	l.rank(rnd, nodes)
	return nil
}

// requested returns what a pod requests of GPUs, in thousandths.
func requested(p *trace.OpenbPod) int64 { return p.GPUs * p.MilliGPU }

func sum(pods []trace.OpenbPod) int64 {
	var total int64
	for i := range pods {
		total += requested(&pods[i])
	}
	return total
}

// cut removes random pods until they request at most want.
func (l *PodList) cut(rnd *rand.Rand, asked int64, want float64) {
	for float64(asked) > want {
		i := rnd.Intn(len(l.Pods))
		asked -= requested(&l.Pods[i])
		l.Pods = slices.Delete(l.Pods, i, i+1)
	}
}

// inflate adds clones until the next one would exceed want. As in the authors' simulator, that check counts only one of
// the clone's GPUs.
func (l *PodList) inflate(rnd *rand.Rand, byName []trace.OpenbPod, asked int64, want float64) {
	for n := 0; ; n++ {
		clone := byName[rnd.Intn(len(byName))]
		if float64(asked+clone.MilliGPU) > want {
			return
		}
		asked += requested(&clone)
		clone.Name = fmt.Sprintf("%s-tuned-%d", clone.Name, n)
		l.Pods = append(l.Pods, clone)
	}
}

func (l *PodList) rank(rnd *rand.Rand, nodes []string) {
	nodes = slices.SortedFunc(slices.Values(nodes), strings.Compare)
	l.Ranks = make(map[string]int, len(nodes))
	for i, rank := range rnd.Perm(len(nodes)) {
		l.Ranks[nodes[i]] = rank
	}
}
