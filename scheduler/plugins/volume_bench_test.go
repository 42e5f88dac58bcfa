package plugins_test

import (
	"fmt"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// BenchmarkVolumes schedules and binds pods that have a volume each: a local disk, of which
// every node has one, or one that a driver makes on a node that can attach 20.
func BenchmarkVolumes(b *testing.B) {
	for _, nodes := range []int{100, 1000} {
		for _, kind := range []string{"local", "made"} {
			b.Run(fmt.Sprintf("%s/nodes=%d/pods=%d", kind, nodes, nodes), func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					cl, s := benchFleet(b, nodes)
					benchStorage(cl)
					class := *benchClasses(cl)[0]
					class.Volumes = []cluster.PodVolume{{Kind: cluster.EphemeralVolume, Name: "v", Template: &cluster.Claim{
						StorageClass: cl.Symbol(kind), Request: 1, Modes: cluster.ReadWriteOnce,
					}}}
					with := cl.AddClass(kind, class)
					for i := range nodes {
						pod := cl.AddPod(cluster.Pod{Serial: int64(i), Name: fmt.Sprint(i), Class: with, Group: cluster.NoGroup})
						cl.Volumes.CreateClaims(pod)
						s.Add(pod, 0)
					}
					b.StartTimer()
					bound := 0
					for pod, ok := s.Pop(0); ok; pod, ok = s.Pop(0) {
						a := s.Schedule(pod, 0)
						s.EndAttempt(a, 0)
						if a.Outcome == scheduler.Scheduled {
							if ok, why := s.RunBindingCycle(pod, 0); !ok {
								b.Fatal(why)
							}
							bound++
						}
					}
					if bound != nodes {
						b.Fatalf("%d of %d pods were bound", bound, nodes)
					}
				}
				b.ReportMetric(float64(b.N*nodes)/b.Elapsed().Seconds(), "pods/s")
			})
		}
	}
}

func benchStorage(cl *cluster.Cluster) {
	driver := cl.Symbol("csi.example.com")
	cl.Volumes.AddStorageClass(cluster.StorageClass{Name: cl.Symbol("local"), Provisioner: "kubernetes.io/no-provisioner", WaitForFirstConsumer: true})
	cl.Volumes.AddStorageClass(cluster.StorageClass{Name: cl.Symbol("made"), Provisioner: "csi.example.com", Driver: driver, WaitForFirstConsumer: true})
	for _, id := range cl.Order() {
		name := cl.Node(id).Symbol
		cl.Volumes.AddCSINode(cluster.CSINode{Node: name, Drivers: []cluster.CSINodeDriver{{Name: driver, Limited: true, Limit: 20}}})
		cl.Volumes.AddVolume(cluster.Volume{
			Name: "disk-" + cl.Text(name), StorageClass: cl.Symbol("local"), Capacity: 10, Modes: cluster.ReadWriteOnce,
			Affinity: cluster.VolumeAffinity{Limited: true, Terms: cluster.NodeSelector{{Labels: []cluster.Requirement{
				{Key: cl.Hostname, Op: cluster.In, Values: []cluster.Symbol{name}},
			}}}},
		})
	}
	cl.Volumes.SyncNew()
}
