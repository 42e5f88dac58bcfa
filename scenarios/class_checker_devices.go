package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/devices"
)

// checkPodDevices adds an error if no node of the fleet has the devices of a pod.
func (b *classChecker) checkPodDevices(at document.Value, d *PodDevices) {
	if d == nil || b.fleet.broken {
		return
	}
	all, shared := b.fleet.devices(), cluster.Resource(-1)
	if r, known := b.cluster.LookupResource(devices.GPUCount); known {
		shared = r
	}
	ours := slices.DeleteFunc(slices.Clone(all), func(d cluster.DeviceSpec) bool { return d.Kind != shared })
	if len(ours) == 0 && len(all) > 0 {
		b.faults.Add(at, "", "are counted as %s, those of the nodes as %s: have the template ask for that, or give pools their devices in the same way",
			devices.GPUCount, b.cluster.ResourceName(all[0].Kind))
		return
	}
	b.checkDevices(at, d, ours)
}

// checkDevices adds errors for models and numbers of devices that none of the nodes has.
func (b *classChecker) checkDevices(at document.Value, d *PodDevices, nodes []cluster.DeviceSpec) {
	if b.fleet.broken {
		return
	}
	var models []string
	most := 0
	for _, n := range nodes {
		most = max(most, n.Count)
		if n.Model != 0 {
			models = append(models, b.cluster.Text(n.Model))
		}
	}
	for i, model := range d.Models {
		if !slices.Contains(models, model) {
			b.faults.Add(at.Get("models").Index(i), "", "is the model of no node%s", document.Meant(model, models))
		}
	}
	if count, _ := d.amounts(); count > most {
		b.faults.Add(at, "count", "is more than the %d devices of the largest node", most)
	}
}

// warnNoDevices warns of classes of pods that fit a node although no node has their devices, since the policy does not
// check devices.
func (b *classChecker) warnNoDevices(neverFit map[*cluster.Class]bool) {
	all := b.fleet.devices()
	for _, n := range b.classes {
		r := &n.class.Devices
		if r.Count == 0 || n.fixed || n.class.NodeName != "" || neverFit[n.class] {
			continue
		}
		models := b.cluster.Devices.Models(n.class)
		has := func(d cluster.DeviceSpec) bool {
			return d.Kind == r.Kind && d.Count >= r.Count && (len(models) == 0 || slices.Contains(models, d.Model))
		}
		if !slices.ContainsFunc(all, has) {
			b.warnings = append(b.warnings, fmt.Sprintf("%s will hold no devices: it asks for %d of %s%s, which no node has",
				n.all(), r.Count, b.cluster.ResourceName(r.Kind), b.ofModels(models)))
		}
	}
}

// ofModels returns the models of devices as text.
func (b *classChecker) ofModels(models []cluster.Symbol) string {
	if len(models) == 0 {
		return ""
	}
	var names []string
	for _, model := range models {
		names = append(names, b.cluster.Text(model))
	}
	return ", of model " + strings.Join(names, " or ")
}
