package release

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Rule describes one field of Rules.
type Rule struct {
	Name    string // of the field, with a small first letter, as users write it
	Meaning string // a question, or a sentence that is true or false
	Values  []Value
	Changes Change
	Source  string // the upstream file below pkg/scheduler, or the component
}

// Value is one value of a rule.
type Value struct {
	Name    string // as users write it
	Meaning string
}

// Change says what a rule can change.
type Change string

// What rules change.
const (
	Placement Change = "placement" // which node a pod gets, and whether it gets one
	Retries   Change = "retries"   // when a pod is tried again
	Messages  Change = "messages"  // texts only
)

// yesNo returns the values of a rule that is true or false.
func yesNo(yes, no string) []Value { return []Value{{"true", yes}, {"false", no}} }

// Table returns a description of every rule, in the order of the fields of Rules.
func Table() []Rule { return slices.Clone(table) }

var table = []Rule{
	{
		"ties", "How is one of the nodes of the highest total score chosen, with the tie-break upstream?",
		[]Value{{"draw", "by a fair draw"}, {"heap", "the first node of the heap that orders the nodes by score"}},
		Placement, "schedule_one.go, selectHost",
	},
	{
		"balance", "What does NodeResourcesBalancedAllocation score?",
		[]Value{
			{"state", "how evenly the resources of the node are requested with the pod on it"},
			{"improvement", "how much the pod improves this; 75 is no change"},
		},
		Placement, "framework/plugins/noderesources/balanced_allocation.go",
	},
	{
		"imageVolumes", "How does ImageLocality count the images of image volumes?",
		[]Value{
			{"ignored", "not at all"}, {"size", "their size is added to the sum"},
			{"sizeAndNumber", "their size is added to the sum, and their number raises the upper threshold"},
		},
		Placement, "framework/plugins/imagelocality/image_locality.go",
	},
	{
		"storageScore", "VolumeBinding scores how much storage a node has for the claims of the pod.",
		yesNo("it scores nodes by free storage, along a shape", "it scores no nodes, and a configured shape is an error"),
		Placement, "framework/plugins/volumebinding/scorer.go",
	},
	{
		"emptyNamespacesMatch", "A namespaceSelector of the pod's own affinity terms is also matched against a namespace without labels.",
		yesNo("NotIn and DoesNotExist match pods of every namespace", "only the labels of the namespace count"),
		Placement, "framework/plugins/interpodaffinity/plugin.go",
	},
	{
		"hopelessFitIsFinal", "A node whose allocatable amount is less than the pod requests is no candidate of preemption.",
		yesNo("NodeResourcesFit returns UnschedulableAndUnresolvable", "it returns Unschedulable"),
		Placement, "framework/plugins/noderesources/fit.go",
	},
	{
		"missingDriver", "What does NodeVolumeLimits do to a node without the CSI driver of a new volume of the pod?",
		[]Value{
			{"passes", "nothing: the node passes"},
			{"rejectsIfAsked", "rejects it if the CSIDriver has preventPodSchedulingIfMissing"},
			{"rejects", "rejects it if there is a CSIDriver"},
		},
		Placement, "framework/plugins/nodevolumelimits/csi.go",
	},
	{
		"declaredFeatures", "Which features of a pod must the kubelet of its node declare?",
		[]Value{
			{"absent", "none: the release lacks the plugin NodeDeclaredFeatures"},
			{"none", "none: the default configuration lacks NodeDeclaredFeatures, which does nothing"},
			{"restartRules", "restart rules that restart all containers; the message names the feature"},
			{"restartRulesAndHostNetwork", "restart rules that restart all containers, and hostNetwork with hostUsers false"},
		},
		Placement, "framework/plugins/nodedeclaredfeatures/nodedeclaredfeatures.go",
	},
	{
		"attributesClassMatters", "A claim binds to a volume only if both name the same volume attributes class.",
		yesNo("the names are compared", "the API server drops the names"),
		Placement, "component-helpers, storage/volume",
	},
	{
		"budgetsAfterViolation", "A potential victim is charged to the budgets that come after the first one that it violates.",
		yesNo("every matching budget is charged", "the first violated budget ends the search"),
		Placement, "framework/preemption/preemption.go",
	},
	{
		"victimsWithoutStart", "In which order are potential victims of one priority that have no start time?",
		[]Value{{"reversed", "the last on the node first, as long as they are at most 12"}, {"nodeOrder", "as on the node"}},
		Placement, "util/utils.go, MoreImportantPod; framework/preemption/util.go",
	},
	{
		"dynamicResources", "How is DynamicResources in the default configuration?",
		[]Value{{"absent", "not at all: it does nothing"}, {"filters", "it filters"}, {"filtersAndScores", "it filters and scores, with weight 2"}},
		Placement, "apis/config/v1/default_plugins.go",
	},
	{
		"nodeNameFirst", "NodeName filters before NodeUnschedulable; they and TaintToleration take part in PreFilter.",
		yesNo("NodeName is first, and they do", "NodeUnschedulable is first, and they do not"),
		Messages, "apis/config/v1/default_plugins.go",
	},
	{
		"podLevelRequests", "Resources of a pod as a whole (spec.resources) count.",
		yesNo("they count", "the API server drops the field"),
		Placement, "component-helpers, resource",
	},
	{
		"podLevelDefaults", "What does the API server fill in of the resources of a pod as a whole?",
		[]Value{
			{"none", "nothing"}, {"limited", "requests, where limits of the pod are given"},
			{"fromContainers", "requests and limits, from those of the containers, after admission"},
		},
		Placement, "API server, apis/core/v1/defaults.go",
	},
	{
		"resizeRequests", "What does a pod request while its resources are resized?",
		[]Value{
			{"perContainer", "the sum of the highest figure of each container"},
			{"perContainerAndPodLevel", "the same; what the pod has as a whole counts by its highest figure too"},
			{"perPod", "the highest of three sums: as desired, as allocated, and as they are"},
		},
		Placement, "component-helpers, resource",
	},
	{
		"topologyLabelsOnBind", "A pod that is bound gets the zone and region labels of its node.",
		yesNo("they are copied", "they are not"),
		Placement, "API server, PodTopologyLabels",
	},
	{
		"spreadKeysMerged", "The API server writes the values of matchLabelKeys into the selector of a spread constraint when the pod is created.",
		yesNo("it does", "the scheduler alone reads matchLabelKeys"),
		Placement, "API server, registry/core/pod",
	},
	{
		"asyncPreemption", "Victims are evicted after the attempt of the pod that preempts.",
		yesNo("the pod is in the queue by then", "in the attempt: the pod is queued after the events of its victims"),
		Retries, "framework/preemption/executor.go",
	},
	{
		"preBindVictimCanceled", "A victim in PreBind is canceled in memory, as one that waits in Permit is.",
		yesNo("it loses its node and is tried again", "it is deleted"),
		Retries, "framework/preemption/executor.go",
	},
	{
		"preemptorHeld", "A pod that preempts is gated until its last victim terminates or is canceled.",
		yesNo("victims that are canceled before do not wake it", "it reacts to them"),
		Retries, "framework/preemption/executor.go",
	},
	{
		"canceledVictimActivates", "A pod that preempts is tried again at once when its last victim was canceled in memory.",
		yesNo("it moves to the active queue", "it waits for the event of the victim, and for its backoff"),
		Retries, "framework/preemption/executor.go",
	},
	{
		"terminatingEvictedAgain", "A victim that terminates already is deleted once more.",
		yesNo("it is, and then counts as preempted", "it is left alone"),
		Retries, "framework/preemption/executor.go",
	},
	{
		"nominatedBindWakes", "A nominated pod that binds wakes pods of lower or equal priority.",
		yesNo("as if a pod was deleted from its nominated node", "it wakes none"),
		Retries, "eventhandlers.go",
	},
	{
		"rejectionClearsNomination", "A pod that no node takes loses its nomination in a profile without PostFilter plugins.",
		yesNo("it loses it", "it keeps it"),
		Retries, "schedule_one.go",
	},
	{
		"gatedNominationCounts", "Room is kept on the nominated node of a pod that arrives gated.",
		yesNo("it is", "it is not"),
		Placement, "backend/queue/scheduling_queue.go",
	},
	{
		"backoffCounts", "What doubles the backoff of a pod?",
		[]Value{{"attempts", "every attempt"}, {"rejections", "rejections, and errors apart from them"}},
		Retries, "backend/queue/backoff_queue.go",
	},
	{
		"popFromBackoff", "A scheduler without active pods tries a pod whose backoff is not over.",
		yesNo("it does", "the pod waits for the end of its backoff"),
		Retries, "backend/queue/active_queue.go",
	},
	{
		"activationAsksGates", "A pod that is activated while it waits for its backoff passes PreEnqueue once more.",
		yesNo("it does", "it moves to the active queue at once"),
		Retries, "backend/queue/scheduling_queue.go",
	},
	{
		"gatedEvents", "After which events is a gated pod looked at again?",
		[]Value{
			{"all", "all, unless SchedulingGates gates it"}, {"own", "those that its plugin asked for"},
			{"ownAndFlush", "those that its plugin asked for, and the flush every 5 minutes"},
		},
		Retries, "backend/queue/scheduling_queue.go",
	},
	{
		"deletedAntiAffinity", "Whose anti-affinity lets the deletion of a pod wake a waiting one?",
		[]Value{
			{"ofWaiting", "that of the waiting pod, if all of its terms match"},
			{"allOfDeleted", "that of either pod, if all of its terms match"},
			{"anyOfDeleted", "that of either pod, if one of its terms matches"},
		},
		Retries, "framework/plugins/interpodaffinity/plugin.go",
	},
	{
		"nominatedCountsAsAssigned", "A pod that loses its nomination wakes pods with affinity or spread constraints.",
		yesNo("as if it was deleted from its nominated node", "it does not"),
		Retries, "framework/plugins/podtopologyspread/plugin.go",
	},
	{
		"taintNamed", "The message of TaintToleration names the taint.",
		yesNo("node(s) had untolerated taint {KEY: VALUE}", "node(s) had untolerated taint(s)"),
		Messages, "framework/plugins/tainttoleration/taint_toleration.go",
	},
	{
		"oldExclusiveClaim", "VolumeRestrictions rejects a used ReadWriteOncePod claim with the text of 1.33.",
		yesNo("node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode",
			"node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"),
		Messages, "framework/plugins/volumerestrictions/volume_restrictions.go",
	},
	{
		"claimsMessage", "The message of every unschedulable pod says that there are no new claims to deallocate.",
		yesNo("it does", "it does not"),
		Messages, "framework/plugins/dynamicresources/dynamicresources.go",
	},
	{
		"nominationMessage", "The message of a pod that preempts says on which node, and how many victims.",
		yesNo("preemption: found a potential placement for pod on node NODE, preempting N victims", "it ends without it"),
		Messages, "framework/plugins/defaultpreemption/default_preemption.go",
	},
}

