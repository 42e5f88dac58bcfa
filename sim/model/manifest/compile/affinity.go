package compile

import (
	"strconv"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// NodeAffinity reads a NodeAffinity that stands outside of a pod: the addedAffinity of the arguments of
// the plugin NodeAffinity. The selector is nil if there is none; every term can be evaluated.
func (compiler *Compiler) NodeAffinity(v document.Value) (cluster.NodeSelector, []cluster.PreferredTerm, error) {
	var a v1.NodeAffinity
	var faults document.Errors
	compiler.check.Decode(&faults, v, &a)
	var selector cluster.NodeSelector
	if required := a.RequiredDuringSchedulingIgnoredDuringExecution; required != nil {
		selector = compiler.selector(required)
		for i := range selector {
			path := decode.Join("requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms", i)
			compiler.check.FaultyTerm(&faults, v, path, &required.NodeSelectorTerms[i], selector[i].Fault)
		}
	}
	for i := range a.PreferredDuringSchedulingIgnoredDuringExecution {
		if !compiler.check.NoErrorAt(v, decode.Join("preferredDuringSchedulingIgnoredDuringExecution", i)) {
			a.PreferredDuringSchedulingIgnoredDuringExecution[i].Weight = 0 // lest the other terms be at fault with it
		}
	}
	preferred := compiler.preferredTerms(a.PreferredDuringSchedulingIgnoredDuringExecution)
	for i := range preferred {
		path := decode.Join("preferredDuringSchedulingIgnoredDuringExecution", i)
		term := &a.PreferredDuringSchedulingIgnoredDuringExecution[i].Preference
		compiler.check.FaultyTerm(&faults, v, path+".preference", term, preferred[i].Term.Fault)
		if preferred[i].Weight == 0 {
			preferred[i].Term = cluster.NodeTerm{} // as upstream: not even looked at
		}
	}
	compiler.check.End(&faults)
	return selector, preferred, faults.Err()
}

// selector compiles required terms. A selector without terms matches nothing.
func (compiler *Compiler) selector(s *v1.NodeSelector) cluster.NodeSelector {
	out := make(cluster.NodeSelector, len(s.NodeSelectorTerms))
	for i := range s.NodeSelectorTerms {
		var errs []error
		out[i], errs = compiler.term(&s.NodeSelectorTerms[i], field.NewPath("nodeSelectorTerms").Index(i))
		out[i].Fault = wording(errs)
	}
	return out
}

// preferredTerms compiles preferred terms. If any of them cannot be evaluated, upstream fails for all
// of them together, so each one that is faulty carries all faults.
//
// Upstream: NewPreferredSchedulingTerms of k8s.io/component-helpers/scheduling/corev1/nodeaffinity, v0.36.3.
func (compiler *Compiler) preferredTerms(terms []v1.PreferredSchedulingTerm) []cluster.PreferredTerm {
	var out []cluster.PreferredTerm
	var all []error
	var faulty []int
	for i := range terms {
		var path *field.Path
		term, errs := compiler.term(&terms[i].Preference, path.Index(i))
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
func (compiler *Compiler) term(t *v1.NodeSelectorTerm, path *field.Path) (term cluster.NodeTerm, errs []error) {
	for i := range t.MatchExpressions {
		r, err := compiler.requirement(&t.MatchExpressions[i], path.Child("matchExpressions").Index(i))
		if err != nil {
			errs = append(errs, err)
		}
		term.Labels = append(term.Labels, r)
	}
	for i := range t.MatchFields {
		r, err := compiler.fieldRequirement(&t.MatchFields[i], path.Child("matchFields").Index(i))
		if err != nil {
			errs = append(errs, err)
		}
		term.Names = append(term.Names, r)
	}
	return term, errs
}

func (compiler *Compiler) requirement(r *v1.NodeSelectorRequirement, path *field.Path) (cluster.Requirement, error) {
	ops, known := validate.SelectorOps[r.Operator]
	if !known {
		valid := []v1.NodeSelectorOperator{v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn, v1.NodeSelectorOpExists,
			v1.NodeSelectorOpDoesNotExist, v1.NodeSelectorOpGt, v1.NodeSelectorOpLt}
		return cluster.Requirement{}, field.NotSupported(path.Child("operator"), r.Operator, valid)
	}
	out := cluster.Requirement{Key: compiler.vocabulary.Symbol(r.Key), Op: ops.Op, Values: compiler.syms(r.Values)}
	if compiler.plainRequirement(ops.Op, r) {
		return out, nil
	}
	if _, err := labels.NewRequirement(r.Key, ops.Selection, r.Values, field.WithPath(path)); err != nil {
		return out, err
	}
	if ops.Op == cluster.Gt || ops.Op == cluster.Lt {
		out.Bound, _ = strconv.ParseInt(r.Values[0], 10, 64) // parsed by NewRequirement before
	}
	return out, nil
}

// plainRequirement reports whether a requirement is of a common and obviously valid form.
func (compiler *Compiler) plainRequirement(op cluster.Operator, r *v1.NodeSelectorRequirement) bool {
	if op == cluster.Gt || op == cluster.Lt || (len(r.Values) > 0) != (op == cluster.In || op == cluster.NotIn) {
		return false
	}
	for _, value := range r.Values {
		if compiler.check.LabelValue(value) != "" {
			return false
		}
	}
	return compiler.check.LabelKey(r.Key) == ""
}

func (compiler *Compiler) fieldRequirement(r *v1.NodeSelectorRequirement, path *field.Path) (cluster.Requirement, error) {
	op := validate.SelectorOps[r.Operator].Op
	out := cluster.Requirement{Key: compiler.vocabulary.Symbol(r.Key), Op: op, Values: compiler.syms(r.Values)}
	switch {
	case r.Operator != v1.NodeSelectorOpIn && r.Operator != v1.NodeSelectorOpNotIn:
		valid := []v1.NodeSelectorOperator{v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn}
		return out, field.NotSupported(path.Child("operator"), r.Operator, valid)
	case len(r.Values) != 1:
		return out, field.Invalid(path.Child("values"), r.Values, "must have one element")
	}
	return out, nil
}

func (compiler *Compiler) syms(texts []string) []cluster.Symbol {
	if len(texts) == 0 {
		return nil
	}
	out := make([]cluster.Symbol, len(texts))
	for i, text := range texts {
		out[i] = compiler.vocabulary.Symbol(text)
	}
	return out
}

func (compiler *Compiler) tolerations(list []v1.Toleration) []cluster.Toleration {
	var out []cluster.Toleration
	for i := range list {
		t := &list[i]
		toleration := cluster.Toleration{
			Key:    compiler.vocabulary.Symbol(t.Key),
			Value:  compiler.vocabulary.Symbol(t.Value),
			Exists: t.Operator == v1.TolerationOpExists,
			Effect: validate.TaintEffects[t.Effect],
		}
		if t.TolerationSeconds != nil {
			toleration.HasTolerationSeconds = true
			toleration.TolerationSeconds = clock.FromSeconds(float64(*t.TolerationSeconds))
		}
		out = append(out, toleration)
	}
	return out
}
