package scenarios

import (
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"

	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// MaxPool is how many nodes a pool can have. A larger number is taken for a typing error.
const MaxPool = 1_000_000

// maxReplicas is how many pods an arrival can have. A larger number is taken for a typing error.
const maxReplicas = 1_000_000

// minBetween is the shortest time between arrivals and between samples.
const minBetween = clock.Microsecond

// checker finds the errors of a scenario file that decoding does not find.
type checker struct {
	document.Errors
	pools []string        // names, in the order of the file
	names map[string]bool // of workloads
}

func (c *checker) scenario(root document.Value, f *File) {
	if len(f.Fleet) == 0 && root.Get("fleet").Exists() {
		c.Add(root, "fleet", "is empty: a scenario needs nodes")
	}
	for i := range f.Fleet {
		c.fleet(root.Get("fleet").Index(i), &f.Fleet[i])
	}
	c.names = map[string]bool{}
	for i := range f.Workloads {
		c.workload(root.Get("workloads").Index(i), &f.Workloads[i])
	}
	c.podNames(root, f.Workloads)
	for i := range f.Events {
		c.event(root.Get("events").Index(i), &f.Events[i])
	}
	c.collect(root.Get("collect"), &f.Collect)
	c.notEmpty(root, "target")
	c.target(root.Get("target"), f.Target)
}

// podNames adds an error if pods of two workloads could have the same name: the first replica of the second arrival of w
// is w-1-0, which is also the first pod of w-1.
func (c *checker) podNames(root document.Value, loads []Workload) {
	for _, many := range loads {
		if many.Replicas == nil || *many.Replicas < 2 {
			continue
		}
		for i, w := range loads {
			arrival, like := strings.CutPrefix(w.Name, many.Name+"-")
			if _, err := strconv.ParseUint(arrival, 10, 63); like && err == nil && w.Arrivals != nil {
				c.Add(root.Get("workloads").Index(i), "name", "makes pods that are called like those of workload %q", many.Name)
			}
		}
	}
}

// one adds a fault unless exactly one of the fields is given.
func one(faults *document.Errors, at document.Value, what string, fields ...string) {
	var given []string
	for _, f := range fields {
		if at.Get(f).Exists() {
			given = append(given, f)
		}
	}
	list := strings.Join(fields, ", ")
	switch {
	case len(given) == 0 && len(fields) == 1:
		faults.Add(at, "", "%s needs %s", what, list)
	case len(given) == 0:
		faults.Add(at, "", "%s needs one of %s", what, list)
	case len(given) > 1:
		faults.Add(at, "", "%s has %s: only one of %s is possible", what, strings.Join(given, " and "), list)
	}
}

// notEmpty adds a fault if a list is given and has no entries.
func (c *checker) notEmpty(at document.Value, list string) {
	if v := at.Get(list); v.Exists() && v.Kind() == document.List && v.Len() == 0 {
		c.Add(at, list, "is empty")
	}
}

// without adds a fault for every field that is given.
func (c *checker) without(at document.Value, what string, fields ...string) {
	for _, field := range fields {
		if at.Get(field).Exists() {
			c.Add(at, field, "%s", what)
		}
	}
}

// MaxPrice is the highest price of a node per hour.
const MaxPrice = 1e9

func (c *checker) fleet(at document.Value, f *Fleet) {
	one(&c.Errors, at, "an entry of the fleet", "pool", "manifests", "trace")
	if !(f.PricePerHour >= 0 && f.PricePerHour <= MaxPrice) {
		c.Add(at, "pricePerHour", "must be between 0 and %.0f", MaxPrice)
	}
	if at.Get("pool").Exists() && !at.Get("manifests").Exists() && !at.Get("trace").Exists() {
		c.pool(at, f)
		return
	}
	c.notEmpty(at, "manifests")
	c.without(at, "belongs to a pool", "count", "zones", "namePattern", "jitter", "template", "devices")
	if f.Trace != nil {
		one(&c.Errors, at.Get("trace"), "a trace of nodes", "openb")
	}
}

func (c *checker) pool(at document.Value, f *Fleet) {
	switch {
	case f.Pool == "":
		c.Add(at, "pool", "must be a name")
	case slices.Contains(c.pools, f.Pool):
		c.Add(at, "pool", "is the name of another pool too")
	}
	c.pools = append(c.pools, f.Pool)
	if given := at.Get("count").Kind(); f.Count < 0 || f.Count > MaxPool || given == document.Missing || given == document.Null {
		c.Add(at, "count", "must be between 0 and %d", MaxPool)
	}
	if f.Devices != nil {
		c.nodeDevices(at.Get("devices"), f.Devices)
	}
	if !f.Template.Exists() {
		c.Add(at, "template", "is required: what the nodes of the pool are")
	}
	if labels := at.Find("template.metadata.labels"); len(f.Zones) > 0 && labels.Get(zoneLabel).Exists() {
		c.Add(at, "zones", "has no meaning beside the label %s of the template", zoneLabel)
	}
	seen := map[string]bool{}
	for i, z := range f.Zones {
		if z == "" || seen[z] {
			c.Add(at.Get("zones").Index(i), "", "must be a name that no other zone of the pool has")
		}
		if wrong := validate.CheckLabelValue(z); wrong != nil {
			c.Add(at.Get("zones").Index(i), "", "%v", wrong)
		}
		seen[z] = true
	}
	for name, share := range f.Jitter {
		if !(share >= 0 && share < 1) {
			c.Add(at.Get("jitter").Get(name), "", "must be at least 0 and below 1")
		}
	}
}

// zoneLabel is the label of the zone of a node.
const zoneLabel = "topology.kubernetes.io/zone"

func (c *checker) event(at document.Value, e *EventFile) {
	one(&c.Errors, at, "an event", "add", "remove", "drain", "cordon", "uncordon", "taint", "untaint")
	if e.At != nil && *e.At < 0 {
		c.Add(at, "at", "must be zero or positive")
	}
	kind, sel := e.selection()
	if sel == nil {
		return
	}
	chosen := at.Get(string(kind))
	if e.Add != nil && (sel.Pool == "" || sel.Count == 0) {
		c.Add(chosen, "", "needs a pool, whose template the new nodes have, and a count")
	} else {
		one(&c.Errors, chosen, "a choice of nodes", "pool", "nodes")
	}
	c.notEmpty(chosen, "nodes")
	if sel.Pool != "" && !slices.Contains(c.pools, sel.Pool) {
		c.Add(chosen, "pool", "is not a pool of the fleet%s", document.Meant(sel.Pool, c.pools))
	}
	if sel.Count < 0 || sel.Count > MaxPool {
		c.Add(chosen, "count", "must be between 0 (all of them) and %d", MaxPool)
	}
	if len(sel.Nodes) > 0 {
		c.without(chosen, "has no meaning beside nodes", "count")
	}
	if e.Taint == nil && e.Untaint == nil {
		c.without(chosen, "belongs to taint and untaint", "key", "value", "effect")
		return
	}
	if sel.Key == "" {
		c.Add(chosen, "key", "is required: the key of the taint")
	}
	ofKey, ofValue := validate.CheckTaint(sel.Key, sel.Value)
	if ofKey != nil && sel.Key != "" {
		c.Add(chosen, "key", "%v", ofKey)
	}
	if ofValue != nil {
		c.Add(chosen, "value", "%v", ofValue)
	}
	if sel.Effect == "" {
		c.Add(chosen, "effect", "is required: NoSchedule, PreferNoSchedule or NoExecute")
	}
}

func (c *checker) collect(at document.Value, f *Collect) {
	if f.Every != nil && f.Every.Time() < minBetween {
		c.Add(at, "every", "must be at least %v", minBetween)
	}
	frag := f.Fragmentation
	if frag == nil {
		return
	}
	if frag.Share != nil && !(*frag.Share > 0 && *frag.Share <= 1) {
		c.Add(at, "fragmentation.share", "must be above 0 and at most 1")
	}
	if frag.MaxClasses != nil && *frag.MaxClasses < 1 {
		c.Add(at, "fragmentation.maxClasses", "must be positive")
	}
	if frag.Off {
		c.without(at.Get("fragmentation"), "has no meaning when fragmentation is off", "share", "maxClasses", "inflate")
	}
}
