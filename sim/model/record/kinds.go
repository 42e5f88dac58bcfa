package record

import "fmt"

// kinds are the names of kinds in the log, and what happened.
var kinds = [numKinds]struct{ name, what string }{
	RunStarted:         {"run", "the run began"},
	DeclareClass:       {"class", "a [pod class](glossary.md) is declared"},
	DeclareWorkload:    {"workload", "a workload is declared"},
	DeclareTarget:      {"target", "another target workload, by which [fragmentation of devices](concepts.md#devices) is measured from then on"},
	DeclareGroup:       {"group", "a pod group is declared"},
	NodeAdded:          {"nodeAdd", "there is a new node"},
	NodeChanged:        {"nodeSet", "a node has changed"},
	NodeRemoved:        {"nodeGone", "a node was removed"},
	PodArrived:         {"arrive", "a pod arrived"},
	PodGated:           {"gate", "a pod is kept out of the queue"},
	PodUngated:         {"ungate", "nothing keeps it out any more"},
	PodAttempted:       {"attempt", "a scheduling cycle began"},
	PodAllowed:         {"allow", "a pod need not wait in Permit any more"},
	PodRolledBack:      {"rollback", "a pod lost the node it was assumed on, and is queued again"},
	PodBound:           {"bind", "a pod is bound"},
	PodStarted:         {"start", "it runs"},
	PodCompleted:       {"complete", "it has done its work and left its node"},
	PodEvictionBlocked: {"hold", "its node is drained, and budgets keep it there"},
	PodEvicted:         {"evict", "it begins to terminate"},
	PodGone:            {"gone", "an evicted pod has left its node, or a pending one was dropped"},
	Sampled:            {"sample", "a sampling instant"},
	RunEnded:           {"end", "the run ended"},
}

// String returns the name of the kind in the log.
func (k Kind) String() string {
	if k.known() {
		return kinds[k].name
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

func (k Kind) known() bool { return k > 0 && k < numKinds }

// kindByName are the kinds by their names.
var kindByName = func() map[string]Kind {
	out := map[string]Kind{}
	for k := Kind(1); k < numKinds; k++ {
		out[kinds[k].name] = k
	}
	return out
}()

// KindOf returns the kind of that name, and whether there is one.
func KindOf(name string) (Kind, bool) {
	k, ok := kindByName[name]
	return k, ok
}

// layout is what a record of one kind looks like in the log.
type layout struct {
	object[Record]
	begin           string // `,"kind":"bind"`
	hasPod, hasNode bool
}

// layouts are the layouts by kind.
var layouts = func() [numKinds]layout {
	var out [numKinds]layout
	for k := Kind(1); k < numKinds; k++ {
		l := &out[k]
		l.object, l.begin = newObject(k, recordFields), `,"kind":"`+k.String()+`"`
		l.hasPod, l.hasNode = l.has("pod"), l.has("node")
	}
	return out
}()

// HasPod reports whether records of the kind speak of a pod.
func (k Kind) HasPod() bool { return k.known() && layouts[k].hasPod }

// HasNode reports whether records of the kind name a node.
func (k Kind) HasNode() bool { return k.known() && layouts[k].hasNode }
