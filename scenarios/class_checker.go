package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// classChecker checks the classes of arriving pods against the fleet and the policy.
type classChecker struct {
	*buildState
	fleet       *fleetBuilder
	classes     []classSource // checked on the empty fleet
	podsOnNodes bool          // some pods of manifests have a node
	held        heldDevices
}

// classSource is a class of pods and where it comes from.
type classSource struct {
	what  string
	class *cluster.Class
	at    document.Value // of the pod, controller or workload
	path  string         // from there to its spec; empty if the workload names the scheduler
	more  int            // number of further pods of the class
	fixed bool           // its pods belong to a DaemonSet: each goes to one node
}

// all returns the source as text, with the number of further pods.
func (n *classSource) all() string {
	if n.more == 0 {
		return n.what
	}
	return fmt.Sprintf("%s and %d like it", n.what, n.more)
}

// addObjects adds the classes of the pods of manifests, and of the pods that their controllers create, without repeats.
func (b *classChecker) addObjects(loader *manifest.Loader) {
	known := map[*cluster.Class]int{}
	for i := range loader.Pods {
		p := &loader.Pods[i]
		switch at, twice := known[p.Class]; {
		case p.Finished, p.Absent:
		case p.NodeName != "":
			b.podsOnNodes = true
			b.held.check(&b.faults, b.cluster, p)
		case twice:
			b.classes[at].more++
		default:
			known[p.Class] = len(b.classes)
			b.classes = append(b.classes, classSource{what: "pod " + p.Namespace + "/" + p.Name, class: p.Class, at: p.At, path: "spec"})
		}
	}
	for i := range loader.Controllers {
		c := &loader.Controllers[i]
		path := "spec.template.spec"
		if c.Kind == "CronJob" {
			path = "spec.jobTemplate." + path
		}
		b.classes = append(b.classes, classSource{
			what: fmt.Sprintf("a pod of %s %s/%s", c.Kind, c.Namespace, c.Name), class: c.Template.Class, at: c.At, path: path,
			fixed: c.Kind == "DaemonSet",
		})
	}
}

// checkProfiles adds an error for each scheduler name that no profile of the policy has.
func (b *classChecker) checkProfiles(policy config.Policy) {
	profiles := profilesOf(policy)
	if len(profiles) == 0 {
		return // the policy could not be read
	}
	for _, n := range b.classes {
		if n.class.NodeName == "" && n.path != "" {
			profiles.check(&b.faults, n.at, n.path+".schedulerName", n.class.SchedulerName)
		}
	}
	for i := range b.s.File.Workloads {
		if w := &b.s.File.Workloads[i]; w.SchedulerName != "" {
			profiles.check(&b.faults, b.s.root.Get("workloads").Index(i), "schedulerName", w.SchedulerName)
		}
	}
}

// profiles are the scheduler names of the profiles of a policy.
type profiles []string

func profilesOf(policy config.Policy) profiles {
	var names profiles
	for _, p := range policy.Profiles {
		names = append(names, p.SchedulerName)
	}
	return names
}

// check adds an error if no profile has the scheduler name.
func (p profiles) check(faults *document.Errors, at document.Value, path, name string) {
	if !slices.Contains(p, name) {
		faults.Add(at, path, "must be the name of a profile of the policy (%s where it is not given); there are: %s",
			config.DefaultSchedulerName, strings.Join(p, ", "))
	}
}

// warnNeverFits warns of classes of pods that no node of the fleet could take even when
// it is empty, and returns them.
func (b *classChecker) warnNeverFits(s *scheduler.Scheduler) map[*cluster.Class]bool {
	out := map[*cluster.Class]bool{}
	fleet := "can never be scheduled on this fleet"
	if len(b.s.File.Events) > 0 {
		fleet = "cannot be scheduled on the fleet as it is at the beginning"
	}
	for _, n := range b.classes {
		if n.fixed || n.class.NodeName != "" {
			continue
		}
		why := s.FitErrorMessage(b.withoutUnboundClaims(n.class))
		if why == "" {
			continue
		}
		out[n.class] = true
		b.warnings = append(b.warnings, fmt.Sprintf("%s %s, even when it is empty: %s", n.all(), fleet, why))
	}
	return out
}

// withoutUnboundClaims returns the class without the volumes whose claims are not bound yet, but will be, or
// may be for some of its pods, and without its terms about other pods, which have not arrived yet.
func (b *classChecker) withoutUnboundClaims(class *cluster.Class) *cluster.Class {
	out := class.WithoutPodTerms()
	out.Volumes = slices.DeleteFunc(slices.Clone(class.Volumes), func(v cluster.PodVolume) bool {
		claim := b.cluster.Volumes.ClaimByName(class.Namespace, v.Name)
		return v.Kind == cluster.ClaimVolume && b.cluster.Volumes.PlanClaim(claim) != cluster.ClaimWaits ||
			b.cluster.Volumes.IsReservedForEphemeral(class.Namespace, &v)
	})
	return b.cluster.AddTrialClass(out)
}
