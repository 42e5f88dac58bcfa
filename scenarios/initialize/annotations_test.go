package initialize

import "testing"

// Annotations that admission and legacy policies read name what the objects name.
func TestAnnotationsAreCarried(t *testing.T) {
	s := &scrubber{names: newNames(), rules: allRules(), left: map[string]int{}}
	in := map[string]any{
		"scheduler.alpha.kubernetes.io/node-selector":        "acme.com/rack=r1, size=2",
		"scheduler.alpha.kubernetes.io/defaultTolerations":   `[{"key":"acme.com/own","operator":"Equal","value":"team","effect":"NoExecute","tolerationSeconds":5}]`,
		"scheduler.alpha.kubernetes.io/tolerationsWhitelist": `{"broken`,
		"scheduler.alpha.kubernetes.io/preferAvoidPods":      `{"preferAvoidPods":[{"podSignature":{"podController":{"apiVersion":"v1","kind":"ReplicationController","name":"shop","uid":"u-1","controller":true}},"reason":"acme"}]}`,
		"acme.com/note": "acme",
	}
	annotations(s, nil, in)
	s.assign()
	s.left = map[string]int{}
	got, _ := annotations(s, nil, in).(map[string]any)
	want := map[string]string{
		"scheduler.alpha.kubernetes.io/node-selector":      "example.com/key-2=v1,example.com/key-3=2",
		"scheduler.alpha.kubernetes.io/defaultTolerations": `[{"key":"example.com/key-1","operator":"Equal","value":"v2","effect":"NoExecute","tolerationSeconds":5}]`,
		"scheduler.alpha.kubernetes.io/preferAvoidPods":    `{"preferAvoidPods":[{"podSignature":{"podController":{"apiVersion":"v1","controller":true,"kind":"ReplicationController","name":"app-1","uid":"00000000-0000-4000-8000-000000000001"}}}]}`,
	}
	if len(got) != len(want) {
		t.Errorf("got %v", got)
	}
	for key, text := range want {
		if got[key] != text {
			t.Errorf("%s: got %v, want %s", key, got[key], text)
		}
	}
	if s.left["scheduler.alpha.kubernetes.io/tolerationsWhitelist"] != 1 || len(s.left) != 1 {
		t.Errorf("left: %v", s.left)
	}
}
