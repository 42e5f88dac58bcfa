package cluster

import (
	"fmt"
	"maps"
	"math/bits"
	"reflect"
	"slices"
	"testing"
)

// changeNames are what tests call the ways of changing.
var changeNames = [numChanges]string{
	"existence", "pods", "phases", "allocatable", "labels", "taints", "images", "devices", "volumes", "details", "nominations",
}

func (c Changes) String() string {
	var names []string
	for ; c != 0; c &= c - 1 {
		names = append(names, changeNames[bits.TrailingZeros16(uint16(c))])
	}
	return fmt.Sprint(names)
}

// nodePicture is all that the log speaks of about one id.
type nodePicture struct {
	serial int64              // -1: no node has the id
	parts  [numChanges]string // other than phases
	phases map[int64]string   // of the pods on it, by serial
}

// pictures are taken from the state itself, not from the log.
func (o *operations) pictures() []nodePicture {
	all := make([]nodePicture, o.NodeIDs())
	for i := range all {
		id := NodeID(i)
		if all[i] = (nodePicture{serial: -1}); o.Node(id).Exists {
			all[i] = o.picture(id)
		}
	}
	return all
}

func (o *operations) picture(id NodeID) nodePicture {
	n, p := o.Node(id), nodePicture{serial: o.Node(id).Serial, phases: map[int64]string{}}
	var pods []int64
	for _, pod := range o.PodsOn(id) {
		on := o.Pod(pod)
		pods = append(pods, on.Serial)
		p.phases[on.Serial] = fmt.Sprint(on.Phase, on.Start, on.Preempted)
	}
	slices.Sort(pods)
	put := func(what Changes, values ...any) { p.parts[bits.TrailingZeros16(uint16(what))] = fmt.Sprint(values...) }
	put(PodsChanged, pods)
	put(AllocatableChanged, n.Allocatable)
	put(LabelsChanged, n.Labels)
	put(TaintsChanged, n.Taints, n.Unschedulable)
	put(ImagesChanged, n.Images)
	put(DevicesChanged, n.Devices, o.Devices.Free(id))
	put(VolumesChanged, n.ZeroAttachLimits, reflect.ValueOf(o.Volumes.CSINode(n.Symbol)), o.Volumes.AttachmentsTo(n.Symbol))
	if csi := o.Volumes.CSINode(n.Symbol); csi != nil {
		put(VolumesChanged, n.ZeroAttachLimits, *csi, o.Volumes.AttachmentsTo(n.Symbol))
	}
	put(DetailsChanged, n.Conditions, n.Features, n.PreferAvoidPods, string(n.Object), n.Pool, n.PricePerHour)
	return p
}

// difference is in which ways two pictures of one id differ. Nothing but existence is compared of different nodes.
func (p *nodePicture) difference(q *nodePicture) (what Changes) {
	if p.serial != q.serial {
		return ExistenceChanged
	}
	for k := range p.parts {
		if p.parts[k] != q.parts[k] {
			what |= 1 << k
		}
	}
	for pod, phase := range p.phases {
		if now, still := q.phases[pod]; still && now != phase {
			what |= PhasesChanged
		}
	}
	return what
}

func differences(before, after []nodePicture) map[NodeID]Changes {
	found, none := map[NodeID]Changes{}, nodePicture{serial: -1}
	for id := range after {
		p := &none
		if id < len(before) {
			p = &before[id]
		}
		if what := p.difference(&after[id]); what != 0 {
			found[NodeID(id)] = what
		}
	}
	return found
}

// reported is what the log says has changed since a position; of ids with other nodes than then only that.
func (o *operations) reported(since Position) map[NodeID]Changes {
	found := map[NodeID]Changes{}
	for id, what := range o.Changes().Since(since, AllChanges) {
		if what&ExistenceChanged != 0 {
			what = ExistenceChanged
		}
		if found[id] != 0 {
			panic("a node is reported twice")
		}
		found[id] = what
	}
	return found
}

// checkStep makes one change and compares what the log says of it with the pictures before and after.
func (o *operations) checkStep(step func()) error {
	before, since := o.pictures(), o.Changes().Position()
	step()
	if found, want := o.reported(since), differences(before, o.pictures()); !maps.Equal(found, want) {
		return fmt.Errorf("the log says %v, changed has %v", found, want)
	}
	return nil
}

// checkTrial makes a trial and rolls it back: the log must say nothing of it at any time.
func (o *operations) checkTrial(step func()) error {
	since := o.Changes().Position()
	mark := o.Mark()
	step()
	during := o.reported(since)
	o.Rollback(mark)
	clear(o.moved)
	if after := o.reported(since); len(during)+len(after) != 0 || o.Changes().Position() != since {
		return fmt.Errorf("during the trial the log says %v, after it %v", during, after)
	}
	return nil
}

