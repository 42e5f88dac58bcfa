package world_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// mixedWorld is a random world in which pods with volumes of all kinds, StatefulSets, gangs, preemption,
// budgets, drains and nodes that come and go meet, while volumes take seconds.
type mixedWorld struct {
	*randomWorld
	rnd       *rand.Rand
	permit    clock.Time // how long gangs wait in Permit
	provision clock.Time // how long it takes to make a volume
	seen      map[situation]int
	stage     map[int64]stage
	chosen    map[int64]bool // pods for which the last attempt chose volumes
	held      map[int64]bool // by a drain
	classes   map[string]*cluster.Class
}

// situation is what must occur for the laws to be tested.
type situation string

const (
	victimInPreBind  situation = "a victim waited in PreBind"
	victimInPermit   situation = "a victim waited in Permit"
	victimIsBound    situation = "a victim ran"
	gangGaveBack     situation = "a gang lost its nodes when volumes were reserved for it"
	deletedInSync    situation = "a claim was deleted while it was synced"
	nodeGoneInBind   situation = "a node was gone before a pod with volumes was bound to it"
	volumesLate      situation = "volumes came too late"
	drainHeld        situation = "a budget held a drain up"
	drainGoesOn      situation = "what was held was drained"
	heldForGood      situation = "two budgets held a drain up permanently"
	nodeIsFull       situation = "a node had all the volumes that it can attach"
	againToItsVolume situation = "a pod of a StatefulSet came again to its volume"
)

// stage is where a pod is between its attempt and its binding.
type stage uint8

const (
	elsewhere stage = iota
	inPermit
	inBinding
)

const mixedCycle = 100 * clock.Millisecond // if cycles take time

var mixedPolicies = []string{
	"{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration}",
	`{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration,
	  profiles: [{pluginConfig: [{name: VolumeBinding, args: {bindTimeoutSeconds: 5}}]}]}`,
	"{apiVersion: kubescheduler.config.k8s.io/v1alpha1, kind: KubeSchedulerConfiguration, bindTimeoutSeconds: 5}",
}

func newMixedWorld(t testing.TB, seed uint64) *mixedWorld {
	t.Helper()
	m := &mixedWorld{
		rnd: rand.New(rand.NewPCG(seed, 2)), permit: 6 * clock.Second, seen: map[situation]int{}, stage: map[int64]stage{},
		chosen: map[int64]bool{}, held: map[int64]bool{}, classes: map[string]*cluster.Class{},
	}
	m.randomWorld = newRandomWorld(t, seed, func(rw *randomWorld) {
		m.randomWorld = rw
		rw.cluster = cluster.New(cluster.NewVocabulary())
		m.provision = clock.Second * clock.Time(2+m.rnd.IntN(9))
		nodes := 5 + m.rnd.IntN(3)
		for i := range nodes {
			if _, err := rw.cluster.AddNode(m.nodeSpec(i)); err != nil {
				t.Fatal(err)
			}
		}
		m.addStorage(nodes + 2)
		m.addBudgets()
		rw.cfg.Cluster, rw.cfg.Arrivals, rw.cfg.Changes = rw.cluster, &arrivalList{m.arrivals(nodes)}, m.changes(nodes)
		rw.cfg.Latency = world.Latency{
			Cycle: fixed(clock.Time(m.rnd.IntN(2)) * mixedCycle), Bind: fixed(m.rnd.IntN(3) * 500e6), Start: fixed(clock.Second), Terminate: fixed(m.rnd.IntN(4) * 1e9),
			VolumeBind: fixed(m.rnd.IntN(4) * 1e9), Provision: fixed(m.provision),
		}
		rw.cfg.FragmentationMeter = nil
	})
	m.rules = rulesBy(seed)
	m.usePolicy(t, mixedPolicies[seed%uint64(len(mixedPolicies))], seed)
	m.cfg.Attempted = func(a *scheduler.Attempt, _ clock.Time) {
		bindings, _ := m.cluster.Volumes.Assumed(a.Pod)
		m.chosen[m.cluster.Pod(a.Pod).Serial] = len(bindings) > 0
	}
	return m
}

