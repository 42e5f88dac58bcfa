package compile

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// servicesOf are the selectors of the Services that select a pod, in the order of the objects.
//
// Upstream: GetPodServices of staging/src/k8s.io/client-go/listers/core/v1/service_expansion.go,
// v1.16.15. Differs: the order, which there is that of a cache.
func (compiler *Compiler) servicesOf(meta *metav1.ObjectMeta) []cluster.LabelSelector {
	var out []cluster.LabelSelector
	for _, selector := range compiler.Selectors.servicesFor(meta) {
		out = append(out, compiler.podSelector(&metav1.LabelSelector{MatchLabels: selector}))
	}
	return out
}

// Selectors is what belongs together by selectors: Services, and controllers with their pods.
type Selectors struct {
	services map[pinned][]service                // by what their pods surely have
	count    int                                 // of services
	owners   map[ownerName]*metav1.LabelSelector // of controllers
	hashes   map[ownerName]string                // label pod-template-hash of pods, by Deployment
}

// ownerName is a controller as its pods name it.
type ownerName struct{ apiVersion, kind, namespace, name string }

func newSelecting() Selectors {
	return Selectors{services: map[pinned][]service{}, owners: map[ownerName]*metav1.LabelSelector{}, hashes: map[ownerName]string{}}
}

// pinned is a label of the pods of a namespace.
type pinned struct{ namespace, key, value string }

// service is the selector of a Service.
type service struct {
	number   int // in the order of the objects
	selector map[string]string
}

// addService adds the selector of a Service, which is not empty.
func (s *Selectors) addService(namespace string, selector map[string]string) {
	first := slices.Min(slices.Collect(maps.Keys(selector)))
	at := pinned{namespace, first, selector[first]}
	s.services[at] = append(s.services[at], service{s.count, selector})
	s.count++
}

// servicesFor are the selectors of the Services that select a pod, in the order of the objects.
func (s *Selectors) servicesFor(meta *metav1.ObjectMeta) []map[string]string {
	var found []service
	for key, value := range meta.Labels {
		for _, one := range s.services[pinned{meta.Namespace, key, value}] {
			if includes(meta.Labels, one.selector) {
				found = append(found, one)
			}
		}
	}
	slices.SortFunc(found, func(a, b service) int { return cmp.Compare(a.number, b.number) })
	out := make([]map[string]string, len(found))
	for i, one := range found {
		out[i] = one.selector
	}
	return out
}

// Clone returns a copy that can be added to.
func (s *Selectors) Clone() Selectors {
	out := Selectors{maps.Clone(s.services), s.count, maps.Clone(s.owners), maps.Clone(s.hashes)}
	for at, list := range out.services {
		out.services[at] = slices.Clip(list)
	}
	return out
}

// AddService makes the selector of a Service known to the pods that it selects.
func (compiler *Compiler) AddService(o *decode.Object) {
	if selector := o.Typed.(*v1.Service).Spec.Selector; len(selector) > 0 {
		compiler.Selectors.addService(o.Namespace, selector)
	}
}

// AddOwner makes the selector of a controller known to its pods.
func (compiler *Compiler) AddOwner(o *decode.Object) {
	if m, ok := o.Typed.(*validate.Controller); ok && m.Selector != nil {
		compiler.Selectors.owners[ownerName{o.Kind.APIVersion(), o.Kind.Name, o.Namespace, o.Name}] = m.Selector
	}
}

// AddPodOfDeployment notes the pod-template-hash of pods of a Deployment, so that those which
// it makes besides have the same.
func (compiler *Compiler) AddPodOfDeployment(o *decode.Object) {
	pod := o.Typed.(*v1.Pod)
	ref, hash := metav1.GetControllerOfNoCopy(pod), pod.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
	if ref == nil || hash == "" || pod.DeletionTimestamp != nil {
		return
	}
	if of, ok := deploymentOf(ref, o.Namespace); ok && compiler.Selectors.hashes[of] == "" {
		compiler.Selectors.hashes[of] = hash
	}
}

// deploymentOf is the Deployment that the name of a ReplicaSet tells.
func deploymentOf(ref *metav1.OwnerReference, namespace string) (ownerName, bool) {
	i := strings.LastIndexByte(ref.Name, '-')
	if ref.APIVersion != "apps/v1" || ref.Kind != "ReplicaSet" || i < 0 {
		return ownerName{}, false
	}
	return ownerName{ref.APIVersion, "Deployment", namespace, ref.Name[:i]}, true
}

