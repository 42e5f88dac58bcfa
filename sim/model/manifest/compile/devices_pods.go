package compile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/devices"
)

// podDevices notes in the class what a pod asks of devices. Its requests are known.
func (compiler *Compiler) podDevices(faults *document.Errors, p admit.Source, c *cluster.Class) {
	amount := func(name string) int64 {
		r, known := compiler.vocabulary.LookupResource(name)
		if !known {
			return 0
		}
		return c.Request(r)
	}
	kinds := devices.Kinds(amount)
	r := cluster.DeviceRequest{}
	switch {
	case p.Meta.Annotations[devices.GPUCount] != "" || p.Meta.Annotations[devices.GPUMilli] != "":
		r = compiler.annotatedDevices(faults, p, amount)
		kinds = slices.DeleteFunc(kinds, func(kind string) bool { return kind == devices.GPUCount })
		kinds = slices.Insert(kinds, 0, devices.GPUCount)
	case len(kinds) == 0:
		return
	case kinds[0] == devices.GPUCount:
		r = compiler.sharedDevices(faults, p, amount(devices.GPUCount), amount(devices.GPUMilli))
	default:
		r = cluster.DeviceRequest{Count: int(amount(kinds[0])), Milli: cluster.WholeDevice}
	}
	if r.Count == 0 {
		return
	}
	if len(kinds) > 1 {
		compiler.warnings.Once("asks for devices of several kinds", p.At, "the pod asks for devices of several kinds, %s: single devices are distinguished for the first kind only",
			strings.Join(kinds, " and "))
	}
	if r.Count > cluster.MaxDevices {
		faults.Add(p.At, "spec.containers", "ask for %d devices, more than the %d that a node can have", r.Count, cluster.MaxDevices)
	}
	r.Kind, r.Models, r.Selector = compiler.vocabulary.Resource(kinds[0]), compiler.models(p), compiler.modelSelector(c)
	c.Devices = r
}