func (m *mixedWorld) nodeSpec(i int) cluster.NodeSpec {
	name := fmt.Sprint("node-", i)
	return cluster.NodeSpec{
		Name: name, Pool: "p", Labels: m.cluster.NewLabelSet(map[string]string{"kubernetes.io/hostname": name}),
		Allocatable: []cluster.Quantity{{Resource: cluster.CPU, Amount: 4000}, {Resource: cluster.Memory, Amount: 8000}, {Resource: cluster.Pods, Amount: 8}},
	}
}

// addStorage gives each node two disks, and a driver that attaches two volumes; those that
// it makes on every other node are reached from there alone.
func (m *mixedWorld) addStorage(nodes int) {
	c := m.cluster
	driver := c.Symbol("csi.example.com")
	for name, waits := range map[string]bool{"made": true, "instant": false} {
		c.Volumes.AddStorageClass(cluster.StorageClass{Name: c.Symbol(name), Provisioner: "csi.example.com", Driver: driver, WaitForFirstConsumer: waits, ReclaimPolicy: cluster.Delete})
	}
	c.Volumes.AddStorageClass(cluster.StorageClass{Name: c.Symbol("local"), Provisioner: "kubernetes.io/no-provisioner", WaitForFirstConsumer: true})
	for i := range nodes {
		name := c.Symbol(fmt.Sprint("node-", i))
		on := cluster.CSINodeDriver{Name: driver, Limited: true, Limit: 2}
		if i%2 == 0 {
			on.TopologyKeys = []cluster.Symbol{c.Hostname}
		}
		c.Volumes.AddCSINode(cluster.CSINode{Node: name, Drivers: []cluster.CSINodeDriver{on}})
		for k := range 2 {
			c.Volumes.AddVolume(cluster.Volume{
				Name: fmt.Sprintf("disk-%d-%d", i, k), StorageClass: c.Symbol("local"), Capacity: 10, Modes: cluster.ReadWriteOnce, ReclaimPolicy: cluster.Recycle,
				Affinity: cluster.VolumeAffinity{Limited: true, Terms: cluster.NodeSelector{{Labels: []cluster.Requirement{
					{Key: c.Hostname, Op: cluster.In, Values: []cluster.Symbol{name}},
				}}}},
			})
		}
	}
	c.Volumes.SyncNew()
}

// addBudgets adds one for the pods of each of two apps, and one that goes across.
func (m *mixedWorld) addBudgets() {
	selects := func(key, value string) cluster.LabelSelector {
		return cluster.LabelSelector{Requirements: []cluster.Requirement{{Key: m.cluster.Symbol(key), Op: cluster.In, Values: []cluster.Symbol{m.cluster.Symbol(value)}}}}
	}
	m.cluster.Budgets.Add(cluster.Budget{Name: "a", Selector: selects("app", "a"), MinAvailable: &cluster.IntOrPercent{Value: 3}})
	m.cluster.Budgets.Add(cluster.Budget{Name: "b", Selector: selects("app", "b"), MinAvailable: &cluster.IntOrPercent{Value: 20, Percent: true}})
	m.cluster.Budgets.Add(cluster.Budget{Name: "gold", Selector: selects("tier", "gold"), MaxUnavailable: &cluster.IntOrPercent{Value: 6}})
}

// class is one of a few by app, tier, size, and priority, with a volume or none.
func (m *mixedWorld) class(volume *cluster.PodVolume) *cluster.Class {
	app, tier := []string{"a", "b", "c"}[m.rnd.IntN(3)], []string{"gold", "iron", "iron"}[m.rnd.IntN(3)]
	cpu, priority := int64(500*(1+m.rnd.IntN(4))), int32(m.rnd.IntN(3))
	key := fmt.Sprint(app, tier, cpu, priority)
	class := *m.randomWorld.class(cpu, 500, priority)
	class.Labels = m.cluster.NewLabelSet(map[string]string{"app": app, "tier": tier})
	if volume != nil {
		class.Volumes = []cluster.PodVolume{*volume}
		key += fmt.Sprint(volume.Name, volume.Template.StorageClass)
	}
	if m.classes[key] == nil {
		m.classes[key] = m.cluster.AddClass("mixed "+key, class)
	}
	return m.classes[key]
}

