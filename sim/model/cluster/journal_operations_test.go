package cluster

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/fragment"
)

// operations makes random changes of every kind to a cluster.
type operations struct {
	*Cluster
	rnd     *rand.Rand
	classes []*Class
	gpu     Resource
	serial  int64
	moved   map[PodID]bool // by the open trial
}

func newOperations(seed uint64) *operations {
	o := &operations{Cluster: New(NewVocabulary()), rnd: rand.New(rand.NewPCG(seed, 7)), moved: map[PodID]bool{}}
	o.gpu = o.Resource("example.com/gpu")
	zone, app, ns := o.Symbol("zone"), o.Symbol("app"), o.Symbol("default")
	term := o.AddPodTerm(PodTerm{TopologyKey: zone, Namespaces: []Symbol{ns}, Selector: LabelSelector{Requirements: []Requirement{{Key: app, Op: Exists}}}})
	template := Claim{StorageClass: o.Symbol("fast"), Request: 5, Modes: ReadWriteOnce}
	late := Claim{StorageClass: o.Symbol("late"), Request: 5, Modes: ReadWriteOnce}
	for i := range 5 {
		c := Class{
			Namespace: ns, Labels: o.NewLabelSet(map[string]string{"app": fmt.Sprint("app", i)}), Priority: int32(i % 2),
			Requests: []Quantity{{CPU, int64(100 * i)}}, NonZero: [2]int64{int64(100 * i), 3},
		}
		switch i {
		case 1:
			c.AntiAffinity, c.Ports = []*PodTerm{term}, []HostPort{{Port: 80}}
		case 2:
			c.Devices = DeviceRequest{Kind: o.gpu, Count: 1, Milli: 300}
		case 3:
			c.Volumes = []PodVolume{{Kind: ClaimVolume, Name: "shared"}, {Kind: EphemeralVolume, Name: "own", Template: &template}}
		case 4:
			c.Volumes = []PodVolume{{Kind: EphemeralVolume, Name: "own", Template: &late}, {Kind: ClaimVolume, Name: "late"}}
		}
		o.classes = append(o.classes, o.AddClass(fmt.Sprint(i), c))
	}
	o.Volumes.AddStorageClass(StorageClass{Name: o.Symbol("fast"), Provisioner: "csi", Driver: o.Symbol("csi"), ReclaimPolicy: Delete})
	o.Volumes.AddStorageClass(StorageClass{Name: o.Symbol("late"), Provisioner: "csi", Driver: o.Symbol("csi"), WaitForFirstConsumer: true, ReclaimPolicy: Delete})
	for range 200 {
		o.commit()
	}
	return o
}

func (o *operations) spec(name string) NodeSpec {
	s := NodeSpec{
		Name: name, Labels: o.NewLabelSet(map[string]string{"zone": fmt.Sprint(o.rnd.IntN(3)), "topology.kubernetes.io/zone": fmt.Sprint(o.rnd.IntN(3))}),
		Allocatable: []Quantity{{CPU, int64(1000 * o.rnd.IntN(9))}, {Pods, 20}},
		Images:      []NodeImage{{o.Symbol(fmt.Sprint("image", o.rnd.IntN(3))), o.rnd.Int64N(100)}},
	}
	if o.rnd.IntN(3) == 0 {
		s.Taints = []Taint{{Key: o.Symbol("hot"), Effect: Effect(1 + o.rnd.IntN(3))}}
		s.Unschedulable = true
	}
	if o.rnd.IntN(2) == 0 {
		s.Devices = DeviceSpec{o.gpu, 1 + o.rnd.IntN(3), o.Symbol(fmt.Sprint("model", o.rnd.IntN(2)))}
	}
	return s
}

// somePod is a random pod that exists, was not moved and suits; NoPod if there is none.
func (o *operations) somePod(suits func(*Pod) bool) PodID {
	for range 20 {
		if len(o.table) == 0 {
			break
		}
		id := PodID(o.rnd.IntN(len(o.table)))
		if p := &o.table[id]; p.live && !o.moved[id] && suits(p) {
			return id
		}
	}
	return NoPod
}

