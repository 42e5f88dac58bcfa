package manifest

import (
	"strconv"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// selectorOps are the operators of node selectors, as the cluster and as apimachinery name them.
var selectorOps = map[v1.NodeSelectorOperator]struct {
	op        cluster.Operator
	selection selection.Operator
}{
	v1.NodeSelectorOpIn:           {cluster.In, selection.In},
	v1.NodeSelectorOpNotIn:        {cluster.NotIn, selection.NotIn},
	v1.NodeSelectorOpExists:       {cluster.Exists, selection.Exists},
	v1.NodeSelectorOpDoesNotExist: {cluster.DoesNotExist, selection.DoesNotExist},
	v1.NodeSelectorOpGt:           {cluster.Gt, selection.GreaterThan},
	v1.NodeSelectorOpLt:           {cluster.Lt, selection.LessThan},
}

// NodeAffinity reads a NodeAffinity that stands outside of a pod: the addedAffinity of the arguments of
// the plugin NodeAffinity. The selector is nil if there is none; every term can be evaluated.
func (cp *compiler) NodeAffinity(v document.Value) (cluster.NodeSelector, []cluster.PreferredTerm, error) {
	var a v1.NodeAffinity
	var faults document.Errors
	cp.check.decode(&faults, v, &a)
	var selector cluster.NodeSelector
	if required := a.RequiredDuringSchedulingIgnoredDuringExecution; required != nil {
		selector = cp.selector(required)
		for i := range selector {
			path := join("requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms", i)
			cp.check.faultyTerm(&faults, v, path, &required.NodeSelectorTerms[i], selector[i].Fault)
		}
	}
	for i := range a.PreferredDuringSchedulingIgnoredDuringExecution {
		if !cp.check.knows(v, join("preferredDuringSchedulingIgnoredDuringExecution", i)) {
			a.PreferredDuringSchedulingIgnoredDuringExecution[i].Weight = 0 // lest the other terms be at fault with it
		}
	}
	preferred := cp.preferredTerms(a.PreferredDuringSchedulingIgnoredDuringExecution)
	for i := range preferred {
		path := join("preferredDuringSchedulingIgnoredDuringExecution", i)
		term := &a.PreferredDuringSchedulingIgnoredDuringExecution[i].Preference
		cp.check.faultyTerm(&faults, v, path+".preference", term, preferred[i].Term.Fault)
		if preferred[i].Weight == 0 {
			preferred[i].Term = cluster.NodeTerm{} // as upstream: not even looked at
		}
	}
	cp.check.settle(&faults)
	return selector, preferred, faults.Err()
}

// faultyTerm notes why a term that has passed no validation cannot be used.
func (c *checker) faultyTerm(faults *document.Errors, at document.Value, path string, term *v1.NodeSelectorTerm, fault string) {
	for i := range term.MatchFields {
		if term.MatchFields[i].Key != metav1.ObjectNameField {
			faults.Add(at, join(path+".matchFields", i)+".key", "is not a field that nodes are selected by; metadata.name is")
			return
		}
	}
	if fault != "" && c.knows(at, path) {
		faults.Add(at, path, "is not valid: %s", fault)
	}
}

// selector compiles required terms. A selector without terms matches nothing.
func (cp *compiler) selector(s *v1.NodeSelector) cluster.NodeSelector {
	out := make(cluster.NodeSelector, len(s.NodeSelectorTerms))
	for i := range s.NodeSelectorTerms {
		var errs []error
		out[i], errs = cp.term(&s.NodeSelectorTerms[i], field.NewPath("nodeSelectorTerms").Index(i))
		out[i].Fault = wording(errs)
	}
	return out
}

// preferredTerms compiles preferred terms. If any of them cannot be evaluated, upstream fails for all
// of them together, so each one that is faulty carries all faults.
//
// Upstream: NewPreferredSchedulingTerms of k8s.io/component-helpers/scheduling/corev1/nodeaffinity, v0.36.3.
func (cp *compiler) preferredTerms(terms []v1.PreferredSchedulingTerm) []cluster.PreferredTerm {
	var out []cluster.PreferredTerm
	var all []error
	var faulty []int
	for i := range terms {
		var path *field.Path
		term, errs := cp.term(&terms[i].Preference, path.Index(i))
		if len(errs) > 0 && terms[i].Weight != 0 {
			all, faulty = append(all, errs...), append(faulty, i)
		}
		out = append(out, cluster.PreferredTerm{Weight: int64(terms[i].Weight), Term: term})
	}
	for _, i := range faulty {
		out[i].Term.Fault = wording(all)
	}
	return out
}

// wording is how upstream words errors of terms.
func wording(errs []error) string {
	if len(errs) == 0 {
		return ""
	}
	return utilerrors.Flatten(utilerrors.NewAggregate(errs)).Error()
}

// term compiles one term and says what upstream has against it.
func (cp *compiler) term(t *v1.NodeSelectorTerm, path *field.Path) (term cluster.NodeTerm, errs []error) {
	for i := range t.MatchExpressions {
		r, err := cp.requirement(&t.MatchExpressions[i], path.Child("matchExpressions").Index(i))
		if err != nil {
			errs = append(errs, err)
		}
		term.Labels = append(term.Labels, r)
	}
	for i := range t.MatchFields {
		r, err := cp.fieldRequirement(&t.MatchFields[i], path.Child("matchFields").Index(i))
		if err != nil {
			errs = append(errs, err)
		}
		term.Names = append(term.Names, r)
	}
	return term, errs
}

func (cp *compiler) requirement(r *v1.NodeSelectorRequirement, path *field.Path) (cluster.Requirement, error) {
	ops, known := selectorOps[r.Operator]
	if !known {
		valid := []v1.NodeSelectorOperator{v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn, v1.NodeSelectorOpExists,
			v1.NodeSelectorOpDoesNotExist, v1.NodeSelectorOpGt, v1.NodeSelectorOpLt}
		return cluster.Requirement{}, field.NotSupported(path.Child("operator"), r.Operator, valid)
	}
	out := cluster.Requirement{Key: cp.vocabulary.Sym(r.Key), Op: ops.op, Values: cp.syms(r.Values)}
	if cp.plainRequirement(ops.op, r) {
		return out, nil
	}
	if _, err := labels.NewRequirement(r.Key, ops.selection, r.Values, field.WithPath(path)); err != nil {
		return out, err
	}
	if ops.op == cluster.Gt || ops.op == cluster.Lt {
		out.Bound, _ = strconv.ParseInt(r.Values[0], 10, 64) // parsed by NewRequirement before
	}
	return out, nil
}

// plainRequirement reports whether a requirement is of a common and obviously valid form.
func (cp *compiler) plainRequirement(op cluster.Operator, r *v1.NodeSelectorRequirement) bool {
	if op == cluster.Gt || op == cluster.Lt || (len(r.Values) > 0) != (op == cluster.In || op == cluster.NotIn) {
		return false
	}
	for _, value := range r.Values {
		if cp.check.labelValue(value) != "" {
			return false
		}
	}
	return cp.check.labelKey(r.Key) == ""
}

func (cp *compiler) fieldRequirement(r *v1.NodeSelectorRequirement, path *field.Path) (cluster.Requirement, error) {
	op := selectorOps[r.Operator].op
	out := cluster.Requirement{Key: cp.vocabulary.Sym(r.Key), Op: op, Values: cp.syms(r.Values)}
	switch {
	case r.Operator != v1.NodeSelectorOpIn && r.Operator != v1.NodeSelectorOpNotIn:
		valid := []v1.NodeSelectorOperator{v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn}
		return out, field.NotSupported(path.Child("operator"), r.Operator, valid)
	case len(r.Values) != 1:
		return out, field.Invalid(path.Child("values"), r.Values, "must have one element")
	}
	return out, nil
}

func (cp *compiler) syms(texts []string) []cluster.Sym {
	if len(texts) == 0 {
		return nil
	}
	out := make([]cluster.Sym, len(texts))
	for i, text := range texts {
		out[i] = cp.vocabulary.Sym(text)
	}
	return out
}

// nodeAffinity checks the node affinity of a pod.
//
// Upstream: validateNodeAffinity of pkg/apis/core/validation, v1.36.3.
func (c *checker) nodeAffinity(faults *document.Errors, at document.Value, a *v1.NodeAffinity) {
	if s := a.RequiredDuringSchedulingIgnoredDuringExecution; s != nil {
		path := "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
		if len(s.NodeSelectorTerms) == 0 {
			faults.Add(at, path, "must have at least one term")
		}
		for i := range s.NodeSelectorTerms {
			c.term(faults, at, join(path, i), &s.NodeSelectorTerms[i])
			c.termValues(faults, at, join(path, i), &s.NodeSelectorTerms[i])
		}
	}
	for i := range a.PreferredDuringSchedulingIgnoredDuringExecution {
		t := &a.PreferredDuringSchedulingIgnoredDuringExecution[i]
		path := join("preferredDuringSchedulingIgnoredDuringExecution", i)
		if t.Weight < 1 || t.Weight > 100 {
			faults.Add(at, path+".weight", "must be in the range 1-100")
		}
		c.term(faults, at, path+".preference", &t.Preference)
	}
}

func (c *checker) term(faults *document.Errors, at document.Value, path string, t *v1.NodeSelectorTerm) {
	for i := range t.MatchExpressions {
		r := &t.MatchExpressions[i]
		path := join(path+".matchExpressions", i)
		if what := valuesFault(r); what != "" {
			faults.Add(at, path+".values", "%s", what)
		}
		if _, known := selectorOps[r.Operator]; !known {
			faults.Add(at, path+".operator", "is not an operator; In, NotIn, Exists, DoesNotExist, Gt and Lt are")
		}
		if what := c.labelKey(r.Key); what != "" {
			faults.Add(at, path+".key", "is not valid: %s", what)
		}
	}
	for i := range t.MatchFields {
		r := &t.MatchFields[i]
		path := join(path+".matchFields", i)
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
				faults.Add(at, join(path+".values", j), "is not valid: %s", what)
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
func (c *checker) termValues(faults *document.Errors, at document.Value, path string, t *v1.NodeSelectorTerm) {
	for i := range t.MatchExpressions {
		for j, value := range t.MatchExpressions[i].Values {
			if what := c.labelValue(value); what != "" {
				faults.Add(at, join(path, "matchExpressions", i, "values", j), "is not valid: %s", what)
			}
		}
	}
}

// effects are the effects of taints by name. A toleration may leave it empty.
var effects = map[v1.TaintEffect]cluster.Effect{
	"":                             cluster.AnyEffect,
	v1.TaintEffectNoSchedule:       cluster.NoSchedule,
	v1.TaintEffectPreferNoSchedule: cluster.PreferNoSchedule,
	v1.TaintEffectNoExecute:        cluster.NoExecute,
}

const wrongEffect = "is not an effect; NoSchedule, PreferNoSchedule and NoExecute are"

// tolerations checks those of a pod or runtime class.
//
// Upstream: ValidateTolerations of pkg/apis/core/validation, v1.36.3.
func (c *checker) tolerations(faults *document.Errors, at document.Value, list []v1.Toleration) {
	for i := range list {
		t := &list[i]
		path := document.Path("tolerations", i)
		if what := c.labelKey(t.Key); t.Key != "" && what != "" {
			faults.Add(at, path+".key", "is not valid: %s", what)
		}
		if t.Key == "" && t.Operator != v1.TolerationOpExists && c.knows(at, path+".key") {
			faults.Add(at, path+".operator", "must be Exists when the key is empty")
		}
		if t.TolerationSeconds != nil && t.Effect != v1.TaintEffectNoExecute {
			faults.Add(at, path+".effect", "must be NoExecute when tolerationSeconds is set")
		}
		if _, known := effects[t.Effect]; !known {
			faults.Add(at, path+".effect", wrongEffect)
		}
		c.tolerationValue(faults, at, path, t)
	}
}

func (c *checker) tolerationValue(faults *document.Errors, at document.Value, path string, t *v1.Toleration) {
	switch t.Operator {
	case v1.TolerationOpEqual, "":
		if what := c.labelValue(t.Value); what != "" {
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

func (cp *compiler) tolerations(list []v1.Toleration) []cluster.Toleration {
	var out []cluster.Toleration
	for i := range list {
		t := &list[i]
		toleration := cluster.Toleration{
			Key:    cp.vocabulary.Sym(t.Key),
			Value:  cp.vocabulary.Sym(t.Value),
			Exists: t.Operator == v1.TolerationOpExists,
			Effect: effects[t.Effect],
		}
		if t.TolerationSeconds != nil {
			toleration.Limited = true
			toleration.For = clock.FromSeconds(float64(*t.TolerationSeconds))
		}
		out = append(out, toleration)
	}
	return out
}