// annotatedDevices is what annotations ask for. Containers may ask for the same.
func (compiler *Compiler) annotatedDevices(faults *document.Errors, p admit.Source, amount func(name string) int64) cluster.DeviceRequest {
	number := func(name string, fallback, highest int) int {
		text := p.Meta.Annotations[name]
		if text == "" {
			return fallback
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > highest {
			faults.Add(p.At, decode.Join(devices.AnnotationsPath, name), "must be a whole number from 0 to %d", highest)
		}
		return n
	}
	before := len(*faults)
	count := number(devices.GPUCount, 1, cluster.MaxDevices)
	milli := number(devices.GPUMilli, cluster.WholeDevice, cluster.WholeDevice)
	switch {
	case len(*faults) > before:
		return cluster.DeviceRequest{}
	case count == 0 && milli == 0:
	case count == 0 && p.Meta.Annotations[devices.GPUMilli] != "":
		faults.Add(p.At, decode.Join(devices.AnnotationsPath, devices.GPUMilli), "must be 0 where %s is 0", devices.GPUCount)
	case milli == 0:
		faults.Add(p.At, decode.Join(devices.AnnotationsPath, devices.GPUMilli), "must be positive where %s is %d", devices.GPUCount, count)
	case milli < cluster.WholeDevice && count > 1:
		faults.Add(p.At, decode.Join(devices.AnnotationsPath, devices.GPUMilli), "must be %d where %s is %d: only one GPU can be shared", cluster.WholeDevice, devices.GPUCount, count)
	}
	if len(*faults) == before {
		sameDevices(faults, p, count, milli, amount)
	}
	return cluster.DeviceRequest{Count: count, Milli: int32(milli)}
}

// sameDevices refuses containers that ask for other devices than the annotations of their pod.
func sameDevices(faults *document.Errors, p admit.Source, count, milli int, amount func(name string) int64) {
	for _, said := range []struct {
		name string
		want int64
	}{{devices.GPUCount, int64(count)}, {devices.GPUMilli, int64(count) * int64(milli)}} {
		if got := amount(said.name); got != 0 && got != said.want {
			faults.Add(p.At, "spec.containers", "ask for %d of %s, and the annotations of the pod for %d", got, said.name, said.want)
		}
	}
}

// sharedDevices is what the resources GPUCount and GPUMilli ask for together.
func (compiler *Compiler) sharedDevices(faults *document.Errors, p admit.Source, count, milli int64) cluster.DeviceRequest {
	add := func(name, format string, args ...any) cluster.DeviceRequest {
		faults.Add(p.At, "spec.containers", "ask for %s of %s: %s", fmt.Sprint(map[string]int64{devices.GPUCount: count, devices.GPUMilli: milli}[name]), name, fmt.Sprintf(format, args...))
		return cluster.DeviceRequest{}
	}
	const whole = cluster.WholeDevice
	switch {
	case milli == 0, count == 0 && milli%whole == 0:
		return cluster.DeviceRequest{Count: int(max(count, milli/whole)), Milli: whole}
	case count <= 1 && milli <= whole:
		return cluster.DeviceRequest{Count: 1, Milli: int32(milli)}
	case count == 0:
		return add(devices.GPUMilli, "that is neither a part of one GPU nor %d for each of several", whole)
	case milli != count*whole:
		return add(devices.GPUMilli, "with %d of %s it must be %d: only one GPU can be shared", count, devices.GPUCount, count*whole)
	}
	return cluster.DeviceRequest{Count: int(count), Milli: whole}
}

// modelSelector is what node selector and required affinity say of the labels that name models;
// nil where pods may go to nodes of any model.
func (compiler *Compiler) modelSelector(c *cluster.Class) cluster.NodeSelector {
	var keys []cluster.Symbol
	for _, label := range devices.ModelLabels {
		if key, known := compiler.vocabulary.Lookup(label); known {
			keys = append(keys, key)
		}
	}
	var chosen []cluster.Requirement
	for _, want := range c.NodeSelector {
		if slices.Contains(keys, want.Key) {
			chosen = append(chosen, cluster.Requirement{Key: want.Key, Op: cluster.In, Values: []cluster.Symbol{want.Value}})
		}
	}
	if !c.HasRequired {
		return termsOf(chosen)
	}
	var terms cluster.NodeSelector
	for i := range c.Required {
		term := &c.Required[i]
		if term.Fault != "" || term.IsEmpty() {
			continue // it matches no node
		}
		wanted := slices.Clone(chosen)
		for _, want := range term.Labels {
			if slices.Contains(keys, want.Key) {
				wanted = append(wanted, want)
			}
		}
		if len(wanted) == 0 {
			return nil
		}
		terms = append(terms, cluster.NodeTerm{Labels: wanted})
	}
	return terms
}

// termsOf is the selector of nodes that meet all requirements; nil where there are none.
func termsOf(all []cluster.Requirement) cluster.NodeSelector {
	if len(all) == 0 {
		return nil
	}
	return cluster.NodeSelector{{Labels: all}}
}

// models are those that the annotation of a pod names; none: any.
func (compiler *Compiler) models(p admit.Source) []cluster.Symbol {
	var out []cluster.Symbol
	for _, model := range strings.Split(p.Meta.Annotations[devices.GPUModel], "|") {
		if model = strings.TrimSpace(model); model != "" {
			out = append(out, compiler.vocabulary.Symbol(model))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// HeldDevices returns the devices that a pod on a node says it holds.
func (compiler *Compiler) HeldDevices(o *decode.Object, pod *v1.Pod, r *cluster.DeviceRequest) []int32 {
	text := pod.Annotations[devices.GPUIndex]
	switch {
	case text == "" || len(o.Faults) > 0:
		return nil
	case pod.Spec.NodeName == "":
		compiler.warnings.Once("devices without a node", o.At, "the pod has no node, so that the annotation %s has no meaning", devices.GPUIndex)
		return nil
	}
	var out []int32
	for part := range strings.SplitSeq(text, "-") {
		d, err := strconv.ParseInt(part, 10, 32)
		if err != nil || slices.Contains(out, int32(d)) {
			o.Faults.Add(o.At, decode.Join(devices.AnnotationsPath, devices.GPUIndex), "must be the numbers of GPUs, joined by -, each once")
			return nil
		}
		out = append(out, int32(d))
	}
	if len(out) != r.Count {
		o.Faults.Add(o.At, decode.Join(devices.AnnotationsPath, devices.GPUIndex), "must name as many GPUs as the pod asks for: %d", r.Count)
		return nil
	}
	return out
}

func (k *keyWriter) devices(r *cluster.DeviceRequest) {
	k.number(int64(r.Count))
	if r.Count > 0 {
		k.number(int64(r.Kind))
		k.number(int64(r.Milli))
		k.syms(r.Models)
		k.number(int64(len(r.Selector)))
		for i := range r.Selector {
			k.term(&r.Selector[i])
		}
	}
}
