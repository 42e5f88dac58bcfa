package html

import (
	"fmt"
	"slices"

	"github.com/berth-sim/berth/reports/devices"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// devicesRow names the devices of nodes among the resources of heat maps.
const devicesRow = "devices"

// deviceLog is what the devices were used for over time, in all pools and in each.
type deviceLog struct {
	columns
	*devices.Usage
	since clock.Time
	uses  []*deviceUse // of all pools, then of each
}

// deviceUse holds integrals over each column, in thousandths of devices × time.
type deviceUse struct {
	pool  string
	whole []float64
	held  []float64
	free  [fragment.NumParts][]float64
}

func newDeviceLog(c columns) deviceLog {
	l := deviceLog{columns: c, Usage: devices.NewUsage()}
	l.uses = []*deviceUse{newDeviceUse(c, "")}
	return l
}

func newDeviceUse(c columns, pool string) *deviceUse {
	u := &deviceUse{pool: pool, whole: make([]float64, c.count), held: make([]float64, c.count)}
	for part := range u.free {
		u.free[part] = make([]float64, c.count)
	}
	return u
}

// observe takes in the next record, and the move that it made. Devices that a pod cannot hold are not reported: the ledger
// that reads the same log reports them.
func (l *deviceLog) observe(r *record.Record, m lifecycle.Move) {
	l.advance(r.Time)
	l.Observe(r, m)
}

// advance adds up what the devices were used for up to now.
func (l *deviceLog) advance(now clock.Time) {
	if now <= l.since || !l.Any() {
		l.since = max(l.since, now)
		return
	}
	pools := l.Pools()
	for i := range pools {
		if i+1 == len(l.uses) {
			l.uses = append(l.uses, newDeviceUse(l.columns, pools[i].Pool()))
		}
	}
	for l.since < now {
		column := l.of(l.since)
		until := min(now, l.edge(column+1))
		if until <= l.since {
			until = now // the last column has no edge beyond it
		}
		span := float64(until - l.since)
		l.uses[0].add(&l.Sums, column, span)
		for i, pool := range pools {
			l.uses[i+1].add(pool, column, span)
		}
		l.since = until
	}
}

func (u *deviceUse) add(s *devices.Sums, column int, span float64) {
	if s.Capacity() == 0 {
		return
	}
	u.whole[column] += float64(float64(s.Capacity()) * span)
	u.held[column] += float64(float64(s.Used()) * span)
	for part := range fragment.NumParts {
		u.free[part][column] += float64(s.Part(part) * span)
	}
}

// lines returns the shares of the devices that were held, and free by their use, from the bottom
// up; those that are 0 throughout are left out.
func (u *deviceUse) lines(edges []float64) []line {
	none := slices.Clone(u.free[fragment.NoDevices])
	for i := range none {
		none[i] += u.free[fragment.NoDevicesCPU][i]
	}
	var out []line
	for _, row := range []struct {
		name   string
		values []float64
	}{
		{"held by pods", u.held},
		{"usable", u.free[fragment.Usable]},
		{"lacks devices", u.free[fragment.LacksDevices]},
		{"lacks cpu", u.free[fragment.LacksCPU]},
		{"lacks both", u.free[fragment.LacksBoth]},
		{"pod asks for none", none},
		{"pod wants another model", u.free[fragment.NoAccess]},
	} {
		shares, some := make([]float64, len(row.values)), false
		for i, v := range row.values {
			if u.whole[i] > 0 {
				shares[i] = v / u.whole[i]
				some = some || v > 0
			}
		}
		if some {
			out = append(out, spanLine(row.name, edges, shares))
		}
	}
	return out
}

// maxDevicePools is the most pools that have figures.
const maxDevicePools = 8

// deviceFigures show what the devices were used for: one figure for each run; of a single
// run also one for each of its pools.
func (r *Report) deviceFigures() []figure {
	var out []figure
	for i, run := range r.runs {
		if !run.devices.Any() {
			continue
		}
		name, title := r.perRun("devices", "Devices", i)
		out = append(out, r.deviceFigure(name, title, &run.devices, run.devices.uses[0]))
		pools := run.devices.uses[1:]
		if len(r.runs) > 1 || len(pools) < 2 {
			continue
		}
		for k, use := range pools[:min(len(pools), maxDevicePools)] {
			out = append(out, r.deviceFigure(fmt.Sprintf("devices-pool-%d", k+1), "Devices: "+poolName(use.pool, ""), &run.devices, use))
		}
	}
	r.matchScales(out)
	for i := range out {
		out[i].chart.Y.Max = 1
	}
	return out
}

func (r *Report) deviceFigure(name, title string, l *deviceLog, use *deviceUse) figure {
	edges := l.edges()
	note := "What pods held of the devices; and the rest by what a pod of the target workload could make of it, in the mean. All but usable is " +
		"fragmentation. Means over spans of " + shortTime(l.end.Seconds()/float64(l.count)) + "."
	rows := use.lines(edges)
	f := r.stacked(figure{name: name, title: title, note: note, kind: "share", aggregation: mean}, edges, rows)
	f.chart.Y.Max = 1
	return f
}
