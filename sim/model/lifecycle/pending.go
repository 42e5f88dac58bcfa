package lifecycle

import "github.com/berth-sim/berth/sim/model/record"

// NotTried is the reason of a pending pod that was not tried since it arrived or since its gates were removed.
const NotTried = "not tried yet"

// PendingReasons returns why the pod of a record is pending from then on: the reasons for which an attempt found no node,
// or one reason made of what gates the pod, of the error of the attempt, or of the cause that took its node away. No
// reasons mean NotTried. It reports false for a record that says nothing about it.
func PendingReasons(r *record.Record) (reasons []record.ReasonCount, says bool) {
	switch r.Kind {
	case record.PodArrived, record.PodUngated:
		return nil, true
	case record.PodGated:
		return oneReason("gated", r.Text), true
	case record.PodAttempted:
		return attemptReasons(r)
	case record.PodRolledBack:
		if r.Cause == record.ByBindFailure && r.Text != "" {
			return oneReason(record.Failed, r.Text), true
		}
		return oneReason("rolled back", string(r.Cause)), true
	}
	return nil, false
}

func attemptReasons(r *record.Record) ([]record.ReasonCount, bool) {
	switch a := r.Attempt; {
	case a.Outcome == record.Unschedulable && len(a.Reasons) > 0:
		return a.Reasons, true
	case a.Outcome == record.Unschedulable || a.Outcome == record.Failed:
		return oneReason(a.Outcome, r.Text), true
	}
	return nil, false
}

func oneReason(what, text string) []record.ReasonCount {
	return []record.ReasonCount{{Plugin: what, Reason: text}}
}

// MainReason returns the main one of the reasons of PendingReasons: that of the most nodes, the first by plugin and reason
// among equals. Its number of nodes is 0. Without reasons it is NotTried.
func MainReason(reasons []record.ReasonCount) record.ReasonCount {
	if len(reasons) == 0 {
		return record.ReasonCount{Reason: NotTried}
	}
	main := record.MainReason(reasons)
	main.Nodes = 0
	return main
}