// SetOwner gives the template of a controller what its pods have: it as their owner. Those of a
// Deployment are owned by a ReplicaSet which is not among the objects; they have its
// pod-template-hash, made up from the name of the Deployment where no pod tells it.
//
// Upstream: getNewReplicaSet of pkg/controller/deployment/sync.go, v1.36.3. Differs: the hash,
// which there is one of the template.
func (compiler *Compiler) SetOwner(o *decode.Object, m *validate.Controller) {
	controls := true
	ref := metav1.OwnerReference{APIVersion: o.Kind.APIVersion(), Kind: o.Kind.Name, Name: o.Name, UID: m.UID, Controller: &controls}
	if o.Kind.Name == "Deployment" {
		hash := compiler.Selectors.hashes[ownerName{ref.APIVersion, ref.Kind, o.Namespace, o.Name}]
		if hash == "" {
			h := fnv.New32a()
			h.Write([]byte(o.Namespace + "/" + o.Name))
			hash = fmt.Sprintf("%08x", h.Sum32())
		}
		ref.Kind, ref.Name, ref.UID = "ReplicaSet", o.Name+"-"+hash, ""
		m.Template.Labels = admit.MergeLabels(m.Template.Labels, map[string]string{appsv1.DefaultDeploymentUniqueLabelKey: hash})
	}
	m.Template.OwnerReferences = []metav1.OwnerReference{ref}
}

// defaultSelector selects the pods that belong together with one: those that the same
// Services select, and the same controller. It is empty where there is neither.
//
// Upstream: DefaultSelector of framework/plugins/helper/spread.go, v1.36.3.
func (compiler *Compiler) defaultSelector(meta *metav1.ObjectMeta) cluster.LabelSelector {
	set := map[string]string{}
	for _, selector := range compiler.Selectors.servicesFor(meta) {
		maps.Copy(set, selector)
	}
	kind, owner := compiler.ownerOf(meta)
	if owner != nil && kind == "ReplicationController" {
		maps.Copy(set, owner.MatchLabels)
		owner = nil
	}
	out := compiler.podSelector(&metav1.LabelSelector{MatchLabels: set})
	if owner == nil {
		return out
	}
	for _, r := range compiler.podSelector(owner).Requirements {
		if r.Op == cluster.In && len(r.Values) == 1 {
			out.Requirements = compiler.require(out.Requirements, compiler.vocabulary.Text(r.Key), compiler.vocabulary.Text(r.Values[0]))
		} else {
			out.Requirements = append(out.Requirements, r)
		}
	}
	return out
}

// includes reports whether all of these labels are among the labels.
func includes(labels, these map[string]string) bool {
	for key, value := range these {
		if has, given := labels[key]; !given || has != value {
			return false
		}
	}
	return true
}

// ownerOf is the selector of the controller of a pod, of the kinds that keep pods apart by
// one. A ReplicaSet that is not among the objects has the selector of its Deployment, and
// the pod-template-hash.
func (compiler *Compiler) ownerOf(meta *metav1.ObjectMeta) (kind string, selector *metav1.LabelSelector) {
	ref := metav1.GetControllerOfNoCopy(meta)
	if ref == nil {
		return "", nil
	}
	switch ref.APIVersion + " " + ref.Kind {
	case "v1 ReplicationController", "apps/v1 ReplicaSet", "apps/v1 StatefulSet":
	default:
		return "", nil
	}
	if known := compiler.Selectors.owners[ownerName{ref.APIVersion, ref.Kind, meta.Namespace, ref.Name}]; known != nil {
		return ref.Kind, known
	}
	of, ok := deploymentOf(ref, meta.Namespace)
	hash, has := meta.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
	deployment := compiler.Selectors.owners[of]
	if !ok || !has || deployment == nil {
		return "", nil
	}
	of.kind = ref.Kind
	return of.kind, &metav1.LabelSelector{
		MatchLabels:      admit.MergeLabels(deployment.MatchLabels, map[string]string{appsv1.DefaultDeploymentUniqueLabelKey: hash}),
		MatchExpressions: deployment.MatchExpressions,
	}
}
