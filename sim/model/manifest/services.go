package manifest

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
)

// selecting is what belongs together by selectors: Services, and controllers with their pods.
type selecting struct {
	services map[pinned][]service                // by what their pods surely have
	count    int                                 // of services
	owners   map[ownerName]*metav1.LabelSelector // of controllers
	hashes   map[ownerName]string                // label pod-template-hash of pods, by Deployment
}

// ownerName is a controller as its pods name it.
type ownerName struct{ apiVersion, kind, namespace, name string }

func newSelecting() selecting {
	return selecting{services: map[pinned][]service{}, owners: map[ownerName]*metav1.LabelSelector{}, hashes: map[ownerName]string{}}
}

// pinned is a label of the pods of a namespace.
type pinned struct{ namespace, key, value string }

// service is the selector of a Service.
type service struct {
	number   int // in the order of the objects
	selector map[string]string
}

// addService adds the selector of a Service, which is not empty.
func (s *selecting) addService(namespace string, selector map[string]string) {
	first := slices.Min(slices.Collect(maps.Keys(selector)))
	at := pinned{namespace, first, selector[first]}
	s.services[at] = append(s.services[at], service{s.count, selector})
	s.count++
}

// servicesFor are the selectors of the Services that select a pod, in the order of the objects.
func (s *selecting) servicesFor(meta *metav1.ObjectMeta) []map[string]string {
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

// clone is a copy that can be added to.
func (s *selecting) clone() selecting {
	out := selecting{maps.Clone(s.services), s.count, maps.Clone(s.owners), maps.Clone(s.hashes)}
	for at, list := range out.services {
		out.services[at] = slices.Clip(list)
	}
	return out
}

// readService checks what of a Service can matter to scheduling: the pods that it selects.
//
// Upstream: ValidateService of pkg/apis/core/validation, v1.36.3.
func readService(c *checker, o *object) {
	s := decoded[v1.Service](c, o)
	c.meta(o, &s.ObjectMeta, true)
	if what := c.dnsLabel(s.Name); c.subdomain(s.Name) == "" && what != "" {
		o.faults.Add(o.at, "metadata.name", "is not valid: %s", what)
	}
	c.labels(&o.faults, o.at, "spec.selector", s.Spec.Selector)
}

func (cp *compiler) addService(o *object) {
	if selector := o.typed.(*v1.Service).Spec.Selector; len(selector) > 0 {
		cp.selecting.addService(o.namespace, selector)
	}
}

// addOwner makes the selector of a controller known to its pods.
func (cp *compiler) addOwner(o *object) {
	if m, ok := o.typed.(*madeOf); ok && m.selector != nil {
		cp.selecting.owners[ownerName{o.kind.apiVersion(), o.kind.name, o.namespace, o.name}] = m.selector
	}
}

// addPodOfDeployment notes the pod-template-hash of pods of a Deployment, so that those which
// it makes besides have the same.
func (cp *compiler) addPodOfDeployment(o *object) {
	pod := o.typed.(*v1.Pod)
	ref, hash := metav1.GetControllerOfNoCopy(pod), pod.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
	if ref == nil || hash == "" || pod.DeletionTimestamp != nil {
		return
	}
	if of, ok := deploymentOf(ref, o.namespace); ok && cp.selecting.hashes[of] == "" {
		cp.selecting.hashes[of] = hash
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

// own gives the template of a controller what its pods have: it as their owner. Those of a
// Deployment are owned by a ReplicaSet which is not among the objects; they have its
// pod-template-hash, made up from the name of the Deployment where no pod tells it.
//
// Upstream: getNewReplicaSet of pkg/controller/deployment/sync.go, v1.36.3. Differs: the hash,
// which there is one of the template.
func (cp *compiler) own(o *object, m *madeOf) {
	controls := true
	ref := metav1.OwnerReference{APIVersion: o.kind.apiVersion(), Kind: o.kind.name, Name: o.name, UID: m.uid, Controller: &controls}
	if o.kind.name == "Deployment" {
		hash := cp.selecting.hashes[ownerName{ref.APIVersion, ref.Kind, o.namespace, o.name}]
		if hash == "" {
			h := fnv.New32a()
			h.Write([]byte(o.namespace + "/" + o.name))
			hash = fmt.Sprintf("%08x", h.Sum32())
		}
		ref.Kind, ref.Name, ref.UID = "ReplicaSet", o.name+"-"+hash, ""
		m.template.Labels = merged(m.template.Labels, map[string]string{appsv1.DefaultDeploymentUniqueLabelKey: hash})
	}
	m.template.OwnerReferences = []metav1.OwnerReference{ref}
}

// defaultSelector selects the pods that belong together with one: those that the same
// Services select, and the same controller. It is empty where there is neither.
//
// Upstream: DefaultSelector of framework/plugins/helper/spread.go, v1.36.3.
func (cp *compiler) defaultSelector(meta *metav1.ObjectMeta) cluster.LabelSelector {
	set := map[string]string{}
	for _, selector := range cp.selecting.servicesFor(meta) {
		maps.Copy(set, selector)
	}
	kind, owner := cp.ownerOf(meta)
	if owner != nil && kind == "ReplicationController" {
		maps.Copy(set, owner.MatchLabels)
		owner = nil
	}
	out := cp.labelSelector(&metav1.LabelSelector{MatchLabels: set})
	if owner == nil {
		return out
	}
	for _, r := range cp.labelSelector(owner).Requirements {
		if r.Op == cluster.In && len(r.Values) == 1 {
			out.Requirements = cp.require(out.Requirements, cp.vocabulary.Text(r.Key), cp.vocabulary.Text(r.Values[0]))
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
func (cp *compiler) ownerOf(meta *metav1.ObjectMeta) (kind string, selector *metav1.LabelSelector) {
	ref := metav1.GetControllerOfNoCopy(meta)
	if ref == nil {
		return "", nil
	}
	switch (typeMeta{ref.APIVersion, ref.Kind}) {
	case typeMeta{"v1", "ReplicationController"}, typeMeta{"apps/v1", "ReplicaSet"}, typeMeta{"apps/v1", "StatefulSet"}:
	default:
		return "", nil
	}
	if known := cp.selecting.owners[ownerName{ref.APIVersion, ref.Kind, meta.Namespace, ref.Name}]; known != nil {
		return ref.Kind, known
	}
	of, ok := deploymentOf(ref, meta.Namespace)
	hash, has := meta.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
	deployment := cp.selecting.owners[of]
	if !ok || !has || deployment == nil {
		return "", nil
	}
	of.kind = ref.Kind
	return of.kind, &metav1.LabelSelector{
		MatchLabels:      merged(deployment.MatchLabels, map[string]string{appsv1.DefaultDeploymentUniqueLabelKey: hash}),
		MatchExpressions: deployment.MatchExpressions,
	}
}