// TestTheLogSaysWhatHasChanged makes random changes, with trials between them. Of each one the log says what a comparison of
// all nodes finds: no more, no less. Of many since any earlier position it says what they are together, which is all that a
// comparison finds, and what was taken back.
func TestTheLogSaysWhatHasChanged(t *testing.T) {
	for seed := range uint64(40) {
		o := newOperations(seed)
		type reader struct {
			position Position
			before   []nodePicture
			together map[NodeID]Changes
		}
		var readers []*reader
		for i := range 60 {
			if i%7 == 0 {
				readers = append(readers, &reader{o.Changes().Position(), o.pictures(), map[NodeID]Changes{}})
			}
			since := o.Changes().Position()
			if err := o.checkStep(o.commit); err != nil {
				t.Fatalf("seed %d, change %d: %v", seed, i, err)
			}
			step := o.reported(since)
			if err := o.checkTrial(func() { o.try(); o.try() }); err != nil {
				t.Fatalf("seed %d, change %d: %v", seed, i, err)
			}
			for _, r := range readers {
				for id, what := range step {
					if r.together[id] |= what; r.together[id]&ExistenceChanged != 0 {
						r.together[id] = ExistenceChanged
					}
				}
				found := o.reported(r.position)
				if !maps.Equal(found, r.together) {
					t.Fatalf("seed %d, change %d, since %d: the log says %v, the changes are %v", seed, i, r.position, found, r.together)
				}
				for id, what := range differences(r.before, o.pictures()) {
					if found[id] != ExistenceChanged && what&^found[id] != 0 {
						t.Fatalf("seed %d, change %d, since %d: node %d differs in %v, the log says %v", seed, i, r.position, id, what, found[id])
					}
				}
			}
		}
		if err := o.Verify(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestForgottenChangesAreFound: the comparison above finds a change that is not in the log, in every way of changing.
func TestForgottenChangesAreFound(t *testing.T) {
	forget := map[string]func(o *operations, id NodeID){
		"pods":        func(o *operations, id NodeID) { o.pods[id] = o.pods[id][1:] },
		"phases":      func(o *operations, id NodeID) { o.table[o.pods[id][0]].Start += 5 },
		"allocatable": func(o *operations, id NodeID) { o.nodes[id].Allocatable = nil },
		"labels":      func(o *operations, id NodeID) { o.nodes[id].Labels = nil },
		"taints":      func(o *operations, id NodeID) { o.nodes[id].Unschedulable = !o.nodes[id].Unschedulable },
		"images":      func(o *operations, id NodeID) { o.nodes[id].Images = nil },
		"devices":     func(o *operations, id NodeID) { o.Devices.free[id] = []int32{7} },
		"volumes":     func(o *operations, id NodeID) { o.Volumes.attachments[o.nodes[id].Symbol] = make([]Attachment, 3) },
		"details":     func(o *operations, id NodeID) { o.nodes[id].PricePerHour++ },
		"existence":   func(o *operations, id NodeID) { o.nodes[id].Serial++ },
	}
	for name, change := range forget {
		o := newOperations(1)
		nodes := o.ByCreation()
		i := slices.IndexFunc(nodes, func(id NodeID) bool { return len(o.pods[id]) > 0 })
		if err := o.checkStep(func() { change(o, nodes[i]) }); err == nil {
			t.Errorf("%s: a forgotten change is not found", name)
		}
	}
}

// TestEntriesOfTrialsAreFound: so does one that is in the log too much, of a trial among them.
func TestEntriesOfTrialsAreFound(t *testing.T) {
	o := newOperations(1)
	node := o.someNode()
	if o.checkTrial(func() { o.log.add(node, LabelsChanged) }) == nil {
		t.Error("an entry of a trial is not found")
	}
	if o.checkStep(func() { o.log.add(node, LabelsChanged) }) == nil {
		t.Error("an entry without a change is not found")
	}
}

// TestEveryFieldOfASpecIsAChange: a field of NodeSpec that is added is part of some way of changing.
func TestEveryFieldOfASpecIsAChange(t *testing.T) {
	for i := range reflect.TypeFor[NodeSpec]().NumField() {
		var s, other NodeSpec
		switch f := reflect.ValueOf(&other).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Uint8:
			f.SetUint(1)
		case reflect.Float64:
			f.SetFloat(1)
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		default:
			other.Devices.Count = 1
		}
		field := reflect.TypeFor[NodeSpec]().Field(i).Name
		if what := s.changesTo(&other); bits.OnesCount16(uint16(what)) != 1 && field != "Name" {
			t.Errorf("another %s changes %v", field, what)
		}
	}
}

// TestTheLogIsAsLongAsTheFleet: nodes come and go 10,000 times, pods more often.
func TestTheLogIsAsLongAsTheFleet(t *testing.T) {
	c := New(NewVocabulary())
	class := c.AddClass("web", Class{})
	for i := range 10_000 {
		id := addNode(t, c, NodeSpec{Name: fmt.Sprint("n", i)})
		for range 3 {
			pod := c.AddPod(Pod{Class: class})
			c.Assume(pod, id)
			c.RemovePod(pod)
		}
		c.RemoveNode(id)
	}
	entries := 0
	for _, l := range c.log.lists {
		entries += len(l.entries)
	}
	if entries > 4 || c.Changes().Position() != 80_000 {
		t.Errorf("%d entries of %d changes", entries, c.Changes().Position())
	}
}

// BenchmarkChangeLog notes changes of nodes in turn, the worst case, and reads those of a tenth of them.
func BenchmarkChangeLog(b *testing.B) {
	const nodes = 5000
	var l ChangeLog
	b.Run("add", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			l.add(NodeID(i*7919%nodes), PodsChanged)
		}
	})
	b.Run("since", func(b *testing.B) {
		for i := range nodes {
			l.add(NodeID(i*7919%nodes), PodsChanged)
		}
		for b.Loop() {
			found := 0
			for range l.Since(l.Position()-nodes/10, PodsChanged|TaintsChanged|ExistenceChanged) {
				found++
			}
			if found != nodes/10 {
				b.Fatalf("%d nodes", found)
			}
		}
		b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N*nodes/10), "ns/node")
	})
}
