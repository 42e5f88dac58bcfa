package fragment

// Gauge tells what placing pods on one node would change. It works out once what each class
// of the target workload finds there, so that no device is looked at again for each pod: the
// fast form of the Paper and Steepest of a Target.
type Gauge struct {
	// Node is what is measured. Who changes it calls Prepare.
	Node Node

	target  *Target
	idle    int64
	found   []found // by class
	rounded float64 // what Target.Rounded says of it
	lost    int64   // what Target.Measure says is lost
}

// Prepare measures the node for a target workload.
func (g *Gauge) Prepare(t *Target) {
	g.target, g.idle, g.found = t, g.Node.Idle(), g.found[:0]
	for i := range t.Classes {
		g.found = append(g.found, t.Classes[i].find(&g.Node))
	}
	g.rounded, g.lost = g.roundedAfter(change{}), g.lostAfter(change{})
}

// change is what a pod takes of a node: cpu, and some of so many devices, of which each had
// so much free before, and has after.
type change struct {
	milliCPU      int64
	devices       int
	before, after int32
}

// Paper is Target.Paper of the node.
func (g *Gauge) Paper(p *Pod) Descent {
	best := Descent{Device: -1, Score: -1}
	g.each(p, func(device int, c change) {
		if score := Score(g.rounded - g.roundedAfter(c)); score > best.Score {
			best.Device, best.Score = device, score
		}
	})
	return best
}

// Steepest is Target.Steepest of the node.
func (g *Gauge) Steepest(p *Pod) Descent {
	best, tried := Descent{Device: -1}, false
	g.each(p, func(device int, c change) {
		if gain := g.lost - g.lostAfter(c); !tried || gain > best.Gain {
			best.Device, best.Gain, tried = device, gain, true
		}
	})
	return best
}

// each is Node.each, except for devices of which the same is free as of one before: they are not
// better.
func (g *Gauge) each(p *Pod, try func(device int, c change)) {
	if p.Count != 1 || p.Milli == Whole {
		try(-1, change{p.MilliCPU, p.Count, Whole, Whole - p.Milli})
		return
	}
	var tried [Whole/64 + 1]uint64 // a bit for each amount
	for d, free := range g.Node.Free {
		word, bit := free/64, uint64(1)<<(free%64)
		if free < p.Milli || tried[word]&bit != 0 {
			continue
		}
		tried[word] |= bit
		try(d, change{p.MilliCPU, 1, free, free - p.Milli})
	}
}

// roundedAfter is what Target.Rounded says of the node after a change.
func (g *Gauge) roundedAfter(c change) float64 {
	idle := g.idleAfter(c)
	if idle == 0 {
		return 0
	}
	var parts roundedParts
	for i := range g.found {
		class := &g.target.Classes[i]
		part, lacking := g.splitAfter(i, &c)
		parts.add(class, part, idle, lacking)
	}
	return parts.lost()
}

// lostAfter is what is lost of the node after a change, exactly.
func (g *Gauge) lostAfter(c change) int64 {
	idle := g.idleAfter(c)
	if idle == 0 {
		return 0
	}
	var sum int64
	for i := range g.found {
		part, lacking := g.splitAfter(i, &c)
		if part != Usable {
			lacking = idle
		}
		sum += g.target.Classes[i].Pods * lacking
	}
	return sum
}

func (g *Gauge) idleAfter(c change) int64 {
	return g.idle - int64(c.devices)*int64(c.before-c.after)
}

// splitAfter is Pod.split after a change for the class of that number, but that lacking has no
// meaning where the part is not Usable.
func (g *Gauge) splitAfter(i int, c *change) (part Part, lacking int64) {
	class, f := &g.target.Classes[i], g.found[i]
	switch {
	case c.before < class.Milli:
		f.lacking -= int64(c.devices) * int64(c.before-c.after)
	case c.after < class.Milli:
		f.fitting -= c.devices
		f.lacking += int64(c.devices) * int64(c.after)
	}
	return class.part(g.Node.MilliCPU-c.milliCPU, g.Node.Model, f.fitting), f.lacking
}
