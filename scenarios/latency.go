package scenarios

import (
	"math/rand/v2"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads/arrival"
)

// presetNone is the latency preset in which nothing takes time.
const presetNone = "none"

// The preset kube-scheduler-1.36 is fitted to the real kube-scheduler v1.36.3, run in
// process with an in-memory API server, about one core, adaptive sampling, plain pods:
// 2751, 886 and 668 pods/s on 100, 1000 and 5000 nodes, of which it evaluates 100, 420 and
// 500 for each pod. Bind is the additional time of a pod with informers, binding and API
// writes in memory; with a real API server it is longer. The times in which pods start and
// terminate depend on the kubelet and the image; the preset has 0 and 1 s. Volumes are bound
// by the PV controller, which is fast, and provisioned by storage drivers, which often take
// some seconds.
const (
	presetCycle            = 132 * clock.Microsecond
	presetPerEvaluatedNode = 2262 * clock.Nanosecond
	presetPerNode          = 47 * clock.Nanosecond
	presetBind             = 250 * clock.Microsecond
	presetVolumeBind       = 500 * clock.Millisecond
	presetProvision        = 5 * clock.Second
	presetTerminate        = 1 * clock.Second
)

// latencyReader reads the latency model.
type latencyReader struct {
	*buildState
	distributions distributionReader
}

// read returns the latency model of the scenario.
func (b latencyReader) read() world.Latency {
	f, at := b.s.File.Latency, b.s.root.Get("latency")
	var l world.Latency
	if f.Preset != presetNone {
		l = world.Latency{
			Cycle: fixed(presetCycle), PerEvaluatedNode: presetPerEvaluatedNode, PerNode: presetPerNode,
			Bind: fixed(presetBind), Terminate: fixed(presetTerminate),
			VolumeBind: fixed(presetVolumeBind), Provision: fixed(presetProvision),
		}
	}
	b.delay(at.Get("cycle"), "cycle", &l.Cycle)
	b.delay(at.Get("bind"), "bind", &l.Bind)
	b.delay(at.Get("volumeBind"), "volumeBind", &l.VolumeBind)
	b.delay(at.Get("provision"), "provision", &l.Provision)
	b.delay(at.Get("start"), "start", &l.Start)
	b.delay(at.Get("terminate"), "terminate", &l.Terminate)
	b.span(at, "perEvaluatedNode", f.PerEvaluatedNode, &l.PerEvaluatedNode)
	b.span(at, "perNode", f.PerNode, &l.PerNode)
	return l
}

func fixed(d clock.Time) arrival.Lifetime {
	l, err := arrival.Fixed(d)
	if err != nil {
		panic(err) // the presets are above
	}
	return l
}

// delay replaces a delay if the scenario gives it.
func (b latencyReader) delay(at document.Value, name string, into *world.Delay) {
	if at.Exists() && at.Kind() != document.Map && at.Text() == foreverText {
		b.faults.Add(at, "", "must have an end")
		return
	}
	if law := b.distributions.duration(at, func() rand.Source { return b.streams.Source("latency/" + name) }); law != nil {
		*into = law
	}
}

func (b latencyReader) span(at document.Value, path string, d *Duration, into *clock.Time) {
	if d == nil {
		return
	}
	if *d < 0 {
		b.faults.Add(at, path, "must not be negative")
	}
	*into = d.Time()
}
