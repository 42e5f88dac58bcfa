package world_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// addStorage gives a random world a class whose volumes are made for a pod, one whose volumes are
// made at once, and one of three volumes that are there.
func (rw *randomWorld) addStorage(t testing.TB) {
	t.Helper()
	c := rw.cluster
	driver := c.Symbol("csi.example.com")
	class := func(name string, waits bool) cluster.StorageClass {
		return cluster.StorageClass{Name: c.Symbol(name), Provisioner: "csi.example.com", Driver: driver, WaitForFirstConsumer: waits, ReclaimPolicy: cluster.Delete}
	}
	c.Volumes.AddStorageClass(class("made", true))
	c.Volumes.AddStorageClass(class("instant", false))
	local := class("local", true)
	local.Provisioner, local.Driver = "kubernetes.io/no-provisioner", 0
	c.Volumes.AddStorageClass(local)
	for i, reclaim := range []cluster.ReclaimPolicy{cluster.Recycle, cluster.Recycle, cluster.Retain} {
		c.Volumes.AddVolume(cluster.Volume{Name: fmt.Sprint("disk-", i), StorageClass: c.Symbol("local"), Capacity: 10, Modes: cluster.ReadWriteOnce, ReclaimPolicy: reclaim})
	}
	for i := range 3 {
		name := c.Symbol(fmt.Sprintf("node-%d", i))
		c.Volumes.AddCSINode(cluster.CSINode{Node: name, Drivers: []cluster.CSINodeDriver{
			{Name: driver, Limited: true, Limit: 1, TopologyKeys: []cluster.Symbol{c.Hostname}},
		}})
	}
	c.Volumes.SyncNew()
}

// withVolume is the class with an ephemeral volume of a storage class.
func (rw *randomWorld) withVolume(class *cluster.Class, storage string) *cluster.Class {
	with := *class
	with.Volumes = []cluster.PodVolume{{Kind: cluster.EphemeralVolume, Name: "v", Template: &cluster.Claim{
		StorageClass: rw.cluster.Symbol(storage), Request: 5, Modes: cluster.ReadWriteOnce,
	}}}
	return rw.cluster.AddClass(fmt.Sprint(class.ID, storage), with)
}

// Worlds in which most pods have volumes, which come and go with them.
func TestLawsHoldWithVolumes(t *testing.T) {
	failed, volumes := 0, 0
	for seed := range uint64(12) {
		rw := newRandomWorld(t, seed, func(rw *randomWorld) {
			rw.addStorage(t)
			rnd := rand.New(rand.NewPCG(seed, 1))
			for i := range rw.cfg.Arrivals.(*arrivalList).left {
				a := &rw.cfg.Arrivals.(*arrivalList).left[i]
				if storage := []string{"", "made", "instant", "local"}[rnd.IntN(4)]; storage != "" {
					a.Class = rw.withVolume(a.Class, storage)
				}
			}
			rw.cfg.Latency.VolumeBind, rw.cfg.Latency.Provision = fixed(seed%3*uint64(clock.Second/2)), fixed(seed%5*uint64(clock.Second))
		})
		laws := rw.laws()
		err := rw.run(t, func(r *record.Record) error {
			volumes = 0
			rw.cluster.Volumes.EachVolume(func(cluster.VolumeID) { volumes++ })
			return laws(r)
		})
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		for _, r := range rw.records {
			if r.Kind == record.PodAttempted && slices.ContainsFunc(r.Attempt.Reasons, func(why record.ReasonCount) bool {
				return why.Plugin == "VolumeBinding" || why.Plugin == "NodeVolumeLimits"
			}) {
				failed++
			}
		}
	}
	if failed == 0 || volumes == 0 {
		t.Errorf("volumes kept %d attempts from success, and %d were left: the laws were not tested", failed, volumes)
	}
}

