package conformance

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-sim/berth/conformance/protocol"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// TestQualityOfService: the quality of service class of a pod is what the API server computes when it has given it defaults.
func TestQualityOfService(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	amounts := func() v1.ResourceList {
		if rnd.IntN(4) == 0 {
			return nil
		}
		list := v1.ResourceList{}
		for name, texts := range map[v1.ResourceName][]string{
			v1.ResourceCPU: {"0", "1", "1000m", "2", "2"}, v1.ResourceMemory: {"0", "1Gi", "1024Mi", "2Gi", "2Gi"}, v1.ResourceEphemeralStorage: {"1Gi"},
		} {
			if rnd.IntN(6) > 0 {
				list[name] = resource.MustParse(texts[rnd.IntN(len(texts))])
			}
		}
		return list
	}
	requirements := func() v1.ResourceRequirements {
		r := v1.ResourceRequirements{Limits: amounts()}
		for name, limit := range r.Limits { // a request is at most the limit, or the pod is refused
			if rnd.IntN(3) == 0 {
				if r.Requests == nil {
					r.Requests = v1.ResourceList{}
				}
				r.Requests[name] = limit
			}
		}
		if r.Limits == nil {
			r.Requests = amounts()
		}
		return r
	}
	seen := map[v1.PodQOSClass]int{}
	rules := rulesOf(t)
	for range 20000 {
		pod := &v1.Pod{}
		for range 1 + rnd.IntN(2) {
			pod.Spec.Containers = append(pod.Spec.Containers, v1.Container{Name: "c", Resources: requirements()})
		}
		if rnd.IntN(3) == 0 {
			pod.Spec.InitContainers = []v1.Container{{Name: "i", Resources: requirements()}}
		}
		if rules.PodLevelRequests && rnd.IntN(3) == 0 {
			r := requirements()
			for _, list := range []v1.ResourceList{r.Limits, r.Requests} {
				delete(list, v1.ResourceEphemeralStorage) // which pods as a whole have none of
			}
			pod.Spec.Resources = &r
		}
		requests := resources.RequestsOf(&pod.Spec, rules.PodLevelDefaults)
		ours := resources.QoSOf(&pod.Spec, &requests, rules.PodLevelDefaults)
		text, err := json.Marshal(pod)
		if err != nil {
			t.Fatal(err)
		}
		class, err := call[string](kube, protocol.QualityOfService, text)
		if err != nil {
			t.Fatal(err)
		}
		theirs := v1.PodQOSClass(class)
		if seen[theirs]++; ours != theirs {
			t.Fatalf("%s, want %s, of containers %+v, init containers %+v, pod %+v", ours, theirs, pod.Spec.Containers, pod.Spec.InitContainers, pod.Spec.Resources)
		}
	}
	for _, class := range []v1.PodQOSClass{v1.PodQOSBestEffort, v1.PodQOSBurstable, v1.PodQOSGuaranteed} {
		if seen[class] < 500 {
			t.Errorf("only %d pods are %s", seen[class], class)
		}
	}
}
