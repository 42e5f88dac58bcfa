package resources

import (
	"slices"
	"testing"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-sim/berth/sim/model/release"
)

func TestAmounts(t *testing.T) {
	huge := Amounts{{"cpu", 1 << 62}}
	if got, _ := huge.add(huge).add(huge).Get("cpu"); got != 1<<63-1 {
		t.Errorf("a sum beyond int64 is %d, want the largest int64", got)
	}
	a := Amounts{{"a", 1}, {"c", 3}}
	got := slices.Clone(a).Max(Amounts{{"a", 2}, {"b", 0}, {"c", 1}})
	if want := (Amounts{{"a", 2}, {"b", 0}, {"c", 3}}); !slices.Equal(got, want) {
		t.Errorf("most = %v, want %v", got, want)
	}
	for milli, want := range map[int64]int64{0: 0, 1: 1, 1000: 1, 1001: 2, 1<<63 - 1: 9223372036854776} {
		if got := (Amount{"memory", milli}).Base(); got != want {
			t.Errorf("%d thousandths are %d, want %d", milli, got, want)
		}
	}
}

// The status of a pod says all that was allocated to it. What has no pod level is counted by the containers.
func TestResizedPodLevelNames(t *testing.T) {
	list := func(cpu, storage string) v1.ResourceList {
		return v1.ResourceList{"cpu": resource.MustParse(cpu), "ephemeral-storage": resource.MustParse(storage)}
	}
	pod := v1.Pod{
		Spec: v1.PodSpec{
			Resources:  &v1.ResourceRequirements{Requests: v1.ResourceList{"cpu": resource.MustParse("2")}},
			Containers: []v1.Container{{Resources: v1.ResourceRequirements{Requests: list("1", "5Gi")}}},
		},
		Status: v1.PodStatus{AllocatedResources: list("3", "1Gi"), Resources: &v1.ResourceRequirements{Requests: list("1", "1Gi")}},
	}
	d := RequestsOf(&pod.Spec, release.PodLevelDefaultsContainers)
	resized := d.Resized(&pod, release.ResizePerPod)
	total := resized.Total(true, nil)
	if cpu, _ := total.Get("cpu"); cpu != 3000 {
		t.Errorf("cpu %d, want 3000", cpu)
	}
	if storage, _ := total.Get("ephemeral-storage"); storage != 5<<30*1000 {
		t.Errorf("ephemeral-storage %d, want that of the container", storage)
	}
}