func (m *mixedWorld) template(storage string) *cluster.Claim {
	return &cluster.Claim{StorageClass: m.cluster.Symbol(storage), Request: 5, Modes: cluster.ReadWriteOnce}
}

// ephemeral is a volume of the pod's own, or, as often as not, none.
func (m *mixedWorld) ephemeral() *cluster.PodVolume {
	storage := []string{"", "", "made", "made", "instant", "local"}[m.rnd.IntN(6)]
	if storage == "" {
		return nil
	}
	return &cluster.PodVolume{Kind: cluster.EphemeralVolume, Name: "v", Template: m.template(storage)}
}

// arrivals begins with pods that run already, some of which wait for a volume all the same,
// and with a StatefulSet; then come single pods and gangs.
func (m *mixedWorld) arrivals(nodes int) []workloads.Arrival {
	var out []workloads.Arrival
	for i := range nodes {
		out = append(out, workloads.Arrival{
			Name: fmt.Sprint("old-", i), Class: m.class(&cluster.PodVolume{Kind: cluster.EphemeralVolume, Name: "v", Template: m.template("instant")}),
			Node: fmt.Sprint("node-", i), Lifetime: clock.Time(m.rnd.Int64N(int64(20 * clock.Second))), Recreate: true,
		})
	}
	for i := range 4 {
		name := fmt.Sprint("data-set-", i)
		volume := &cluster.PodVolume{Kind: cluster.ClaimVolume, Name: name, Template: m.template([]string{"made", "local"}[i%2])}
		out = append(out, workloads.Arrival{Name: fmt.Sprint("set-", i), Class: m.class(volume), Lifetime: clock.Forever, Recreate: true})
	}
	at := clock.Time(0)
	for i := range 70 {
		at += clock.Time(m.rnd.Int64N(int64(4 * clock.Second)))
		class, n := m.class(m.ephemeral()), 1
		var group *workloads.Group
		if m.rnd.IntN(4) == 0 {
			n = 2 + m.rnd.IntN(4)
			group = &workloads.Group{Name: fmt.Sprint("gang-", i), MinMember: n, Size: n, ScheduleTimeout: m.permit}
		}
		for k := range n {
			out = append(out, workloads.Arrival{
				At: at, Name: fmt.Sprintf("pod-%d-%d", i, k), Class: class, Group: group,
				Lifetime: clock.Time(m.rnd.Int64N(int64(60 * clock.Second))), Recreate: m.rnd.IntN(3) > 0,
			})
		}
	}
	return out
}

// changes drains, removes and adds nodes every few seconds.
func (m *mixedWorld) changes(nodes int) []world.Change {
	hot := cluster.Taint{Key: m.cluster.Symbol("hot"), Effect: cluster.NoExecute}
	var out []world.Change
	at, added := clock.Time(0), 0
	for range 14 {
		at += clock.Second * clock.Time(3+m.rnd.IntN(20))
		c := world.Change{At: at, Pool: "p", Count: 1}
		switch m.rnd.IntN(9) {
		case 0, 1, 2, 7:
			c.Kind = world.DrainNodes
		case 3, 8:
			c.Kind, c.Names = world.RemoveNodes, []string{fmt.Sprint("node-", m.rnd.IntN(nodes))}
		case 4:
			c.Kind, c.Taint = world.AddTaint, hot
			out = append(out, world.Change{At: at, Kind: world.RemoveTaint, Pool: "p", Taint: hot})
		case 5:
			c.Kind, c.Count = world.Uncordon, 0
		case 6:
			if added == 2 {
				continue
			}
			c.Kind, c.Add = world.AddNodes, []cluster.NodeSpec{m.nodeSpec(nodes + added)}
			added++
		}
		out = append(out, c)
	}
	return out
}