// volumeStory runs pods on two nodes and says when each was bound, or lost its node, and why.
func volumeStory(t *testing.T, timeout clock.Time, pods []workloads.Arrival, alter func(*randomWorld)) []string {
	t.Helper()
	rw := &randomWorld{cluster: cluster.New(cluster.NewVocabulary())}
	rw.addNode(t, "node-0", nil)
	rw.addNode(t, "node-1", nil)
	rw.addStorage(t)
	rw.cfg = world.Config{
		Name: "random world", Cluster: rw.cluster, Horizon: clock.Minute, Workloads: []string{"only"},
		Latency: world.Latency{VolumeBind: fixed(500 * clock.Millisecond), Provision: fixed(4500 * clock.Millisecond)},
	}
	plain := rw.class(100, 100, 0)
	for i := range pods {
		pods[i].Class = rw.withVolume(plain, strings.TrimRight(pods[i].Name, "0123456789"))
		if pods[i].Lifetime == 0 {
			pods[i].Lifetime = clock.Forever
		}
	}
	rw.cfg.Arrivals = &arrivalList{pods}
	alter(rw)
	if rw.cfg.Scheduler == nil {
		rw.cfg.Scheduler = bindTimeoutScheduler(t, rw.cluster, timeout)
	}
	rw.end(t, context.Background())
	var out []string
	names := map[int64]string{}
	for _, r := range rw.records {
		switch r.Kind {
		case record.PodArrived:
			_, name, _ := strings.Cut(r.Text, "/")
			names[r.Pod] = name
		case record.PodBound:
			out = append(out, fmt.Sprintf("%s: %s on node-%d", r.Time, names[r.Pod], r.Node))
		case record.PodRolledBack:
			out = append(out, fmt.Sprintf("%s: %s loses node-%d by %s %s", r.Time, names[r.Pod], r.Node, r.Cause, r.Text))
		}
	}
	return out
}

