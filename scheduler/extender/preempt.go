package extender

import (
	"context"
	"fmt"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// Preempt implements scheduler.Extender. Candidates come back in the order of the names of
// their nodes.
func (x *Extender) Preempt(ctx context.Context, pod cluster.PodID, candidates []scheduler.Candidate) ([]scheduler.Candidate, error) {
	text, err := x.objects.Pod(pod)
	if err != nil {
		return nil, err
	}
	args := preemptArgs{Pod: text}
	if x.NodeCacheCapable {
		args.NodeNameToMetaVictims = map[string]metaVictims{}
	} else {
		args.NodeNameToVictims = map[string]victims{}
	}
	for _, k := range candidates {
		if err := x.add(&args, k); err != nil {
			return nil, err
		}
	}
	var answer preemptResult
	if err := x.send(ctx, x.PreemptVerb, args, &answer); err != nil {
		return nil, err
	}
	var out []scheduler.Candidate
	for _, name := range sortedKeys(answer.NodeNameToMetaVictims) {
		k, err := x.candidate(name, answer.NodeNameToMetaVictims[name])
		if err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	return out, nil
}

func (x *Extender) add(args *preemptArgs, k scheduler.Candidate) error {
	name := x.cluster.Node(k.Node).Name
	meta := metaVictims{Pods: []*metaPod{}, NumPDBViolations: k.Violations}
	whole := victims{NumPDBViolations: k.Violations}
	for _, victim := range k.Victims {
		if x.NodeCacheCapable {
			meta.Pods = append(meta.Pods, &metaPod{x.objects.UID(victim)})
			continue
		}
		text, err := x.objects.Pod(victim)
		if err != nil {
			return err
		}
		whole.Pods = append(whole.Pods, text)
	}
	if x.NodeCacheCapable {
		args.NodeNameToMetaVictims[name] = meta
	} else {
		args.NodeNameToVictims[name] = whole
	}
	return nil
}

// candidate finds the node and the pods that the extender speaks of.
func (x *Extender) candidate(name string, meta *metaVictims) (scheduler.Candidate, error) {
	id, exists := x.cluster.NodeByName(name)
	if !exists {
		return scheduler.Candidate{}, fmt.Errorf("nodeinfo not found for node name %q", name)
	}
	if meta == nil {
		return scheduler.Candidate{}, fmt.Errorf("extender: %v answers null for the victims on node: %v", x.URLPrefix, name)
	}
	k := scheduler.Candidate{Node: id, Violations: meta.NumPDBViolations}
	on := map[string]cluster.PodID{}
	for _, pod := range x.cluster.PodsOn(id) {
		on[x.objects.UID(pod)] = pod
	}
	for _, m := range meta.Pods {
		if m == nil {
			return k, fmt.Errorf("extender: %v answers null for a victim on node: %v", x.URLPrefix, name)
		}
		pod, found := on[m.UID]
		if !found {
			return k, fmt.Errorf("extender: %v claims to preempt pod (UID: %v) on node: %v, but the pod is not found on that node", x.URLPrefix, m, name)
		}
		k.Victims = append(k.Victims, pod)
	}
	return k, nil
}
