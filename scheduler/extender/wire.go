package extender

import (
	"encoding/json"
	"maps"
	"slices"
)

// What travels over the wire: names are those of the fields, which have no JSON tags
// upstream either.
//
// Upstream: staging/src/k8s.io/kube-scheduler/extender/v1/types.go, v1.36.3.
type (
	nodesArgs struct {
		Pod       json.RawMessage
		Nodes     *nodeList
		NodeNames *[]string
	}
	nodeList struct {
		Metadata struct{}          `json:"metadata"`
		Items    []json.RawMessage `json:"items"`
	}
	filterResult struct {
		Nodes                      *nodeList
		NodeNames                  *[]string
		FailedNodes                map[string]string
		FailedAndUnresolvableNodes map[string]string
		Error                      string
	}
	hostPriority struct {
		Host  string
		Score int64
	}
	preemptArgs struct {
		Pod                   json.RawMessage
		NodeNameToVictims     map[string]victims
		NodeNameToMetaVictims map[string]metaVictims
	}
	preemptResult struct {
		NodeNameToMetaVictims map[string]*metaVictims
	}
	victims struct {
		Pods             []json.RawMessage
		NumPDBViolations int64
	}
	metaVictims struct {
		Pods             []*metaPod
		NumPDBViolations int64
	}
	metaPod  struct{ UID string }
	bindArgs struct {
		PodName, PodNamespace, PodUID, Node string
	}
	bindResult struct{ Error string }
	named      struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
)

// nameOf is the name of an object.
func nameOf(object json.RawMessage) (string, error) {
	var o named
	err := json.Unmarshal(object, &o)
	return o.Metadata.Name, err
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
