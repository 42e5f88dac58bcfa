// Package reports turns the record log of a run into numbers and shows them. A Ledger
// folds the records one at a time; Metrics declares every number that can be reported;
// a Summary holds their values; tables, JSON, CSV and Markdown are written from it.
package reports

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// maxViolations is how many violations a ledger words; the rest it only counts.
const maxViolations = 20

// Ledger folds a record log, one record at a time, into what metrics are computed
// from. Its memory grows with what is there (pods present, nodes, classes, workloads,
// groups, samples), not with pods that have come and gone. On the way it checks the
// laws that every log must obey; see Err.
type Ledger struct {
	name      string // of the scenario
	now       clock.Time
	ended     string // how the run ended; empty while it has not
	events    map[record.Kind]int64
	resources resources

	classes   []class
	labels    map[string]bool // of classes
	workloads []workload
	groups    map[int64]*group
	groupsEnd int64 // all groups declared have smaller numbers

	nodes   []node
	fleet   *fleet
	pools   []*fleet
	devices *Devices

	pods       podTable
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
	violations  []error
	unworded    int
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
		events:     map[record.Kind]int64{},
		labels:     map[string]bool{},
		resources:  resources{ids: map[string]int{}},
		groups:     map[int64]*group{},
		fleet:      &fleet{pods: run},
		devices:    NewDevices(),
		pods:       podTable{slots: map[int64]int32{}},
		run:        run,
		priorities: map[int32]*totals{},
		reasons:    reasonTable{},
	}
}

// AllowOvercommit tells the ledger that the policy does not keep pods from nodes that
// lack the room for them, so that this is not a violation.
func (l *Ledger) AllowOvercommit() { l.overcommit = true }

// ForbidMisplaced tells the ledger that the policy keeps pods from nodes that lack the devices
// that they ask for, so that a decision for such a node is a violation.
func (l *Ledger) ForbidMisplaced() { l.devicesFit = true }

// Observe takes in the next record. It keeps nothing of it.
func (l *Ledger) Observe(r *record.Record) {
	if r.Time < l.now {
		l.violate(r, "time runs back from %v", l.now)
		return
	}
	if l.ended != "" {
		l.violate(r, "the run has ended already")
		return
	}
	l.now, l.devices.now = r.Time, r.Time
	l.events[r.Kind]++
	switch r.Kind {
	case record.RunStarted:
		l.name = r.Text
	case record.DeclareClass, record.DeclareLoad, record.DeclareGroup:
		l.declare(r)
	case record.DeclareTarget:
		l.devices.setTarget(r.Target)
	case record.NodeAdded:
		l.addNode(r)
	case record.NodeChanged:
		l.changeNode(r)
	case record.NodeRemoved:
		l.removeNode(r)
	case record.PodArrived:
		l.arrive(r)
	case record.Sampled:
		l.sample(r)
	case record.RunEnded:
		l.ended = r.Text
	default:
		l.observePod(r)
	}
}

func (l *Ledger) declare(r *record.Record) {
	switch r.Kind {
	case record.DeclareClass:
		c := at(&l.classes, int(r.Class))
		requests := l.resources.requests(r.Amounts)
		l.devices.declareClass(r)
		*c = class{declared: true, priority: r.Priority, requests: requests, label: l.classLabel(r, requests)}
		if l.priorities[r.Priority] == nil {
			l.priorities[r.Priority] = newTotals()
		}
	case record.DeclareLoad:
		*at(&l.workloads, int(r.Workload)) = workload{
			declared: true, name: r.Text, totals: newTotals(),
		}
	default:
		if r.Group < l.groupsEnd {
			l.violate(r, "group %d is declared after group %d", r.Group, l.groupsEnd-1)
			return
		}
		if bad := l.undeclaredWorkload(r.Workload); bad != "" {
			l.violate(r, "%s", bad)
			return
		}
		l.groupsEnd = r.Group + 1
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

// withoutNumber is what the class of that name requests.
func withoutNumber(label string) string {
	label, _, _ = strings.Cut(label, classNumber)
	return label
}

func (l *Ledger) undeclaredWorkload(number int32) string {
	if bad := numbered("workload", int64(number), len(l.workloads)); bad != "" {
		return bad
	}
	if !l.workloads[number].declared {
		return fmt.Sprintf("workload %d is not declared", number)
	}
	return ""
}

func (l *Ledger) violate(r *record.Record, format string, args ...any) {
	if len(l.violations) == maxViolations {
		l.unworded++
		return
	}
	subject := ""
	if r.Kind.HasPod() {
		subject = fmt.Sprintf(" of pod %d", r.Pod)
	}
	l.violations = append(l.violations, fmt.Errorf("%v: %s%s: %s", r.Time, r.Kind, subject, fmt.Sprintf(format, args...)))
}

// Err is nil as long as the log obeys its laws: time does not run back; a record speaks
// of what was declared before; each pod is in exactly one state and changes it only as
// drawn at podState; a pod that is assumed on a node fits there; the devices that it
// holds are there, are what it asks for, and have as much free; a node that is removed is empty; what a sample says
// of the queue and of free amounts is what follows from the other records. Otherwise it joins an error for each violation.
func (l *Ledger) Err() error {
	if l.unworded == 0 {
		return errors.Join(l.violations...)
	}
	return errors.Join(append(slices.Clone(l.violations), fmt.Errorf("and %d more violations", l.unworded))...)
}

// busySoFar is the time spent in scheduling cycles. They do not overlap, so that only
// the last one can reach beyond now.
func (l *Ledger) busySoFar() clock.Time { return l.busy - max(l.busyEnd-l.now, 0) }
