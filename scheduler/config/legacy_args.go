package config

import (
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler/legacy"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
)

// predicateArgument is what makes a predicate of a name of the user's own.
type predicateArgument struct {
	ServiceAffinity *struct {
		Labels []string `json:"labels"`
	} `json:"serviceAffinity"`
	LabelsPresence *struct {
		Labels   []string `json:"labels"`
		Presence bool     `json:"presence"`
	} `json:"labelsPresence"`
}

// predicateArgument reads the argument of a predicate, makes the rule, and returns what
// kind of rule it is; nothing where it is wrong.
//
// Upstream: RegisterCustomFitPredicate and validatePredicateOrDie,
// pkg/scheduler/factory/plugins.go, v1.16.15.
func (l *legacyReading) predicateArgument(name string, v document.Value) string {
	var a predicateArgument
	l.errors.Append(document.Decode(v, &a))
	only := l.oneOf(v, "serviceAffinity", "labelsPresence")
	service, labels := a.ServiceAffinity, a.LabelsPresence
	if service != nil {
		l.labelKeys(v.Get("serviceAffinity"), service.Labels)
	}
	if labels != nil {
		l.labelKeys(v.Get("labelsPresence"), labels.Labels)
	}
	switch {
	case !only:
	case service != nil:
		return l.instance(v, name, legacy.CheckServiceAffinity, legacy.ServiceAffinityArgs{Name: name, Labels: service.Labels})
	case labels != nil:
		args := legacy.LabelsArgs{Name: name, Labels: labels.Labels, Presence: labels.Presence}
		return l.instance(v, name, legacy.CheckNodeLabelPresence, args)
	}
	return ""
}

// priorityArgument is what makes a priority of a name of the user's own.
type priorityArgument struct {
	ServiceAntiAffinity *struct {
		Label string `json:"label" doc:"required"`
	} `json:"serviceAntiAffinity"`
	LabelPreference *struct {
		Label    string `json:"label" doc:"required"`
		Presence bool   `json:"presence"`
	} `json:"labelPreference"`
	Ratio *struct {
		Shape     []shapePoint   `json:"shape"`
		Resources []resourceSpec `json:"resources"`
	} `json:"requestedToCapacityRatioArguments"`
}

// priorityArgument reads the argument of a priority and makes the rule.
//
// Upstream: RegisterCustomPriorityFunction and validatePriorityOrDie,
// pkg/scheduler/factory/plugins.go, v1.16.15.
func (l *legacyReading) priorityArgument(name string, v document.Value) {
	var a priorityArgument
	l.errors.Append(document.Decode(v, &a))
	only := l.oneOf(v, "serviceAntiAffinity", "labelPreference", "requestedToCapacityRatioArguments")
	var of string
	var args any
	if anti := a.ServiceAntiAffinity; anti != nil {
		l.labelKey(v.Get("serviceAntiAffinity"), "label", anti.Label)
		of, args = legacy.ServiceAntiAffinityPriority, legacy.AntiAffinityArgs{Name: name, Label: anti.Label}
	}
	if label := a.LabelPreference; label != nil {
		l.labelKey(v.Get("labelPreference"), "label", label.Label)
		of, args = legacy.NodeLabelPriority, legacy.LabelsArgs{Name: name, Labels: []string{label.Label}, Presence: label.Presence}
	}
	if ratio := a.Ratio; ratio != nil {
		at := v.Get("requestedToCapacityRatioArguments")
		shape, resources := l.shape(at, ratio.Shape), l.ratioResources(at, ratio.Resources)
		of, args = legacy.RequestedToCapacityRatioPriority, legacy.RatioArgs{Name: name, Shape: shape, Resources: resources}
	}
	if only && of != "" {
		l.instance(v, name, of, args)
	}
}

// ratioResources reads the resources and their weights: 1 where none is given, never
// negative.
func (l *legacyReading) ratioResources(v document.Value, specs []resourceSpec) []plugins.ResourceWeight {
	for i, r := range specs {
		switch {
		case r.Weight < 0:
			l.errors.Add(v, document.Path("resources", i, "weight"), "must not be negative")
		case r.Weight > maxRatioWeight:
			l.errors.Add(v, document.Path("resources", i, "weight"), "must not be above %d", int64(maxRatioWeight))
		}
		if r.Name != "" && !isQualifiedName(r.Name) {
			l.errors.Add(v, document.Path("resources", i, "name"), "is not the name of a resource")
		}
		if slices.ContainsFunc(specs[:i], func(other resourceSpec) bool { return other.Name == r.Name }) {
			l.errors.Add(v, document.Path("resources", i, "name"), "is listed twice")
		}
	}
	return resourceWeights(specs)
}

// maxRatioWeight is the largest weight that a file of that time can give: a 32 bit number.
const maxRatioWeight = 1<<31 - 1

// oneOf checks that an argument has exactly one of the members that it may have.
func (l *legacyReading) oneOf(v document.Value, members ...string) bool {
	if v.Kind() != document.Map {
		return false // reported where it is decoded
	}
	var given []string
	for _, name := range members {
		if m := v.Get(name); m.Exists() && m.Kind() != document.Null {
			given = append(given, name)
		}
	}
	switch {
	case len(given) > 1:
		l.errors.Add(v, given[1], "stands beside %s; a rule has one argument", given[0])
	case len(given) == 0 && v.Len() == 0:
		l.errors.Add(v, "", "needs one of %s", strings.Join(members, ", "))
	}
	return len(given) == 1
}

func (l *legacyReading) labelKeys(v document.Value, labels []string) {
	if len(labels) == 0 {
		l.errors.Add(v, "labels", "must not be empty")
	}
	for i, label := range labels {
		l.labelKey(v, document.Path("labels", i), label)
	}
}

func (l *legacyReading) labelKey(v document.Value, path, label string) {
	if !isQualifiedName(label) && v.Find(path).Kind() == document.String {
		l.errors.Add(v, path, "is not the key of a label")
	}
}
