// Package metric computes the figures of a run from its records. A Ledger takes in the records one at a time; All
// declares every figure once, with its name, unit, formula and function; a Summary holds their values. Tables, JSON, CSV,
// the page and gates all read these.
package metric

import (
	"fmt"
	"strings"

	"github.com/berth-sim/berth/reports/devices"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// Ledger folds a record log, one record at a time, into what metrics are computed
// from. Its memory grows with what is there (pods present, nodes, classes, workloads,
// groups, samples), not with pods that have come and gone. On the way it checks the
// laws that every log must obey; Err returns an error for each violation: besides those of Lifecycle, a pod that is
// assumed on a node fits there; the devices that it holds are there, are what it asks for, and have as much free; what
// a sample tells of the queue and of free amounts is what follows from the other records.
type Ledger struct {
	life      *lifecycle.Lifecycle[podNotes]
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

// class is what the ledger knows of a class of pods.
type class struct {
	declared bool
	label    string
	priority int32
	requests []amount
}

// workload is what the ledger knows of a workload.
type workload struct {
	declared bool
	name     string
	totals   *totals
}

// NewLedger returns a ledger that has seen no record.
func NewLedger() *Ledger {
	run := newTotals()
	return &Ledger{
		life:       lifecycle.New[podNotes](),
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

// Ended is how the run ended: "done", "horizon" or "interrupted"; empty while it has not.
func (l *Ledger) Ended() string { return l.life.Ended() }

// AllowOvercommit tells the ledger that the policy does not keep pods from nodes that
// lack the room for them, so that this is not a violation.
func (l *Ledger) AllowOvercommit() { l.overcommit = true }

// ForbidMisplaced tells the ledger that the policy keeps pods from nodes that lack the devices
// that they ask for, so that a decision for such a node is a violation.
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
	case record.DeclareClass, record.DeclareLoad, record.DeclareGroup:
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
		c := at(&l.classes, int(r.Class))
		requests := l.resources.requests(r.Amounts)
		*c = class{declared: true, priority: r.Priority, requests: requests, label: l.classLabel(r, requests)}
		if l.priorities[r.Priority] == nil {
			l.priorities[r.Priority] = newTotals()
		}
	case record.DeclareLoad:
		*at(&l.workloads, int(r.Workload)) = workload{
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

// RequestsOfClass is what the pod class of that name requests: several classes that differ otherwise have a number too.
func RequestsOfClass(label string) string {
	label, _, _ = strings.Cut(label, classNumber)
	return label
}

// busySoFar is the time spent in scheduling cycles. They do not overlap, so that only
// the last one can reach beyond now.
func (l *Ledger) busySoFar() clock.Time { return l.busy - max(l.busyEnd-l.now, 0) }

// Err joins an error for each violation of the laws of logs; it is nil if there is none.
func (l *Ledger) Err() error { return l.life.Err() }
