package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/files/document"
)

// gang is the plugin that lets the pods of a PodGroup wait for each other.
const gang = "Coscheduling"

// gangPoints are the extension points where only the Coscheduling of scheduler-plugins does something.
//
// Upstream: the var block of pkg/coscheduling/coscheduling.go, sigs.k8s.io/scheduler-plugins v0.33.5, and PostBind of
// its release v0.22.6.
var gangPoints = []scheduler.ExtensionPoint{scheduler.QueueSort, scheduler.PreFilter, scheduler.PostFilter, scheduler.PostBind}

// gangEntries is what a profile asks of Coscheduling and does not get.
type gangEntries struct {
	at     document.Value // the first entry
	sorts  bool           // it is enabled where the one of scheduler-plugins sorts the queue
	points []string       // where else it is enabled and does nothing
}

// takeGang takes the entries of Coscheduling at the points where it does nothing here.
func takeGang(sets *pluginSets) gangEntries {
	var found gangEntries
	note := func(at document.Value, points ...scheduler.ExtensionPoint) {
		if !found.at.Exists() {
			found.at = at
		}
		for _, point := range points {
			switch name := point.String(); {
			case point == scheduler.QueueSort:
				found.sorts = true
			case !slices.Contains(found.points, name):
				found.points = append(found.points, name)
			}
		}
	}
	for _, e := range sets.multiPoint.enabled {
		if e.name == gang {
			note(e.at, scheduler.QueueSort, scheduler.PreFilter, scheduler.PostFilter)
		}
	}
	for _, point := range gangPoints {
		set := &sets.points[point]
		set.enabled = slices.DeleteFunc(set.enabled, func(e enabledPlugin) bool {
			if e.name == gang {
				note(e.at, point)
			}
			return e.name == gang
		})
	}
	return found
}

// gangDiffers warns, in one line for a profile, of what Coscheduling does otherwise than that of scheduler-plugins.
func (f *reading) gangDiffers(p *profile) {
	if f.drops(gang, f.exists(gang)) {
		return
	}
	at, args := p.gang.at, p.given[gang]
	var differs []string
	if sort := p.config.Points[scheduler.QueueSort]; p.gang.sorts && len(sort) > 0 {
		differs = append(differs, sort[0].Name+" sorts the queue")
	}
	if len(p.gang.points) > 0 {
		differs = append(differs, "a group waits at preEnqueue and permit, and nothing is done at "+strings.Join(p.gang.points, ", "))
	}
	for _, arg := range gangArgs {
		if given := args.Get(arg.name); given.Exists() && given.Kind() != document.Null && given.Text() != arg.none {
			differs = append(differs, fmt.Sprintf("%s has no effect, since %s", arg.name, arg.since))
			if !at.Exists() {
				at = args
			}
		}
	}
	if len(differs) > 0 {
		f.policy.Warnings.Add(at, "", "Coscheduling differs from that of sigs.k8s.io/scheduler-plugins: %s", strings.Join(differs, "; "))
	}
}

// gangArgs are the arguments of Coscheduling that say how long something lasts, and why that is not read.
var gangArgs = []struct {
	name  string
	none  string // the value with which it does nothing there either
	since string
}{
	{"permitWaitingTimeSeconds", "", "a pod waits for scheduleTimeoutSeconds of its PodGroup, 60 if not given"},
	{"podGroupBackoffSeconds", "0", "a group as a whole has no backoff"},
	{"deniedPGExpirationTimeSeconds", "", "no group is denied"},
}

// coschedulingArgs checks arguments that have no effect, see gangDiffers.
//
// Upstream: CoschedulingArgs in apis/config/v1/types.go and ValidateCoschedulingArgs in apis/config/validation/
// validation_pluginargs.go, sigs.k8s.io/scheduler-plugins v0.33.5, and the fields of its releases from v0.19 on.
func (f *reading) coschedulingArgs(v document.Value) any {
	var a struct {
		typeMeta
		KubeConfigPath                string `json:"kubeConfigPath"`
		KubeMaster                    string `json:"kubeMaster"`
		PermitWaitingTimeSeconds      int64  `json:"permitWaitingTimeSeconds"`
		PodGroupBackoffSeconds        int64  `json:"podGroupBackoffSeconds"`
		DeniedPGExpirationTimeSeconds int64  `json:"deniedPGExpirationTimeSeconds"`
	}
	f.decodeArgs(v, "CoschedulingArgs", &a.typeMeta, &a)
	for i, seconds := range []int64{a.PermitWaitingTimeSeconds, a.PodGroupBackoffSeconds, a.DeniedPGExpirationTimeSeconds} {
		if seconds < 0 {
			f.errors.Add(v, gangArgs[i].name, "must not be negative")
		}
	}
	return nil
}
