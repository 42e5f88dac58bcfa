package scenarios

import (
	"fmt"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// maxNamed is how many pods or files a line names.
const maxNamed = 3

// ExcludePodsOnMissingNodes leaves out the pods that run on a node which does not exist: a dump of pods that is newer than that of
// the nodes has some. Their controllers count them. It returns a warning, or none if there are no such pods; if strict
// is set, an error for each of them.
func ExcludePodsOnMissingNodes(pods []manifest.Pod, exists func(node string) bool, strict bool) ([]string, error) {
	var faults document.Errors
	var names []string
	absent := 0
	for i := range pods {
		p := &pods[i]
		if p.Finished || p.NodeName == "" || exists(p.NodeName) {
			continue
		}
		if strict {
			faults.Add(p.At, "spec.nodeName", "is not among the nodes: dump nodes and pods in one go, or all nodes after the pods")
			continue
		}
		p.Absent = true
		if absent++; absent <= maxNamed {
			names = append(names, fmt.Sprintf("%s/%s on %s", p.Namespace, p.Name, p.NodeName))
		}
	}
	if more := absent - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	if absent == 0 {
		return nil, faults.Err()
	}
	return []string{fmt.Sprintf("left out: %s on nodes that are not among the objects: %s", human.Counted(absent, "pod"), strings.Join(names, ", "))}, nil
}