// fieldName returns the name of the field of Rules of a rule.
func fieldName(rule string) string {
	if rule == "" {
		return ""
	}
	return string(unicode.ToUpper(rune(rule[0]))) + rule[1:]
}

// Value returns the value of the rule of that name, as users write it. It is empty if there is no such rule.
func (r *Rules) Value(rule string) string {
	field := reflect.ValueOf(r).Elem().FieldByName(fieldName(rule))
	if !field.IsValid() {
		return ""
	}
	return fmt.Sprint(field)
}

// Set changes one rule. The error says which rules or values there are.
func (r *Rules) Set(rule, value string) error {
	i := slices.IndexFunc(table, func(t Rule) bool { return t.Name == rule })
	if i < 0 {
		return fmt.Errorf("there is no rule %q; \"berth version --rules\" lists all", rule)
	}
	if !slices.ContainsFunc(table[i].Values, func(v Value) bool { return v.Name == value }) {
		var names []string
		for _, v := range table[i].Values {
			names = append(names, v.Name)
		}
		return fmt.Errorf("rule %s is one of %s, not %q", rule, strings.Join(names, ", "), value)
	}
	field := reflect.ValueOf(r).Elem().FieldByName(fieldName(rule))
	if field.Kind() == reflect.Bool {
		field.SetBool(value == "true")
	} else {
		field.SetString(value)
	}
	return nil
}

// Differences returns the names of the rules in which two sets differ, in the order of the table.
func Differences(a, b *Rules) []string {
	var names []string
	for _, t := range table {
		if a.Value(t.Name) != b.Value(t.Name) {
			names = append(names, t.Name)
		}
	}
	return names
}
