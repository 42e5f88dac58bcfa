// Package metric computes the metrics of a run from its records. A Ledger takes in the records one at a time; All
// declares every metric once, with its name, unit, formula and function; a Summary holds their values. Tables, JSON, CSV,
// the report page and gates all read these.
package metric

import (
	"fmt"
	"strings"

	"github.com/berth-sim/berth/reports/devices"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// Ledger reads a record log, one record at a time, and keeps what metrics are computed
// from. Its memory grows with the pods that are present, nodes, classes, workloads,
// groups and samples, not with pods that have gone. It also checks the
// laws that every log must obey; Err returns an error for each violation. Besides those of Lifecycle these are: a pod that is
// assumed on a node fits there; the devices that it holds exist, are what it asks for, and are free; the
// queue and the free amounts of a sample agree with the other records.
type Ledger struct {
	life      *lifecycle.Lifecycle[podData]
	name      string // of the scenario
	now       clock.Time
	events    map[record.Kind]int64
	resources resources

	classes   []class
	labels    map[string]bool // of classes
	workloads []workload
	groups    map[int64]*group

	nodes   []node
	fleet   *fleet
	pools   []*fleet
	devices *devices.Usage

	run        *totals
	priorities map[int32]*totals
	reasons    reasonTable

	attempts int64
	busy     clock.Time // length of the scheduling cycles that have begun
	busyEnd  clock.Time // end of the last of them

	series   series
	lastFrag *fragmentation
	previous instant // the last sampling instant

	overcommit  bool
	devicesFit  bool
	scopeBuffer []*totals
}

// class is a pod class.
type class struct {
	declared bool
	label    string
	priority int32
	requests []amount
}

// workload is a workload, with the totals of its pods.
type workload struct {
	declared bool
	name     string
	totals   *totals
}

// NewLedger returns a ledger that has seen no record.
func NewLedger() *Ledger {
	run := newTotals()
	return &Ledger{
		life:       lifecycle.New[podData](),
		events:     map[record.Kind]int64{},
		labels:     map[string]bool{},
		resources:  resources{ids: map[string]int{}},
		groups:     map[int64]*group{},
		fleet:      &fleet{pods: run},
		devices:    devices.NewUsage(),
		run:        run,
		priorities: map[int32]*totals{},
		reasons:    reasonTable{},
	}
}

// Ended returns how the run ended: "done", "horizon" or "interrupted"; empty until then.
func (l *Ledger) Ended() string { return l.life.Ended() }

// AllowOvercommit makes a pod on a node without enough free resources no violation, for policies without a plugin that
// checks resources.
func (l *Ledger) AllowOvercommit() { l.overcommit = true }

// ForbidMisplaced makes a decision for a node that lacks the devices that the pod asks for a violation, for policies
// with a plugin that checks devices.
func (l *Ledger) ForbidMisplaced() { l.devicesFit = true }

// Observe takes in the next record. It keeps nothing of it.
func (l *Ledger) Observe(r *record.Record) {
	c, ok := l.life.Observe(r)
	if !ok {
		return
	}
	l.now = r.Time
	l.events[r.Kind]++
	if bad := l.devices.Observe(r, c.Move(r)); bad != "" {
		l.life.Violate(r, "%s", bad)
	}
	if c != nil {
		l.observePod(r, c)
		return
	}
	switch r.Kind {
	case record.RunStarted:
		l.name = r.Text
	case record.DeclareClass, record.DeclareWorkload, record.DeclareGroup:
		l.declare(r)
	case record.NodeAdded:
		l.addNode(r)
	case record.NodeChanged:
		l.changeNode(r)
	case record.NodeRemoved:
		l.removeNode(r)
	case record.Sampled:
		l.sample(r)
	}
}

func (l *Ledger) declare(r *record.Record) {
	switch r.Kind {
	case record.DeclareClass:
		c := grow(&l.classes, int(r.Class))
		requests := l.resources.requests(r.Amounts)
		*c = class{declared: true, priority: r.Priority, requests: requests, label: l.classLabel(r, requests)}
		if l.priorities[r.Priority] == nil {
			l.priorities[r.Priority] = newTotals()
		}
	case record.DeclareWorkload:
		*grow(&l.workloads, int(r.Workload)) = workload{
			declared: true, name: r.Text, totals: newTotals(),
		}
	default:
		l.groups[r.Group] = &group{minMember: r.Count}
		l.run.gangs++
		l.workloads[r.Workload].totals.gangs++
	}
}

// classLabel names a class by what it requests, and by its number where another class
// requests the same.
func (l *Ledger) classLabel(r *record.Record, requests []amount) string {
	label := l.resources.describe(requests)
	if l.labels[label] {
		label += fmt.Sprintf("%s%d)", classNumber, r.Class)
	}
	l.labels[label] = true
	return label
}

// classNumber is what the number begins with in the name of a class.
const classNumber = " (class "

// RequestsOfClass returns the requests in the name of a pod class, without the number that distinguishes classes with equal
// requests.
func RequestsOfClass(label string) string {
	label, _, _ = strings.Cut(label, classNumber)
	return label
}

// busySoFar returns the time spent in scheduling cycles up to now. Cycles do not overlap, so only
// the last one can end later.
func (l *Ledger) busySoFar() clock.Time { return l.busy - max(l.busyEnd-l.now, 0) }

// Err joins an error for each violation of the laws of logs; it is nil if there is none.
func (l *Ledger) Err() error { return l.life.Err() }
