package world

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// inflate places pods drawn from the mix until none fits any more, notes what is
// then free, and removes them again, the latest first, which leaves the
// cluster exactly as it was.
func (s *sampler) inflate(p *FragmentationMeter, mix []frequentClass, resources []cluster.Resource) []int64 {
	trial, err := p.Inflate()
	if err != nil {
		s.fault("stranding by inflation: %w", err)
		return nil
	}
	weights := make([]float64, len(mix))
	for i := range mix {
		weights[i] = mix[i].weight
	}
	var placed []cluster.PodID
	for i := pick(weights, p.Draws); i >= 0 && s.ctx.Err() == nil; i = pick(weights, p.Draws) {
		class := mix[i].Class
		pod := s.cluster.AddPod(cluster.Pod{Serial: -1, Name: fmt.Sprintf("inflation-%d", len(placed)), Class: class})
		s.cluster.Volumes.CreateClaims(pod)
		placed = append(placed, pod)
		trial.Add(pod, s.now)
		if _, ok := trial.Pop(s.now); !ok || trial.Schedule(pod, s.now).Outcome != scheduler.Scheduled {
			weights[i] = 0
		}
	}
	free := s.free(resources)
	for _, pod := range slices.Backward(placed) {
		s.cluster.Volumes.DeleteOwnClaims(pod)
		s.cluster.RemovePod(pod)
	}
	if s.ctx.Err() != nil {
		return nil // interrupted
	}
	return free
}

// pick draws an index by weight; -1 when all weights are 0.
func pick(weights []float64, draws *rand.Rand) int {
	var sum float64
	for _, x := range weights {
		sum += x
	}
	if sum == 0 {
		return -1
	}
	x := float64(draws.Float64() * sum)
	last := -1
	for i, weight := range weights {
		if weight == 0 {
			continue
		}
		if last = i; x < weight {
			break
		}
		x -= weight
	}
	return last
}
