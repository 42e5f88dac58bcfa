package cluster

import (
	"strings"
	"testing"
)

// onNode is a pod that is on a node and has host ports.
func onNode(tr *trial) *Pod {
	for id := range tr.table {
		if p := &tr.table[id]; p.Node != None && len(p.Class.Ports) > 0 {
			return p
		}
	}
	panic("no such pod")
}

// holding is a pod that holds a device.
func holding(tr *trial) *Pod {
	for id := range tr.table {
		if p := &tr.table[id]; p.Node != None && len(p.devices) > 0 {
			return p
		}
	}
	panic("no such pod")
}

func TestVerifyTripsOnPlantedCorruption(t *testing.T) {
	tests := []struct {
		name    string
		corrupt func(tr *trial)
		want    string // part of the error
	}{
		{"cpu from nowhere", func(tr *trial) { tr.requested[CPU][0]++ }, "of cpu is requested, its pods ask for"},
		{"an extended resource from nowhere", func(tr *trial) { tr.requested[numNative][2]-- }, "of example.com/gpu is requested"},
		{"a pod not counted", func(tr *trial) { tr.requested[Pods][1]-- }, "of pods is requested"},
		{"non-zero cpu", func(tr *trial) { tr.nonZero[CPU][1]++ }, "non-zero requests differ"},
		{"non-zero memory", func(tr *trial) { tr.nonZero[Memory][1]-- }, "non-zero requests differ"},
		{"a place on the list", func(tr *trial) { tr.table[tr.pods[0][0]].slot = 7 }, "is at place 0 of its node, says 7"},
		{"a pod on two nodes", func(tr *trial) {
			tr.table[tr.pods[0][0]].slot = int32(len(tr.pods[1]))
			tr.pods[1] = append(tr.pods[1], tr.pods[0][0])
		}, ""},
		{"a pod on another node's list", func(tr *trial) { onNode(tr).Node++ }, "the nodes say"},
		{"a pod on no list", func(tr *trial) { tr.table[tr.pending[0]].Node, tr.table[tr.pending[0]].Phase = 0, Bound }, "the nodes say"},
		{"a pending pod with a node", func(tr *trial) { onNode(tr).Phase = Pending }, "is Pending on node"},
		{"an assumed pod without a node", func(tr *trial) { tr.table[tr.pending[0]].Phase = Assumed }, "is Assumed on node -1"},
		{"pods miscounted", func(tr *trial) { tr.numPods++ }, "24 pods exist, counted 25"},
		{"priorities miscounted", func(tr *trial) { tr.placed[tr.placed.find(onNode(tr).Class.Priority)].pods++ }, "have a node, counted"},
		{"a priority from nowhere", func(tr *trial) { tr.placed.add(-99) }, "have a node, counted"},
		{"a port forgotten", func(tr *trial) { n := onNode(tr).Node; tr.ports[n] = tr.ports[n][1:] }, "its node does not know"},
		{"a port too many", func(tr *trial) { tr.ports[0] = append(tr.ports[0], HostPort{Port: 1}) }, "no pod has the host port 1"},
		{"a device from nowhere", func(tr *trial) { tr.Devices.free[0][2]++ }, "its pods leave"},
		{"a device that the node lacks", func(tr *trial) { holding(tr).devices[0] = 4 }, "holds the device 4, node"},
		{"a device too few", func(tr *trial) { p := holding(tr); p.devices = append(p.devices, 3, 3) }, "devices, it asks for"},
		{"a device given away twice", func(tr *trial) {
			p := holding(tr)
			p.Class.Devices.Milli += WholeDevice
			tr.Devices.free[p.Node][p.devices[0]] -= WholeDevice
		}, "its pods"},
		{"a member too many", func(tr *trial) { g := tr.Groups.Group(1); g.Members = append(g.Members, tr.pending[0]) }, `pod group "gang": 6 members`},
		{"a member forgotten", func(tr *trial) { g := tr.Groups.Group(1); g.Members = g.Members[1:] }, "is not among the members of its group"},
		{"reserved miscounted", func(tr *trial) { tr.Groups.Group(1).Reserved++ }, `pod group "gang"`},
		{"seen miscounted", func(tr *trial) { tr.Groups.Group(1).Arrived = 1 }, `pod group "gang"`},
		{"a budget below nothing", func(tr *trial) { tr.Budgets.SetAllowed(tr.Budgets.Add(Budget{Name: "b"}), -1) }, `budget "b" allows -1`},
		{"a class in a wrong budget", func(tr *trial) {
			tr.Budgets.Add(Budget{Name: "b", Selector: SelectsNothing()})
			tr.Budgets.Of(tr.classes[0])
			tr.Budgets.byClass[0] = []BudgetID{0}
		}, "class 0 is said to be selected by the budgets [0]"},
		{"nodes miscounted", func(tr *trial) { tr.byCreation = append(tr.byCreation, 0) }, "counted [5 0 0 0 16], there are [4 0 0 0 16]"},
		{"unschedulable miscounted", func(tr *trial) { tr.unschedulable++ }, "counted [4 1 0 0 16]"},
		{"hard taints miscounted", func(tr *trial) { tr.hardTainted++ }, "counted [4 0 1 0 16]"},
		{"soft taints miscounted", func(tr *trial) { tr.softTainted++ }, "counted [4 0 0 1 16]"},
		{"devices miscounted", func(tr *trial) { tr.Devices.total++ }, "counted [4 0 0 0 17]"},
		{"a name lost", func(tr *trial) { delete(tr.byName, "n2") }, `node "n2" is not found by its name`},
		{"a name mixed up", func(tr *trial) { tr.byName["n2"] = 0 }, `node "n2" is not found by its name`},
		{"a node not visited", func(tr *trial) { tr.tree.order = tr.Order()[1:] }, `node "n0" is not visited`},
		{"a node visited twice", func(tr *trial) { tr.tree.order = append(tr.Order(), 0) }, "5 are visited"},
		{"allocatable", func(tr *trial) { tr.allocatable[Pods][3]++ }, `node "n3": 21 of pods is allocatable, its spec says 20`},
		{"images miscounted", func(tr *trial) { tr.Images[tr.Symbol("web:1")].Nodes-- }, `image "web:1" is said to be on 3 nodes`},
		{"an image that no node has", func(tr *trial) { tr.Images[tr.Symbol("db:1")] = &ImageState{Nodes: 1} }, `image "db:1"`},
		{"an image forgotten", func(tr *trial) { delete(tr.Images, tr.Symbol("web:1")) }, "0 images are known, the nodes have 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr := newTrial(t, 1)
			if err := tr.Verify(); err != nil {
				t.Fatalf("before: %v", err)
			}
			tt.corrupt(tr)
			if err := tr.Verify(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Verify() = %v, want an error with %q", err, tt.want)
			}
		})
	}
}
