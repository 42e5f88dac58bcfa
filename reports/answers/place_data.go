package answers

import (
	"strconv"
	"strings"

	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/answers/overview"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/record"
)

// placedPod is a pod in JSON.
type placedPod struct {
	Pod       string           `json:"pod"`
	State     place.End        `json:"state"`
	Node      *string          `json:"node"`
	Attempts  int              `json:"attempts"`
	Feasible  int              `json:"feasibleNodes"`
	Evaluated int              `json:"evaluatedNodes"`
	Score     *int64           `json:"score"`
	Nominated *string          `json:"nominatedNode"`
	Victims   []string         `json:"victims"`
	VictimOf  *string          `json:"victimOf"`
	Reasons   []explain.Reason `json:"reasons"`
	Message   string           `json:"message"`
	Held      []int32          `json:"held,omitempty"`
	Misplaced bool             `json:"misplaced,omitempty"`
}

// unplacedReason is why pods have no node, in JSON.
type unplacedReason struct {
	State   place.End        `json:"state"`
	Pods    int              `json:"pods"`
	Example string           `json:"example"`
	Reasons []explain.Reason `json:"reasons"`
	Message string           `json:"message"`
	Changes []explain.Change `json:"changes"`
	Untried string           `json:"untried"`
}

// pooled is how many pods a pool or a zone got, in JSON.
type pooled struct {
	Name          string `json:"name"`
	Nodes         int    `json:"nodes"`
	Placed        int    `json:"scheduled"`
	RunningBefore int    `json:"ranBefore"`
}

// placementObject returns the JSON form of a placement.
func placementObject(p *placement) any {
	type summary struct {
		Pods          int `json:"pods"`
		Scheduled     int `json:"scheduled"`
		Unschedulable int `json:"unschedulable"`
		Failed        int `json:"failed"`
		Gated         int `json:"gated"`
		Waiting       int `json:"waiting"`
		Gone          int `json:"gone"`
		Misplaced     int `json:"misplaced"`
		Attempts      int `json:"attempts"`
		Victims       int `json:"victims"`
	}
	out := struct {
		Schema  string           `json:"schema"`
		Summary summary          `json:"summary"`
		By      *string          `json:"by"`
		Pools   []pooled         `json:"pools"`
		Reasons []unplacedReason `json:"withoutNode"`
		Pods    []placedPod      `json:"pods"`
	}{Schema: PlaceSchema, By: orNull(p.Pools.By), Pools: []pooled{}, Reasons: []unplacedReason{}, Pods: []placedPod{}}
	r := p.Result
	out.Summary = summary{r.Pods, r.Placed, r.Pending, r.Failed, r.Gated, r.Waiting, r.Gone, r.Misplaced, p.Attempts, p.Victims}
	for _, pool := range p.Pools.List {
		out.Pools = append(out.Pools, pooled(pool))
	}
	for i := range p.Reasons {
		r := &p.Reasons[i]
		out.Reasons = append(out.Reasons, unplacedReason{
			r.End, r.Pods, r.Example, reasonList(r.Reasons), r.Message, append([]explain.Change{}, r.Changes...), r.Untried,
		})
	}
	for _, pod := range p.listed {
		out.Pods = append(out.Pods, placedPod{
			Pod: pod.Name, State: pod.End, Node: orNull(pod.Node), Attempts: pod.Attempts, Feasible: pod.Feasible, Evaluated: pod.Evaluated,
			Score: scoreOrNull(pod), Nominated: orNull(pod.Nominated), Victims: append([]string{}, pod.Victims...), VictimOf: orNull(pod.VictimOf),
			Reasons: reasonList(pod.Reasons), Message: pod.Message, Held: pod.Held, Misplaced: pod.Misplaced,
		})
	}
	return out
}

func reasonList(list []record.ReasonCount) []explain.Reason {
	out := []explain.Reason{}
	for _, r := range list {
		out = append(out, explain.Reason(r))
	}
	return out
}

// orNull returns nil for the empty string.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func scoreOrNull(p *overview.Pod) *int64 {
	if !p.Scored {
		return nil
	}
	return &p.Score
}

// records returns a row for each pod, after the names of the columns.
func (p *placement) records() [][]string {
	rows := [][]string{{"pod", "state", "node", "attempts", "feasibleNodes", "evaluatedNodes", "score", "nominatedNode", "victims", "victimOf", "message"}}
	for _, pod := range p.listed {
		score := ""
		if pod.Scored {
			score = strconv.FormatInt(pod.Score, 10)
		}
		rows = append(rows, []string{
			pod.Name, string(pod.End), pod.Node, strconv.Itoa(pod.Attempts), strconv.Itoa(pod.Feasible), strconv.Itoa(pod.Evaluated), score,
			pod.Nominated, strings.Join(pod.Victims, " "), pod.VictimOf, pod.Message,
		})
	}
	return rows
}