func (o *operations) someNode() NodeID {
	if o.NumNodes() == 0 {
		return None
	}
	return o.ByCreation()[o.rnd.IntN(o.NumNodes())]
}

// commit makes a change outside of a trial, or makes a change that can be tried too.
func (o *operations) commit() {
	phase := func(want Phase) PodID { return o.somePod(func(p *Pod) bool { return p.Phase == want }) }
	switch o.rnd.IntN(5) {
	case 0:
		if pod, node := phase(Pending), o.someNode(); pod != NoPod && node != None {
			o.Assume(pod, node)
			o.assumeVolumes(pod)
		}
	case 1:
		if pod := phase(Assumed); pod != NoPod {
			o.Volumes.Commit(pod)
			o.Bind(pod, 3)
		}
	case 3:
		if pod := phase(Assumed); pod != NoPod {
			o.Volumes.Revert(pod)
			o.Forget(pod)
		}
	case 2:
		if pod := phase(Bound); pod != NoPod && o.rnd.IntN(4) == 0 {
			o.Terminate(pod, true)
		}
	default:
		o.change()
	}
}

// change makes a change that a trial can take back.
func (o *operations) change() {
	any := func(*Pod) bool { return true }
	switch node, pod := o.someNode(), o.somePod(any); o.rnd.IntN(10) {
	case 0:
		_, _ = o.AddNode(o.spec(fmt.Sprint("n", o.rnd.IntN(12)))) // fails where there is one of the name
	case 1:
		if node != None {
			o.UpdateNode(node, o.spec(o.Node(node).Name))
		}
	case 2:
		if node != None {
			o.removeNode(node)
		}
	case 3, 4:
		o.serial++
		group := NoGroup
		if len(o.Groups.groups) > 1 && o.Groups.groups[1].live && o.rnd.IntN(2) == 0 {
			group = 1
		}
		o.AddPod(Pod{Serial: o.serial, Name: fmt.Sprint("p", o.serial), Class: o.classes[o.rnd.IntN(len(o.classes))], Group: group})
	case 5:
		if pod != NoPod {
			o.CompletePod(pod)
		}
	case 6:
		o.changeVolumes(pod)
	case 7:
		o.changeGroups(pod)
	case 8:
		o.Topology.Counts(o.Topology.Partition(o.Symbol("zone"), NodeInclusionPolicy{}), o.ActivePods(o.Symbol("default"), LabelSelector{}))
		o.Budgets.SetAllowed(o.Budgets.Add(Budget{Name: "b", Namespace: o.Symbol("default")}), 3)
		o.Devices.SetTarget(&fragment.Target{Pods: o.serial})
	case 9:
		o.reserveVolumes()
	}
}

// removeNode removes a node with its pods, unless a trial has moved one of them.
func (o *operations) removeNode(node NodeID) {
	pods := slices.Clone(o.PodsOn(node))
	if slices.ContainsFunc(pods, func(pod PodID) bool { return o.moved[pod] }) {
		return
	}
	for _, pod := range pods {
		o.RemovePod(pod)
	}
	o.RemoveNode(node)
}

func (o *operations) changeGroups(pod PodID) {
	switch {
	case len(o.Groups.groups) < 2 || !o.Groups.groups[1].live:
		o.Groups.Add(Group{Name: "gang", MinMember: 2})
	case len(o.Groups.groups[1].Members) == 0:
		o.Groups.Remove(1)
	case pod != NoPod && o.Pod(pod).Phase == Pending:
		o.Devices.Choose(pod, []int32{int32(o.rnd.IntN(2))})
	}
}

// try makes a change, or moves a pod, in a trial.
func (o *operations) try() {
	node := o.someNode()
	pod := o.somePod(func(*Pod) bool { return true })
	if o.rnd.IntN(3) != 0 || pod == NoPod || node == None {
		o.change()
		return
	}
	o.moved[pod] = true
	switch p := o.Pod(pod); {
	case p.Node == None:
		o.TryPlace(pod, node)
	case o.rnd.IntN(2) == 0:
		o.TryRemove(pod)
	default:
		o.TryDelete(pod)
	}
}

