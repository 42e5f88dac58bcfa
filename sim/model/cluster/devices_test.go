package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// devicesOf is a cluster of one node with so many devices, and the kind of them.
func devicesOf(t *testing.T, count int) (*Cluster, Resource) {
	t.Helper()
	c := New(NewVocabulary())
	kind := c.Resource("example.com/gpu")
	addNode(t, c, NodeSpec{Name: "n", Allocatable: []Quantity{{Pods, 20}}, Devices: DeviceSpec{kind, count, c.Symbol("A")}})
	return c, kind
}

func (c *Cluster) addAsking(name string, r DeviceRequest) PodID {
	return c.AddPod(Pod{Name: name, Class: c.AddClass(fmt.Sprint(r), Class{Devices: r})})
}

func TestPodsTakeTheFullestDeviceThatSuffices(t *testing.T) {
	c, gpu := devicesOf(t, 3)
	for _, step := range []struct {
		request DeviceRequest
		want    []int32
		left    []int32
	}{
		{DeviceRequest{Kind: gpu, Count: 1, Milli: 300}, []int32{0}, []int32{700, 1000, 1000}},
		{DeviceRequest{Kind: gpu, Count: 1, Milli: WholeDevice}, []int32{1}, []int32{700, 0, 1000}},
		{DeviceRequest{Kind: gpu, Count: 1, Milli: 800}, []int32{2}, []int32{700, 0, 200}},
		{DeviceRequest{Kind: gpu, Count: 1, Milli: 200}, []int32{2}, []int32{700, 0, 0}},
		{DeviceRequest{Kind: gpu, Count: 2, Milli: WholeDevice}, nil, []int32{700, 0, 0}},
		{DeviceRequest{Kind: gpu, Count: 1, Milli: 100, Models: []Symbol{c.Symbol("B")}}, nil, []int32{700, 0, 0}},
		{DeviceRequest{Kind: c.Resource("other"), Count: 1, Milli: 100}, nil, []int32{700, 0, 0}},
		{DeviceRequest{Kind: gpu, Count: 1, Milli: 700, Models: []Symbol{c.Symbol("A")}}, []int32{0}, []int32{0, 0, 0}},
	} {
		if got := c.Devices.Fit(&step.request, 0); got != (step.want != nil) {
			t.Errorf("HasDevices(%v) = %v", step.request, got)
		}
		pod := c.addAsking("p", step.request)
		c.Assume(pod, 0)
		if got := c.Devices.Of(pod); !slices.Equal(got, step.want) {
			t.Errorf("%v takes the devices %v, not %v", step.request, got, step.want)
		}
		if got := c.Devices.Free(0); !slices.Equal(got, step.left) {
			t.Errorf("after %v there is %v, not %v", step.request, got, step.left)
		}
		if err := c.Verify(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRoomIsOfSingleDevices(t *testing.T) {
	c, gpu := devicesOf(t, 4)
	for _, part := range []int32{900, 700, 1000} {
		c.Assume(c.addAsking("p", DeviceRequest{Kind: gpu, Count: 1, Milli: part}), 0)
	}
	if free := c.Devices.Free(0); !slices.Equal(free, []int32{100, 300, 0, 1000}) {
		t.Fatalf("%v is free", free)
	}
	for _, tt := range []struct {
		request DeviceRequest
		want    int64
	}{
		{DeviceRequest{Kind: gpu, Count: 1, Milli: 100}, 14},
		{DeviceRequest{Kind: gpu, Count: 1, Milli: 200}, 6},
		{DeviceRequest{Kind: gpu, Count: 1, Milli: 400}, 2},
		{DeviceRequest{Kind: gpu, Count: 1, Milli: WholeDevice}, 1},
		{DeviceRequest{Kind: gpu, Count: 2, Milli: WholeDevice}, 0},
		{DeviceRequest{Kind: gpu, Count: 1, Milli: 100, Models: []Symbol{c.Symbol("B")}}, 0},
		{DeviceRequest{Kind: c.Resource("other"), Count: 1, Milli: 100}, 0},
	} {
		if got := c.Devices.Room(&tt.request, 0); got != tt.want {
			t.Errorf("Room(%v) = %d, want %d", tt.request, got, tt.want)
		}
	}
}

// What was chosen counts where it can be had, and is forgotten with the node.
func TestChosenDevices(t *testing.T) {
	c, gpu := devicesOf(t, 4)
	pod := c.addAsking("p", DeviceRequest{Kind: gpu, Count: 2, Milli: WholeDevice})
	for _, chosen := range [][]int32{{3, 1}, {3}, {3, 3}, {0, 4}, {-1, 0}, nil} {
		want := []int32{0, 1}
		if slices.Equal(chosen, []int32{3, 1}) {
			want = chosen
		}
		c.Devices.Choose(pod, chosen)
		c.Assume(pod, 0)
		if got := c.Devices.Of(pod); !slices.Equal(got, want) {
			t.Errorf("of the devices chosen, %v, the pod has %v, not %v", chosen, got, want)
		}
		c.Forget(pod)
		if got := c.Devices.Of(pod); got != nil {
			t.Errorf("without a node the pod holds %v", got)
		}
	}
	c.Devices.Choose(pod, []int32{3, 1})
	c.Assume(pod, 0)
	c.Forget(pod)
	c.Assume(pod, 0)
	if got := c.Devices.Of(pod); !slices.Equal(got, []int32{0, 1}) {
		t.Errorf("the second time the pod has %v: what was chosen for the first still counts", got)
	}
}

// A pod that asks for no devices takes none, whichever are chosen for it.
func TestNoDevicesAreChosenForAPodThatAsksForNone(t *testing.T) {
	c, _ := devicesOf(t, 2)
	pod := c.addAsking("p", DeviceRequest{})
	for _, chosen := range [][]int32{{1}, {5}, {-1}} {
		c.Devices.Choose(pod, chosen)
		c.Assume(pod, 0)
		if got := c.Devices.Of(pod); len(got) > 0 {
			t.Errorf("of the devices chosen, %v, the pod has %v", chosen, got)
		}
		if err := c.Verify(); err != nil {
			t.Error(err)
		}
		c.Forget(pod)
	}
}

// A node that loses devices takes them from those that hold them; one that gets its
// devices back leaves these pods without.
func TestNodeLosesDevices(t *testing.T) {
	c, gpu := devicesOf(t, 2)
	first, second := c.addAsking("a", DeviceRequest{Kind: gpu, Count: 1, Milli: WholeDevice}), c.addAsking("b", DeviceRequest{Kind: gpu, Count: 1, Milli: 600})
	c.Assume(first, 0)
	c.Assume(second, 0)
	spec := c.Node(0).NodeSpec
	version := c.Version(0)
	for _, step := range []struct {
		count int
		free  []int32
	}{{1, []int32{0}}, {3, []int32{0, 1000, 1000}}, {0, []int32{}}} {
		spec.Devices.Count = step.count
		c.UpdateNode(0, spec)
		if got := c.Devices.Free(0); !slices.Equal(got, step.free) {
			t.Errorf("of %d devices %v are free, not %v", step.count, got, step.free)
		}
		if err := c.Verify(); err != nil {
			t.Fatal(err)
		}
	}
	if c.Devices.Of(second) != nil || c.Version(0) == version {
		t.Errorf("pod b holds %v, the version is %d as before", c.Devices.Of(second), version)
	}
}

// Random pods that come and go leave no device behind, whoever chooses.
func TestDevicesAreConserved(t *testing.T) {
	for seed := range uint64(50) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		c, gpu := devicesOf(t, 1+rnd.IntN(8))
		var placed []PodID
		for range 60 {
			if len(placed) > 0 && rnd.IntN(3) == 0 {
				i := rnd.IntN(len(placed))
				c.RemovePod(placed[i])
				placed = slices.Delete(placed, i, i+1)
				continue
			}
			r := DeviceRequest{Kind: gpu, Count: 1, Milli: int32(1 + rnd.IntN(WholeDevice))}
			if rnd.IntN(2) == 0 {
				r.Count, r.Milli = 1+rnd.IntN(4), WholeDevice
			}
			pod := c.addAsking("p", r)
			if rnd.IntN(2) == 0 {
				c.Devices.Choose(pod, []int32{int32(rnd.IntN(8)), int32(rnd.IntN(8))}[:min(r.Count, 2)])
			}
			version := c.Version(0)
			c.Assume(pod, 0)
			if c.Version(0) == version {
				t.Fatal("the version is as before")
			}
			placed = append(placed, pod)
			if err := c.Verify(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		for _, pod := range placed {
			c.RemovePod(pod)
		}
		for d, free := range c.Devices.Free(0) {
			if free != WholeDevice {
				t.Errorf("seed %d: of device %d %d thousandths are free in the end", seed, d, free)
			}
		}
	}
}
