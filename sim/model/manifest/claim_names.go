package manifest

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// claimNames knows which claims there are, and which pods have claims of their own.
type claimNames struct {
	claims    map[string]bool   // by namespace/name
	ephemeral map[string]string // names of pods with ephemeral volumes, by namespace/uid
}

func newClaimNames() claimNames { return claimNames{map[string]bool{}, map[string]string{}} }

// addPod notes which pod the claims of its ephemeral volumes say they were made for.
func (n *claimNames) addPod(o *decode.Object) {
	pod, ok := o.Typed.(*v1.Pod)
	if !ok || pod.UID == "" || !slices.ContainsFunc(pod.Spec.Volumes, func(v v1.Volume) bool { return v.Ephemeral != nil }) {
		return
	}
	n.ephemeral[cmp.Or(o.Namespace, metav1.NamespaceDefault)+"/"+string(pod.UID)] = o.Name
}

// podOf is the name of the pod whose ephemeral volume a claim was made for; empty if there is none.
func (n *claimNames) podOf(claim *v1.PersistentVolumeClaim, namespace string) string {
	if ref := metav1.GetControllerOfNoCopy(claim); ref != nil {
		return n.ephemeral[namespace+"/"+string(ref.UID)]
	}
	return ""
}

// addClaim makes a claim known to the pods that name it.
func (n *claimNames) addClaim(o *decode.Object) {
	n.claims[cmp.Or(o.Namespace, metav1.NamespaceDefault)+"/"+o.Name] = true
}

// anyOrdinal stands for the ordinal in the names of claims of a StatefulSet.
const anyOrdinal = "-*"

// addStatefulSet makes the claims known that come with the pods of a StatefulSet.
func (n *claimNames) addStatefulSet(o *decode.Object) {
	m, ok := o.Typed.(*validate.Controller)
	if !ok {
		return
	}
	for i := range m.Claims {
		n.claims[m.Namespace+"/"+m.Claims[i].Name+"-"+m.Name+anyOrdinal] = true
	}
}

// missing is the first claim of a pod that is not known; empty if there is none.
func (n *claimNames) missing(pod *Pod) string {
	if pod.Class == nil {
		return ""
	}
	for i := range pod.Class.Volumes {
		v := &pod.Class.Volumes[i]
		if v.Kind != cluster.ClaimVolume {
			continue
		}
		of := v.Name[:max(0, strings.LastIndexByte(v.Name, '-'))]
		if !n.claims[pod.Namespace+"/"+v.Name] && !n.claims[pod.Namespace+"/"+of+anyOrdinal] {
			return v.Name
		}
	}
	return ""
}
