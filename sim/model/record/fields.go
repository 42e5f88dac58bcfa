package record

import "github.com/berth-sim/berth/sim/model/clock"

// recordFields are the fields of records, in the order in which they are written. This table drives Writer, Read and
// the tables in docs/output.md: a new field of a record is a line here, next to its declaration in Record.
var recordFields = []field[Record]{
	number("pod", func(r *Record) *int64 { return &r.Pod }).in(PodArrived, PodGated, PodUngated, PodAttempted, PodAllowed,
		PodRolledBack, PodBound, PodStarted, PodCompleted, PodEvictionBlocked, PodEvicted, PodGone),
	number("node", func(r *Record) *int32 { return &r.Node }).in(NodeAdded, NodeChanged, NodeRemoved, PodAllowed, PodRolledBack,
		PodBound, PodStarted, PodCompleted, PodEvictionBlocked, PodEvicted, PodGone).optionalAs(PodArrived, " if it runs already"),
	number("group", func(r *Record) *int64 { return &r.Group }).in(DeclareGroup).optionalAs(PodArrived, " if it is in one"),
	integer("class", func(r *Record) *int32 { return &r.Class }).in(DeclareClass, PodArrived),
	integer("workload", func(r *Record) *int32 { return &r.Workload }).in(DeclareWorkload, DeclareGroup, PodArrived),
	integer("count", func(r *Record) *int { return &r.Count }).as(DeclareGroup, ": minMember").as(PodAttempted, ": number of the attempt"),
	integer("priority", func(r *Record) *int32 { return &r.Priority }).in(DeclareClass),
	truth("daemon", func(r *Record) *bool { return &r.Daemon }).optionalAs(PodArrived, ": true for a pod of a DaemonSet"),
	word("cause", func(r *Record) *Cause { return &r.Cause }).optionalAs(PodRolledBack, "").optionalAs(PodEvicted, ""),
	number("by", func(r *Record) *int64 { return &r.By }).emptyIf(func(r *Record) bool { return r.Cause != ByPreemption }).
		optionalAs(PodEvicted, ": the pod that needed the room, if the cause is preemption"),
	text("text", func(r *Record) *string { return &r.Text }).
		optionalAs(RunStarted, ": name of the scenario").optionalAs(DeclareClass, ": namespace").optionalAs(DeclareWorkload, ": its name").
		optionalAs(DeclareGroup, ": namespace/name").optionalAs(PodArrived, ": namespace/name").optionalAs(PodGated, ": why").
		optionalAs(PodAttempted, ": the error if there was one").optionalAs(PodRolledBack, ": what the plugin said").
		optionalAs(PodEvictionBlocked, ": the budgets").optionalAs(RunEnded, ": how"),
	amounts("amounts", func(r *Record) *[]Amount { return &r.Amounts }).as(DeclareClass, ": what a pod requests"),
	pointer("devices", func(r *Record) **DeviceRequest { return &r.Devices }, deviceRequestObject, one).
		optionalAs(DeclareClass, " if it asks for [devices](concepts.md#devices)"),
	integers("held", func(r *Record) *[]int32 { return &r.Held }).
		optionalAs(PodBound, ": numbers of its devices, if it was on its node when the run began"),
	objects("target", func(r *Record) *[]TargetClass { return &r.Target }, targetClassObject).as(DeclareTarget, ": list of classes"),
	pointer("info", func(r *Record) **NodeInfo { return &r.NodeInfo }, nodeInfoObject, one).
		in(NodeAdded).as(NodeChanged, ": what it is now"),
	pointer("attempt", func(r *Record) **AttemptInfo { return &r.Attempt }, attemptObject, (*scanner).newAttempt).in(PodAttempted),
	pointer("sample", func(r *Record) **Sample { return &r.Sample }, sampleObject, one).in(Sampled),
}

