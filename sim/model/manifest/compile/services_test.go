package compile

import (
	"fmt"
	rand "math/rand/v2"
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Services are found by one of their labels; the plain twin looks at all of them.
func TestServicesFor(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	some := func(atLeast int) map[string]string {
		out := map[string]string{}
		for len(out) < atLeast || draw.IntN(2) == 0 && len(out) < 4 {
			out[fmt.Sprintf("key-%d", draw.IntN(5))] = fmt.Sprint(draw.IntN(2))
		}
		return out
	}
	type added struct {
		namespace string
		selector  map[string]string
	}
	found := 0
	for range 1000 {
		s, all := newSelecting(), []added(nil)
		for range draw.IntN(20) {
			one := added{fmt.Sprint("ns-", draw.IntN(2)), some(1)}
			all = append(all, one)
			s.addService(one.namespace, one.selector)
		}
		s = s.Clone()
		meta := &metav1.ObjectMeta{Namespace: "ns-0", Labels: some(0)}
		want := []map[string]string{}
		for _, one := range all {
			if one.namespace == meta.Namespace && includes(meta.Labels, one.selector) {
				want = append(want, one.selector)
			}
		}
		if got := s.servicesFor(meta); !reflect.DeepEqual(got, want) {
			t.Fatalf("labels %v: got %v, want %v", meta.Labels, got, want)
		}
		found += len(want)
	}
	if found < 100 {
		t.Errorf("only %d Services selected anything", found)
	}
}
