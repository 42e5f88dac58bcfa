package validate

import (
	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// SelectorOps are the operators of node selectors, as the cluster and as apimachinery name them.
var SelectorOps = map[v1.NodeSelectorOperator]struct {
	Op        cluster.Operator
	Selection selection.Operator
}{
	v1.NodeSelectorOpIn:           {cluster.In, selection.In},
	v1.NodeSelectorOpNotIn:        {cluster.NotIn, selection.NotIn},
	v1.NodeSelectorOpExists:       {cluster.Exists, selection.Exists},
	v1.NodeSelectorOpDoesNotExist: {cluster.DoesNotExist, selection.DoesNotExist},
	v1.NodeSelectorOpGt:           {cluster.Gt, selection.GreaterThan},
	v1.NodeSelectorOpLt:           {cluster.Lt, selection.LessThan},
}

// FaultyTerm notes why a term that has passed no validation cannot be used.
func (c *Checker) FaultyTerm(faults *document.Errors, at document.Value, path string, term *v1.NodeSelectorTerm, fault string) {
	for i := range term.MatchFields {
		if term.MatchFields[i].Key != metav1.ObjectNameField {
			faults.Add(at, decode.Join(path+".matchFields", i)+".key", "is not a field that nodes are selected by; metadata.name is")
			return
		}
	}
	if fault != "" && c.NoErrorAt(at, path) {
		faults.Add(at, path, "is not valid: %s", fault)
	}
}

// nodeAffinity checks the node affinity of a pod.
//
// Upstream: validateNodeAffinity of pkg/apis/core/validation, v1.36.3.
func (c *Checker) nodeAffinity(faults *document.Errors, at document.Value, a *v1.NodeAffinity) {
	if s := a.RequiredDuringSchedulingIgnoredDuringExecution; s != nil {
		path := "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
		if len(s.NodeSelectorTerms) == 0 {
			faults.Add(at, path, "must have at least one term")
		}
		for i := range s.NodeSelectorTerms {
			c.term(faults, at, decode.Join(path, i), &s.NodeSelectorTerms[i])
			c.termValues(faults, at, decode.Join(path, i), &s.NodeSelectorTerms[i])
		}
	}
	for i := range a.PreferredDuringSchedulingIgnoredDuringExecution {
		t := &a.PreferredDuringSchedulingIgnoredDuringExecution[i]
		path := decode.Join("preferredDuringSchedulingIgnoredDuringExecution", i)
		if t.Weight < 1 || t.Weight > 100 {
			faults.Add(at, path+".weight", "must be in the range 1-100")
		}
		c.term(faults, at, path+".preference", &t.Preference)
	}
}

func (c *Checker) term(faults *document.Errors, at document.Value, path string, t *v1.NodeSelectorTerm) {
	for i := range t.MatchExpressions {
		r := &t.MatchExpressions[i]
		path := decode.Join(path+".matchExpressions", i)
		if what := valuesFault(r); what != "" {
			faults.Add(at, path+".values", "%s", what)
		}
		if _, known := SelectorOps[r.Operator]; !known {
			faults.Add(at, path+".operator", "is not an operator; In, NotIn, Exists, DoesNotExist, Gt and Lt are")
		}
		if what := c.LabelKey(r.Key); what != "" {
			faults.Add(at, path+".key", "is not valid: %s", what)
		}
	}
	for i := range t.MatchFields {
		r := &t.MatchFields[i]
		path := decode.Join(path+".matchFields", i)
		switch {
		case r.Operator != v1.NodeSelectorOpIn && r.Operator != v1.NodeSelectorOpNotIn:
			faults.Add(at, path+".operator", "is not an operator for fields; In and NotIn are")
		case len(r.Values) != 1:
			faults.Add(at, path+".values", "must hold exactly one value")
		}
		if r.Key != metav1.ObjectNameField {
			faults.Add(at, path+".key", "is not a field that nodes are selected by; metadata.name is")
		}
		for j, name := range r.Values {
			if what := c.subdomain(name); what != "" {
				faults.Add(at, decode.Join(path+".values", j), "is not valid: %s", what)
			}
		}
	}
}

// valuesFault says what is wrong with the number of values, if anything is.
func valuesFault(r *v1.NodeSelectorRequirement) string {
	switch r.Operator {
	case v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn:
		if len(r.Values) == 0 {
			return "must hold a value when the operator is In or NotIn"
		}
	case v1.NodeSelectorOpExists, v1.NodeSelectorOpDoesNotExist:
		if len(r.Values) > 0 {
			return "must be empty when the operator is Exists or DoesNotExist"
		}
	case v1.NodeSelectorOpGt, v1.NodeSelectorOpLt:
		if len(r.Values) != 1 {
			return "must hold exactly one value when the operator is Gt or Lt"
		}
	}
	return ""
}

// termValues checks the values of a required term. Those of preferred ones may be anything.
func (c *Checker) termValues(faults *document.Errors, at document.Value, path string, t *v1.NodeSelectorTerm) {
	for i := range t.MatchExpressions {
		for j, value := range t.MatchExpressions[i].Values {
			if what := c.LabelValue(value); what != "" {
				faults.Add(at, decode.Join(path, "matchExpressions", i, "values", j), "is not valid: %s", what)
			}
		}
	}
}

// TaintEffects are the effects of taints by name. A toleration may leave it empty.
var TaintEffects = map[v1.TaintEffect]cluster.Effect{
	"":                             cluster.AnyEffect,
	v1.TaintEffectNoSchedule:       cluster.NoSchedule,
	v1.TaintEffectPreferNoSchedule: cluster.PreferNoSchedule,
	v1.TaintEffectNoExecute:        cluster.NoExecute,
}

const wrongEffect = "is not an effect; NoSchedule, PreferNoSchedule and NoExecute are"

// tolerations checks those of a pod or runtime class.
//
// Upstream: ValidateTolerations of pkg/apis/core/validation, v1.36.3.
func (c *Checker) tolerations(faults *document.Errors, at document.Value, list []v1.Toleration) {
	for i := range list {
		t := &list[i]
		path := document.Path("tolerations", i)
		if what := c.LabelKey(t.Key); t.Key != "" && what != "" {
			faults.Add(at, path+".key", "is not valid: %s", what)
		}
		if t.Key == "" && t.Operator != v1.TolerationOpExists && c.NoErrorAt(at, path+".key") {
			faults.Add(at, path+".operator", "must be Exists when the key is empty")
		}
		if t.TolerationSeconds != nil && t.Effect != v1.TaintEffectNoExecute {
			faults.Add(at, path+".effect", "must be NoExecute when tolerationSeconds is set")
		}
		if _, known := TaintEffects[t.Effect]; !known {
			faults.Add(at, path+".effect", wrongEffect)
		}
		c.tolerationValue(faults, at, path, t)
	}
}

func (c *Checker) tolerationValue(faults *document.Errors, at document.Value, path string, t *v1.Toleration) {
	switch t.Operator {
	case v1.TolerationOpEqual, "":
		if what := c.LabelValue(t.Value); what != "" {
			faults.Add(at, path+".value", "is not valid: %s", what)
		}
	case v1.TolerationOpExists:
		if t.Value != "" {
			faults.Add(at, path+".value", "must be empty when the operator is Exists")
		}
	case v1.TolerationOpLt, v1.TolerationOpGt:
		faults.Add(at, path+".operator", "is not supported: it is behind the feature gate TaintTolerationComparisonOperators, which is off")
	default:
		faults.Add(at, path+".operator", "is not an operator; Exists and Equal are")
	}
}