// The objects inside records.
var (
	nodeInfoObject = objectOf(
		word("name", func(n *NodeInfo) *string { return &n.Name }),
		word("pool", func(n *NodeInfo) *string { return &n.Pool }),
		word("zone", func(n *NodeInfo) *string { return &n.Zone }),
		fraction("pricePerHour", func(n *NodeInfo) *float64 { return &n.PricePerHour }),
		truth("unschedulable", func(n *NodeInfo) *bool { return &n.Unschedulable }),
		amounts("allocatable", func(n *NodeInfo) *[]Amount { return &n.Allocatable }).note(": amounts"),
		labels("labels", func(n *NodeInfo) *[]Label { return &n.Labels }).optional(" but the one of the host name, by key"),
		integer("devices", func(n *NodeInfo) *int { return &n.Devices }).emptyIf(withoutDevices).optional(": how many, if it has any"),
		word("deviceKind", func(n *NodeInfo) *string { return &n.DeviceKind }).emptyIf(withoutDevices).optional(": the resource that counts them"),
		word("model", func(n *NodeInfo) *string { return &n.Model }).emptyIf(withoutDevices).optional(" of them: empty if the node does not say"),
	)
	deviceRequestObject = objectOf(
		word("kind", func(d *DeviceRequest) *string { return &d.Kind }).note(": the resource that counts them"),
		integer("count", func(d *DeviceRequest) *int { return &d.Count }),
		integer("milli", func(d *DeviceRequest) *int32 { return &d.Milli }).note(": thousandths of each"),
		words("models", func(d *DeviceRequest) *[]string { return &d.Models }).optional(": the only ones allowed, if an annotation names them"),
	)
	targetClassObject = objectOf(
		integer("pods", func(c *TargetClass) *int64 { return &c.Pods }).note(": how many there are"),
		integer("milliCPU", func(c *TargetClass) *int64 { return &c.MilliCPU }).note(" of what one asks for"),
		integer("count", func(c *TargetClass) *int { return &c.Count }).optional(" of devices"),
		integer("milli", func(c *TargetClass) *int32 { return &c.Milli }).optional(": thousandths of each"),
		words("models", func(c *TargetClass) *[]string { return &c.Models }).optional(": the only ones allowed"),
	)
	attemptObject = objectOf(
		word("outcome", func(a *AttemptInfo) *string { return &a.Outcome }).note(": scheduled, waiting, unschedulable or error"),
		number("node", func(a *AttemptInfo) *int32 { return &a.Node }).note(" that the pod is assumed on, or −1"),
		integers("held", func(a *AttemptInfo) *[]int32 { return &a.Held }).optional(": numbers of the devices that it holds there"),
		integer("feasible", func(a *AttemptInfo) *int { return &a.Feasible }).note(": nodes that fit"),
		integer("evaluated", func(a *AttemptInfo) *int { return &a.Evaluated }).note(": nodes that were looked at"),
		integer("busy", func(a *AttemptInfo) *clock.Time { return &a.Busy }).note(": how long the cycle takes, in nanoseconds"),
		number("nominated", func(a *AttemptInfo) *int32 { return &a.Nominated }).note(": node that preemption frees, or −1"),
		integer("victims", func(a *AttemptInfo) *int { return &a.Victims }).note(": how many"),
		reasons("reasons", func(a *AttemptInfo) *[]ReasonCount { return &a.Reasons }).optional(": list of [plugin, reason, nodes]"),
	)
	sampleObject = objectOf(
		part("queue", func(s *Sample) *Depth { return &s.Queue }, queueObject).note(": numbers of pods"),
		pointer("fragmentation", func(s *Sample) **Fragmentation { return &s.Fragmentation }, fragmentationObject, one).
			optional(" unless disabled"),
	)
	queueObject = objectOf(
		integer("active", func(d *Depth) *int { return &d.Active }),
		integer("backoff", func(d *Depth) *int { return &d.Backoff }),
		integer("unschedulable", func(d *Depth) *int { return &d.Unschedulable }),
		integer("gated", func(d *Depth) *int { return &d.Gated }),
		integer("waiting", func(d *Depth) *int { return &d.Waiting }).note(" in Permit"),
	)
	fragmentationObject = objectOf(
		words("resources", func(f *Fragmentation) *[]string { return &f.Resources }).note(": names, in whose order all lists below are"),
		integers("free", func(f *Fragmentation) *[]int64 { return &f.Free }),
		integers("stranded", func(f *Fragmentation) *[]int64 { return &f.Stranded }),
		objects("mix", func(f *Fragmentation) *[]MixShare { return &f.Mix }, mixShareObject),
		integers("inflated", func(f *Fragmentation) *[]int64 { return &f.Inflated }).
			emptyIf(func(f *Fragmentation) bool { return f.Inflated == nil }).optional(" if asked for"),
	)
	mixShareObject = objectOf(
		integer("class", func(m *MixShare) *int32 { return &m.Class }),
		fraction("weight", func(m *MixShare) *float64 { return &m.Weight }).note(": its share"),
		integer("fits", func(m *MixShare) *int64 { return &m.Fits }).note(": how many more pods fit"),
		integers("unusable", func(m *MixShare) *[]int64 { return &m.Unusable }).note(": what is free where none fits"),
	)
)

func withoutDevices(n *NodeInfo) bool { return n.Devices == 0 }