// TestTrialsLeaveNoTrace tries changes of all kinds, nested once, and rolls them back.
func TestTrialsLeaveNoTrace(t *testing.T) {
	for seed := range uint64(150) {
		o := newOperations(seed)
		if err := o.Verify(); err != nil {
			t.Fatalf("seed %d: before: %v", seed, err)
		}
		before, parts, outer := o.Hash(), hashParts(o.Cluster), o.Mark()
		for range o.rnd.IntN(30) {
			o.try()
		}
		between, inner := o.Hash(), o.Mark()
		for range o.rnd.IntN(30) {
			o.try()
		}
		o.Rollback(inner)
		if o.Hash() != between {
			t.Fatalf("seed %d: the inner trial left a trace", seed)
		}
		o.Rollback(outer)
		if o.Hash() != before {
			t.Fatalf("seed %d: the outer trial left a trace in %s", seed, differing(parts, hashParts(o.Cluster)))
		}
		clear(o.moved)
		for range 50 {
			o.commit()
		}
		if err := o.Verify(); err != nil {
			t.Fatalf("seed %d: afterwards: %v", seed, err)
		}
	}
}

// hashParts are the hashes of the fields of the parts of a cluster, to say where a trace is.
func hashParts(c *Cluster) map[string]uint64 {
	out := map[string]uint64{}
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		for k := 0; v.Field(i).Kind() == reflect.Struct && k < v.Field(i).NumField(); k++ {
			if tag := v.Field(i).Type().Field(k).Tag.Get("hash"); tag == "" || tag == "unordered" {
				out[v.Type().Field(i).Name+"."+v.Field(i).Type().Field(k).Name] = hashOf(v.Field(i).Field(k), tag != "")
			}
		}
	}
	return out
}

func differing(a, b map[string]uint64) []string {
	names := slices.Sorted(maps.Keys(a))
	return slices.DeleteFunc(names, func(name string) bool { return a[name] == b[name] })
}

// TestLeaksChangeTheHash: what a trial might forget to take back is seen.
func TestLeaksChangeTheHash(t *testing.T) {
	leaks := map[string]func(*operations){
		"a serial is used":            func(o *operations) { o.added++ },
		"a zone is still visited":     func(o *operations) { o.tree.zones = append(o.tree.zones, zone{key: 1}) },
		"a port is still taken":       func(o *operations) { o.ports[0] = append(o.ports[0], HostPort{Port: 1}) },
		"a device is still held":      func(o *operations) { o.Devices.free[o.someNode()] = []int32{1, 2, 3, 4, 5} },
		"a model is still known":      func(o *operations) { o.Devices.models.seen = append(o.Devices.models.seen, nodeLabels{model: 1}) },
		"a pod moved on its node":     func(o *operations) { o.table[0].slot++ },
		"a pod was counted":           func(o *operations) { o.numPods++ },
		"a member has arrived":        func(o *operations) { o.Groups.Add(Group{Name: "leak"}) },
		"a UID is used":               func(o *operations) { o.Volumes.nextUID++ },
		"an attachment is left":       func(o *operations) { o.Volumes.AddAttachment(Attachment{Volume: "leak"}) },
		"a budget allows another one": func(o *operations) { o.Budgets.Add(Budget{Name: "leak"}) },
		"an image has another size":   func(o *operations) { o.Images[o.Symbol("leak")] = &ImageState{Size: 1} },
		"a change is in the log":      func(o *operations) { o.log.add(o.someNode(), PodsChanged) },
		"a term is still declared":    func(o *operations) { o.Topology.declare(o.classes[1], 1) },
	}
	for name, leak := range leaks {
		o := newOperations(1)
		before := o.Hash()
		if leak(o); o.Hash() == before {
			t.Errorf("%s: the hash is the same", name)
		}
	}
}