// bindTimeoutScheduler is a scheduler that waits for volumes so long at most.
func bindTimeoutScheduler(t *testing.T, c *cluster.Cluster, timeout clock.Time) *scheduler.Scheduler {
	t.Helper()
	policy := config.Default(plugins.Registry())
	policy.Profiles[0].Args = map[string]any{"VolumeBinding": plugins.VolumeBindingArgs{Timeout: timeout}}
	s, err := scheduler.New(c, scheduler.Config{
		Profiles: policy.Profiles, Registry: plugins.Registry(), Tie: scheduler.TieFirst,
		InitialBackoff: policy.InitialBackoff, MaxBackoff: policy.MaxBackoff, Streams: clock.NewStreams(1),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// contend has the first two pods want all of one node, the second without a volume and
// more urgently.
func (rw *randomWorld) contend() {
	pods := rw.cfg.Arrivals.(*arrivalList).left
	pods[0].Class = rw.withVolume(rw.class(4000, 100, 0), strings.TrimRight(pods[0].Name, "0"))
	pods[1].Class = rw.class(4000, 100, 1)
	rw.cfg.Changes = []world.Change{{Kind: world.Cordon, Names: []string{"node-1"}}}
}

// volumeCase is what a volumeStory is made from, and what it says.
type volumeCase struct {
	name    string
	timeout clock.Time
	pods    []workloads.Arrival
	alter   func(*randomWorld)
	want    []string
}

func (test volumeCase) run(t *testing.T) {
	if got := volumeStory(t, test.timeout, test.pods, test.alter); !slices.Equal(got, test.want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
	}
}

func second(n clock.Time) clock.Time { return n * clock.Second }

func TestVolumesTakeTime(t *testing.T) {
	timeout := `running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded`
	for _, test := range []volumeCase{
		{
			"one that is there takes half a second, one that is made four and a half; kube-scheduler asks once a second",
			second(600), []workloads.Arrival{{Name: "local0"}, {Name: "made1"}}, func(*randomWorld) {},
			[]string{"1s: local0 on node-0", "5s: made1 on node-1"},
		},
		{
			"an immediate claim is not waited for in PreBind, but the pod cannot be scheduled before",
			second(600), []workloads.Arrival{{Name: "instant0"}}, func(*randomWorld) {},
			[]string{"4.5s: instant0 on node-0"},
		},
		{
			"binding that takes too long fails, and goes on all the same",
			second(3), []workloads.Arrival{{Name: "made0"}}, func(*randomWorld) {},
			[]string{"3s: made0 loses node-0 by bindFailure " + timeout, "5s: made0 on node-0"},
		},
		{
			"a volume that is recycled is had again by the next pod; one that is retained is not",
			second(600), []workloads.Arrival{
				{Name: "local0", Lifetime: second(10)}, {Name: "local1", Lifetime: second(20)}, {Name: "local2", Lifetime: second(5)}, {Name: "local3"}, {Name: "local4"}, {Name: "local5"},
			}, func(*randomWorld) {},
			[]string{
				"1s: local0 on node-0", "1s: local1 on node-1", "1s: local2 on node-0",
				"12s: local3 on node-0", "22s: local4 on node-1",
			},
		},
		{
			"each of these nodes can attach one volume; the next pod waits until one is gone",
			second(600), []workloads.Arrival{{Name: "made0", Lifetime: second(10)}, {Name: "made1"}, {Name: "made2"}}, func(*randomWorld) {},
			[]string{"5s: made0 on node-0", "5s: made1 on node-1", "20s: made2 on node-0"},
		},
		{
			"when the node goes, another is selected",
			second(600), []workloads.Arrival{{Name: "made0"}}, func(rw *randomWorld) {
				rw.cfg.Changes = []world.Change{{At: second(2), Kind: world.RemoveNodes, Names: []string{"node-0"}}}
			},
			[]string{"2s: made0 loses node-0 by nodeRemoval ", "9.5s: made0 on node-1"},
		},
	} {
		t.Run(test.name, test.run)
	}
}

// What is under way for a claim while its volume, its pod or the pod's node is lost.
func TestWhatVolumesWereMadeForIsLost(t *testing.T) {
	for _, test := range []volumeCase{
		{
			"a claim whose volume another one gets meanwhile has one made, which takes its time",
			second(600), []workloads.Arrival{{Name: "instant0"}, {Name: "instant1"}}, func(rw *randomWorld) {
				rw.cluster.Volumes.AddVolume(cluster.Volume{
					Name: "spare", StorageClass: rw.cluster.Symbol("instant"), Capacity: 10, Modes: cluster.ReadWriteOnce, Phase: cluster.VolumeAvailable,
				})
			},
			[]string{"500ms: instant0 on node-0", "5s: instant1 on node-1"},
		},
		{
			"the claim of a pod that is re-created is a new one",
			second(600), []workloads.Arrival{{Name: "instant0", Node: "node-0", Recreate: true}}, func(rw *randomWorld) {
				rw.cfg.Changes = []world.Change{{At: second(2), Kind: world.DrainNodes, Names: []string{"node-0"}}}
			},
			[]string{"0s: instant0 on node-0", "6.5s: instant0 on node-1"},
		},
		{
			"a victim that waits for its volume makes room at once; the volume comes all the same",
			second(600), []workloads.Arrival{{Name: "made0"}, {Name: "high1", At: second(2), Lifetime: second(3)}},
			func(rw *randomWorld) { rw.contend() },
			[]string{"2s: made0 loses node-0 by preemption ", "2s: high1 on node-0", "5s: made0 on node-0"},
		},
		{
			"a victim of the legacy scheduler that waits for its volume is evicted when it is bound",
			0, []workloads.Arrival{{Name: "made0"}, {Name: "high1", At: second(2)}},
			func(rw *randomWorld) {
				rw.contend()
				rw.usePolicy(t, "{apiVersion: kubescheduler.config.k8s.io/v1alpha1, kind: KubeSchedulerConfiguration}", 1)
			},
			[]string{"5s: made0 on node-0", "5s: high1 on node-0"},
		},
		{
			"one that has its volume and is being bound is evicted when it is bound",
			second(600), []workloads.Arrival{{Name: "local0"}, {Name: "high1", At: second(2)}},
			func(rw *randomWorld) { rw.contend(); rw.cfg.Latency.Bind = fixed(second(4)) },
			[]string{"5s: local0 on node-0", "9s: high1 on node-0"},
		},
	} {
		t.Run(test.name, test.run)
	}
}

// withClaim is the class with a claim.
func (rw *randomWorld) withClaim(class *cluster.Class, name string) *cluster.Class {
	with := *class
	with.Volumes = []cluster.PodVolume{{Kind: cluster.ClaimVolume, Name: name}}
	return rw.cluster.AddClass(fmt.Sprint(class.ID, "claim", name), with)
}

// addClaim adds a claim of the class whose volumes are there, and has all pods name it.
func (rw *randomWorld) addClaim(volume string) {
	rw.cluster.Volumes.AddClaim(cluster.Claim{
		Name: "c", StorageClass: rw.cluster.Symbol("local"), Request: 5, Modes: cluster.ReadWriteOnce, VolumeName: volume,
	})
	pods := rw.cfg.Arrivals.(*arrivalList).left
	for i := range pods {
		pods[i].Class = rw.withClaim(rw.class(100, 100, 0), "c")
	}
}

// Claims that wait for no pod although their class does.
func TestClaimsThatAreServedAnyway(t *testing.T) {
	for _, test := range []volumeCase{
		{
			"one that names its volume",
			second(600), []workloads.Arrival{{Name: "local0"}}, func(rw *randomWorld) { rw.addClaim("disk-1") },
			[]string{"500ms: local0 on node-0"},
		},
		{
			"one that names a volume which is too small is not",
			second(600), []workloads.Arrival{{Name: "local0"}}, func(rw *randomWorld) {
				rw.cluster.Volumes.AddVolume(cluster.Volume{Name: "small", StorageClass: rw.cluster.Symbol("local"), Capacity: 4, Modes: cluster.ReadWriteOnce, Phase: cluster.VolumeAvailable})
				rw.addClaim("small")
			},
			nil,
		},
		{
			"one for which a volume is kept",
			second(600), []workloads.Arrival{{Name: "local0", At: second(1)}}, func(rw *randomWorld) {
				rw.cluster.Volumes.AddVolume(cluster.Volume{
					Name: "kept", StorageClass: rw.cluster.Symbol("local"), Capacity: 10, Modes: cluster.ReadWriteOnce, Phase: cluster.VolumeAvailable,
					Claim: cluster.ClaimRef{Given: true, Name: "c"},
				})
				rw.addClaim("")
			},
			[]string{"1s: local0 on node-0"},
		},
		{
			"one that is made with its pod and names its volume",
			second(600), []workloads.Arrival{{Name: "local0"}}, func(rw *randomWorld) {
				rw.cfg.Arrivals.(*arrivalList).left[0].Class.Volumes[0].Template.VolumeName = "disk-2"
			},
			[]string{"500ms: local0 on node-0"},
		},
	} {
		t.Run(test.name, test.run)
	}
}

// The PreBind step ends when kube-scheduler looks or its timeout is over, whatever Bind takes.
func TestTheEndOfPreBind(t *testing.T) {
	timeout := `running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded`
	slowly := func(rw *randomWorld) { rw.cfg.Latency.Bind = fixed(second(2)) }
	for _, test := range []volumeCase{
		{
			"the timeout is over before the volume is there, though not before Bind would end",
			second(4), []workloads.Arrival{{Name: "made0"}}, slowly,
			[]string{"4s: made0 loses node-0 by bindFailure " + timeout, "8s: made0 on node-0"},
		},
		{
			"then the node is free, and another pod need not preempt",
			second(4), []workloads.Arrival{{Name: "made0"}, {Name: "high1", At: second(5)}},
			func(rw *randomWorld) { rw.contend(); slowly(rw) },
			[]string{"4s: made0 loses node-0 by bindFailure " + timeout, "7s: high1 on node-0"},
		},
		{
			"kube-scheduler does not look at once, even if another pod had the claim bound meanwhile",
			second(600), []workloads.Arrival{{Name: "local0"}, {Name: "local1", At: 100 * clock.Millisecond}},
			func(rw *randomWorld) { rw.addClaim(""); rw.cfg.Latency.Cycle = fixed(second(1)) },
			[]string{"2s: local0 on node-0", "3s: local1 on node-1"},
		},
		{
			"unless volumes are bound in no time",
			second(600), []workloads.Arrival{{Name: "local0"}}, func(rw *randomWorld) { rw.cfg.Latency.VolumeBind = nil },
			[]string{"0s: local0 on node-0"},
		},
	} {
		t.Run(test.name, test.run)
	}
}

// What would evict a pod that is not bound yet is over when it is. Each pod would be re-created
// if it were evicted.
func TestWhatIsOverEvictsNobody(t *testing.T) {
	taint := cluster.Taint{Effect: cluster.NoExecute}
	during := func(from, to world.ChangeKind) func(*randomWorld) {
		return func(rw *randomWorld) {
			taint.Key = rw.cluster.Symbol("x")
			for at, kind := range map[clock.Time]world.ChangeKind{second(1): from, second(2): to} {
				rw.cfg.Changes = append(rw.cfg.Changes, world.Change{At: at, Kind: kind, Names: []string{"node-0"}, Taint: taint})
			}
			slices.SortFunc(rw.cfg.Changes, func(a, b world.Change) int { return int(a.At - b.At) })
		}
	}
	evicted := []string{"5s: made0 on node-0", "10s: made0 on node-1"}
	for _, test := range []volumeCase{
		{"a taint", second(600), []workloads.Arrival{{Name: "made0", Recreate: true}}, during(world.AddTaint, world.RemoveTaint), evicted[:1]},
		{"a drain", second(600), []workloads.Arrival{{Name: "made0", Recreate: true}}, during(world.DrainNodes, world.Uncordon), evicted[:1]},
		{"a taint that stays", second(600), []workloads.Arrival{{Name: "made0", Recreate: true}}, during(world.Cordon, world.AddTaint), evicted},
		{"a drain that is not taken back", second(600), []workloads.Arrival{{Name: "made0", Recreate: true}}, during(world.DrainNodes, world.Cordon), evicted},
	} {
		t.Run(test.name, test.run)
	}
}
