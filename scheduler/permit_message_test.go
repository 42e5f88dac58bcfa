package scheduler

import "testing"

// A plugin that rejects a pod in Permit, Reserve or PreFilter without a message is named as the reason.
func TestARejectionWithoutAMessageHasAReason(t *testing.T) {
	for _, point := range []string{"permit", "reserve", "preFilter"} {
		m := newMoody(t, TieFirst)
		m.addNode("n")
		m.addNode("m")
		m.behavior["A"].answers[point+" p"] = "unschedulable:"
		m.addPod("p", 0)
		pod, _ := m.s.Pop(0)
		a := m.s.Schedule(pod, 0)
		reasons := a.Reasons()
		if len(reasons) != 1 || reasons[0].Plugin != "A" || reasons[0].Reason != withoutMessage {
			t.Errorf("%s: the reasons are %v", point, reasons)
		}
		if want := "0/1 nodes are available:"; point != "preFilter" && a.Message() != want {
			t.Errorf("%s: the message is %q, want %q", point, a.Message(), want)
		}
	}
}