// TestWhatTheHashLeavesOut lists the fields that are no part of the hash. A field that is added to
// the state is part of it unless it gets a tag, and a line here.
func TestWhatTheHashLeavesOut(t *testing.T) {
	want := map[string]string{
		"interned": "Cluster.Vocabulary NodeTable.labelClasses NodeTable.taintSets NodeTable.taints",
		"kept": "Budgets.byClass Topology.byClass Topology.byKey Topology.byPartitionKey Topology.list Topology.partitions " +
			"Topology.sweepAt Topology.times Topology.topologies modelTable.accepted nodeTree.order nodeTree.places nodeTree.stale",
		"stamp": "Devices.targetVersion NodeTable.changes NodeTable.version Topology.age Topology.version",
	}
	got := map[string][]string{}
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Slice, reflect.Array, reflect.Pointer, reflect.Map:
			walk(typ.Elem())
		case reflect.Struct:
			for i := 0; i < typ.NumField() && !seen[typ]; i++ {
				f := typ.Field(i)
				switch tag := f.Tag.Get("hash"); tag {
				case "", "unordered":
					walk(f.Type)
				case "interned", "kept", "stamp":
					got[tag] = append(got[tag], typ.Name()+"."+f.Name)
				case "part":
				default:
					t.Errorf("%s.%s has the tag %q", typ.Name(), f.Name, tag)
				}
			}
			seen[typ] = true
		}
	}
	walk(reflect.TypeFor[Cluster]())
	for tag, fields := range want {
		slices.Sort(got[tag])
		if list := strings.Join(got[tag], " "); list != fields {
			t.Errorf("%s:\n%s\nwant\n%s", tag, list, fields)
		}
	}
}

// TestChurnKeepsColumnsShort adds and removes nodes 10,000 times: the columns by node, and those by
// domain, stay as long as the fleet was at most.
func TestChurnKeepsColumnsShort(t *testing.T) {
	c := New(NewVocabulary())
	hostname := c.Topology.Partition(c.Hostname, NodeInclusionPolicy{})
	pods := c.Topology.Counts(hostname, c.ActivePods(0, LabelSelector{}))
	class := c.AddClass("web", Class{})
	for i := range 10_000 {
		name := fmt.Sprint("n", i)
		id := addNode(t, c, NodeSpec{Name: name, Labels: c.NewLabelSet(map[string]string{"kubernetes.io/hostname": name})})
		if c.Node(id).Serial != int64(i) {
			t.Fatalf("node %d has the serial %d", i, c.Node(id).Serial)
		}
		ref := c.Ref(id)
		pod := c.AddPod(Pod{Class: class})
		c.Assume(pod, id)
		c.RemovePod(pod)
		if i >= 50 {
			old, _ := c.NodeBySerial(int64(i - 50))
			c.RemoveNode(old)
		}
		if c.Resolve(ref) != id {
			t.Fatalf("node %d does not exist", i)
		}
	}
	if c.NumNodes() != 50 || c.NodeIDs() != 51 || hostname.DomainIDs() > 52 || len(pods.count) > 52 || len(c.byName) != 50 {
		t.Errorf("%d nodes, %d ids, %d domains, %d counts", c.NumNodes(), c.NodeIDs(), hostname.DomainIDs(), len(pods.count))
	}
	if err := c.Verify(); err != nil {
		t.Error(err)
	}
}

// TestReferencesToNodes: the id of a removed node may be another's, a reference to it is not.
func TestReferencesToNodes(t *testing.T) {
	c := New(NewVocabulary())
	ref := c.Ref(addNode(t, c, NodeSpec{Name: "a"}))
	id := c.Resolve(ref)
	c.RemoveNode(id)
	if again := addNode(t, c, NodeSpec{Name: "a"}); again != id || c.Resolve(ref) != None || c.Resolve(c.Ref(again)) != id || c.Ref(again) == ref {
		t.Error("a reference to a removed node leads to the one that has its id now")
	}
	if c.Resolve(NodeRef{}) != None || c.Ref(None) != (NodeRef{}) || c.SerialOf(None) != -1 || c.SerialOf(id) != 1 {
		t.Error("no node has a reference or a serial")
	}
	if _, exists := c.NodeBySerial(0); exists {
		t.Error("the removed node is found by its serial")
	}
}
