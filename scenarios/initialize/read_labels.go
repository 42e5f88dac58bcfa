package initialize

import (
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

// readLabels collects the keys of node labels that an object may ask for: in node selectors and
// node affinity, as topology keys, in the affinity and the labels of volumes, the topology of storage
// classes and capacities, and in a namespace's node selector. Keys of pod labels in selectors are
// collected too; a node rarely has those.
func readLabels(v document.Value, into map[string]bool) {
	if v.Get("kind").Text() == "PersistentVolume" {
		for label := range v.Find("metadata.labels").Entries() {
			into[label] = true
		}
	}
	for key, value := range v.Entries() {
		switch key {
		case "key", "topologyKey":
			into[value.Text()] = true
		case "topologyKeys":
			for _, item := range value.Items() {
				into[item.Text()] = true
			}
		case "nodeSelector", "matchLabels":
			for label := range value.Entries() {
				into[label] = true
			}
		case nodeSelectorAnnotation:
			for term := range strings.SplitSeq(value.Text(), ",") {
				label, _, _ := strings.Cut(term, "=")
				into[strings.TrimSpace(label)] = true
			}
		case "managedFields", "containers", "env":
			continue // large, and without selectors
		}
		readLabels(value, into)
	}
	for _, item := range v.Items() {
		readLabels(item, into)
	}
}

// nodeSelectorAnnotation of a namespace restricts its pods to nodes: admission plugin PodNodeSelector.
const nodeSelectorAnnotation = "scheduler.alpha.kubernetes.io/node-selector"
