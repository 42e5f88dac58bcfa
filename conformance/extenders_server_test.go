package conformance

import (
	"encoding/json"
	"hash/fnv"
	"net/http"
	"slices"
	"strings"
)

// asked is a request to an extender, as far as the one here reads it.
type asked struct {
	Pod                   namedObject
	Nodes                 *struct{ Items []json.RawMessage }
	NodeNames             *[]string
	NodeNameToVictims     map[string]struct{ Pods []namedObject }
	NodeNameToMetaVictims map[string]struct{ Pods []struct{ UID string } }
	PodName               string
}

type namedObject struct {
	Metadata struct{ Name, UID string }
}

// lot is a number below n that depends on the words alone.
func lot(n uint32, words ...string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(strings.Join(words, "/"))) //nolint:errcheck // it never fails
	return h.Sum32() / 7 % n
}

// serveExtender answers as lots say, drawn by the names of pod, node and the path before the
// verb: it fails, omits nodes, rejects them, scores them, changes victims.
func serveExtender(w http.ResponseWriter, r *http.Request) {
	var q asked
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	slash := strings.LastIndex(r.URL.Path, "/")
	who, verb := r.URL.Path[:slash], r.URL.Path[slash+1:]
	if who != "/rank" && lot(17, who, verb, q.Pod.Metadata.Name+q.PodName) == 0 {
		http.Error(w, "not now", http.StatusServiceUnavailable)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]func(string, *asked) any{
		"filter": filterByLot, "prioritize": scoreByLot, "preempt": preemptByLot, "bind": bindByLot,
	}[verb](who, &q))
}

// each calls f with the name of every node asked about, and its object where there is one.
func (q *asked) each(f func(name string, object json.RawMessage)) {
	if q.NodeNames != nil {
		for _, name := range *q.NodeNames {
			f(name, nil)
		}
		return
	}
	for _, object := range q.Nodes.Items {
		var n namedObject
		_ = json.Unmarshal(object, &n)
		f(n.Metadata.Name, object)
	}
}

func filterByLot(who string, q *asked) any {
	pod := q.Pod.Metadata.Name
	if lot(19, who, pod) == 0 {
		return map[string]any{"Error": "the extender does not want to"}
	}
	names, objects := []string{}, []json.RawMessage{}
	failed, never := map[string]string{}, map[string]string{}
	q.each(func(name string, object json.RawMessage) {
		switch lot(9, who, pod, name) {
		case 0:
			failed[name] = "closed"
		case 1:
			never[name] = "gone"
		case 2: // skipped
		case 3:
			failed[name], never[name] = "closed", "both"
		default:
			names, objects = append(names, name), append(objects, object)
		}
	})
	if lot(5, who, pod) == 0 {
		failed["nowhere"] = "there is no such node"
	}
	answer := map[string]any{"FailedNodes": failed, "FailedAndUnresolvableNodes": never}
	if q.NodeNames != nil {
		answer["NodeNames"] = names
	} else {
		answer["Nodes"] = map[string]any{"items": objects}
	}
	return answer
}

// scoreByLot gives no two nodes the same score.
func scoreByLot(who string, q *asked) any {
	out := []map[string]any{}
	taken := map[uint32]bool{}
	q.each(func(name string, _ json.RawMessage) {
		score := lot(1<<16, who, q.Pod.Metadata.Name, name)
		for taken[score] {
			score++
		}
		taken[score] = true
		out = append(out, map[string]any{"Host": name, "Score": score})
	})
	return append(out, map[string]any{"Host": "nowhere", "Score": 1 << 20})
}

func preemptByLot(who string, q *asked) any {
	out := map[string]any{}
	keep := func(node string, uids []string) {
		switch lot(4, who, q.Pod.Metadata.Name, node) {
		case 0:
			return
		case 1:
			if len(uids) > 1 {
				uids = uids[:len(uids)-1]
			}
		case 2:
			slices.Reverse(uids)
		}
		pods := []map[string]string{}
		for _, uid := range uids {
			pods = append(pods, map[string]string{"UID": uid})
		}
		if lot(40, who, q.Pod.Metadata.Name, node, "none") == 0 {
			pods = nil
		}
		out[node] = map[string]any{"Pods": pods, "NumPDBViolations": lot(3, who, node)}
	}
	for node, victims := range q.NodeNameToVictims {
		var uids []string
		for _, pod := range victims.Pods {
			uids = append(uids, pod.Metadata.UID)
		}
		keep(node, uids)
	}
	for node, victims := range q.NodeNameToMetaVictims {
		var uids []string
		for _, pod := range victims.Pods {
			uids = append(uids, pod.UID)
		}
		keep(node, uids)
	}
	return map[string]any{"NodeNameToMetaVictims": out}
}

func bindByLot(who string, q *asked) any {
	if lot(9, who, q.PodName) == 0 {
		return map[string]string{"Error": "not on this node"}
	}
	return map[string]string{}
}
