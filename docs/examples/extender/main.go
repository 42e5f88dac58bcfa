// Extender is an example of a scheduler extender: a node with the label team takes the pods
// of that team only, and a pod goes to the nodes of its own team first.
//
// Its answers depend on nothing but the question, so that a run of berth with it can be
// repeated.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
)

// object is what is read of a pod or a node.
type object struct {
	Metadata struct {
		Name   string            `json:"name"`
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
}

// question is what the scheduler sends: the pod and the nodes that its own filters let
// through, as whole objects because of nodeCacheCapable: false.
type question struct {
	Pod   object
	Nodes struct {
		Items []json.RawMessage `json:"items"`
	}
}

// filter sends back the nodes that pass as they came, and says why the others do not.
func filter(q *question) any {
	passed, failed := []json.RawMessage{}, map[string]string{}
	q.each(func(node object, raw json.RawMessage) {
		if team := node.Metadata.Labels["team"]; team != "" && team != q.Pod.Metadata.Labels["team"] {
			failed[node.Metadata.Name] = "node(s) belonged to another team"
		} else {
			passed = append(passed, raw)
		}
	})
	return map[string]any{"Nodes": map[string]any{"items": passed}, "FailedAndUnresolvableNodes": failed}
}

// prioritize scores nodes from 0 to 10.
func prioritize(q *question) any {
	scores := []map[string]any{}
	q.each(func(node object, _ json.RawMessage) {
		score := 0
		if team := node.Metadata.Labels["team"]; team != "" && team == q.Pod.Metadata.Labels["team"] {
			score = 10
		}
		scores = append(scores, map[string]any{"Host": node.Metadata.Name, "Score": score})
	})
	return scores
}

func (q *question) each(f func(node object, raw json.RawMessage)) {
	for _, raw := range q.Nodes.Items {
		var node object
		if err := json.Unmarshal(raw, &node); err == nil {
			f(node, raw)
		}
	}
}

func handle(verb string, answer func(*question) any) {
	http.HandleFunc("POST /"+verb, func(w http.ResponseWriter, r *http.Request) {
		var q question
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := json.NewEncoder(w).Encode(answer(&q)); err != nil {
			log.Print(err)
		}
	})
}

func main() {
	listen := flag.String("listen", "127.0.0.1:8888", "address to listen on")
	flag.Parse()
	handle("filter", filter)
	handle("prioritize", prioritize)
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}
