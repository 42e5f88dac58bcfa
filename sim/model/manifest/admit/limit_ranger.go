package admit

import (
	"slices"

	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
	"github.com/berth-sim/berth/sim/model/release"
)

// limitRange is a LimitRange, defaults of the API server included.
type limitRange struct {
	name   string
	limits []v1.LimitRangeItem
	faulty bool // the limits are not known
}

// RegisterLimits makes the limits of a namespace known before its pods are admitted, or reports that they
// are left out.
func (chain *Chain) RegisterLimits(o *decode.Object) (ignored bool) {
	on, said := chain.plugins[LimitRanger]
	r := o.Typed.(*v1.LimitRange)
	switch {
	case said && !on:
		return true
	case !said:
		o.Faults.Add(o.At, "kind", "needs the admission plugin LimitRanger, which is not enabled; the field admission or --admission "+
			"takes LimitRanger, or -LimitRanger to ignore LimitRanges")
		return false
	}
	namespace := o.Namespace
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	for i := range r.Spec.Limits {
		if r.Spec.Limits[i].Type == v1.LimitTypePersistentVolumeClaim {
			chain.warnings.Once("limits of claims", o.At, "limits of the type PersistentVolumeClaim are not checked")
		}
	}
	chain.limits[namespace] = append(slices.Clip(chain.limits[namespace]), limitRange{o.Name, r.Spec.Limits, len(o.Faults) > 0})
	return false
}

// giveLimits gives the containers of a pod the defaults of its namespace, and refuses a pod that
// does not keep to its limits. LimitRanges come in the order of the documents, upstream in none. What
// is asked for is checked only now: a limit that was missing may be there. A pod that runs is left as
// it is.
//
// Upstream: plugin/pkg/admission/limitranger/admission.go, v1.36.3.
func (chain *Chain) giveLimits(faults *document.Errors, p Source) {
	var ranges []limitRange
	if !p.Running {
		ranges = chain.limits[p.Meta.Namespace]
		defaultRequests(p.Spec, chain.defaultsBefore())
	}
	if chain.unnamed["LimitRange"] || slices.ContainsFunc(ranges, func(r limitRange) bool { return r.faulty }) {
		return
	}
	for _, r := range ranges {
		for i := range r.limits {
			if r.limits[i].Type == v1.LimitTypeContainer {
				resources.EachContainer(p.Spec, func(_ string, c *v1.Container) { giveDefaults(&c.Resources, &r.limits[i]) })
			}
		}
	}
	c := *chain.check
	c.LimitsFollow = false
	s := validate.NewSpecCheck(&c, faults, p.At.Get("spec"), p.Spec)
	before := len(*faults)
	resources.EachContainer(p.Spec, func(path string, c *v1.Container) {
		s.Requirements(path+".resources", &c.Resources, validate.ContainerNames)
	})
	s.PodResources()
	d := c.FollowOn
	if d.End(faults); len(*faults) > before {
		return // the defaults do not go with what the pod says itself
	}
	for _, r := range ranges {
		for i := range r.limits {
			s.EnforceLimits(r.name, &r.limits[i])
		}
	}
}

// defaultRequests writes the requests that follow from limits into the spec, and limits of huge pages
// that follow from those of containers, as far as these defaults come before admission.
func defaultRequests(spec *v1.PodSpec, defaults release.PodLevelDefaults) {
	d := resources.RequestsOf(spec, defaults)
	var limits resources.Amounts
	if spec.Resources != nil {
		limits = resources.PodLimits(spec, defaults)
	}
	resources.EachContainer(spec, func(_ string, c *v1.Container) { addMissing(&c.Resources.Requests, c.Resources.Limits) })
	if spec.Resources == nil {
		return
	}
	addMissing(&spec.Resources.Limits, limits.List())
	addMissing(&spec.Resources.Requests, d.Pod.List())
}

// defaultsBefore returns which defaults of a pod's own resources come before admission. Those that are taken from the
// containers come after it.
func (chain *Chain) defaultsBefore() release.PodLevelDefaults {
	if defaults := chain.check.Rules.PodLevelDefaults; defaults != release.PodLevelDefaultsContainers {
		return defaults
	}
	return release.PodLevelDefaultsNone
}

func giveDefaults(r *v1.ResourceRequirements, item *v1.LimitRangeItem) {
	addMissing(&r.Limits, item.Default)
	addMissing(&r.Requests, item.DefaultRequest)
}

func addMissing(to *v1.ResourceList, from v1.ResourceList) {
	for name, q := range from {
		if *to == nil {
			*to = v1.ResourceList{}
		}
		if _, has := (*to)[name]; !has {
			(*to)[name] = q.DeepCopy()
		}
	}
}
