package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/bits"
	"reflect"
	"slices"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/storage/volume"
	csitrans "k8s.io/csi-translation-lib"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumebinding"
)

// pinVolumes replaces the binder of VolumeBinding.
func pinVolumes(f framework.Framework, k *kube) {
	plugins := privateField[[]preBindPlugin](reflect.ValueOf(f).Elem(), "preBindPlugins")
	for _, p := range *plugins {
		if b, is := p.(*volumebinding.VolumeBinding); is {
			b.Binder = &binder{SchedulerVolumeBinder: b.Binder, k: k}
		}
	}
}

// privateField is a field that upstream keeps to itself.
func privateField[T any](of reflect.Value, name string) *T {
	return (*T)(unsafe.Pointer(of.FieldByName(name).UnsafeAddr()))
}

// binder takes volumes of equal size by name, upstream in the order of a map, and has
// them bound at once, for which upstream asks the PV controller every second.
type binder struct {
	volumebinding.SchedulerVolumeBinder
	k *kube
}

// GetPodVolumeClaims is upstream's answer, with the volumes sorted.
func (b *binder) GetPodVolumeClaims(logger klog.Logger, pod *v1.Pod) (*volumebinding.PodVolumeClaims, error) {
	claims, err := b.SchedulerVolumeBinder.GetPodVolumeClaims(logger, pod)
	if claims == nil {
		return claims, err
	}
	byClass := privateField[map[string][]*v1.PersistentVolume](reflect.ValueOf(claims).Elem(), "unboundVolumesDelayBinding")
	for _, volumes := range *byClass {
		slices.SortFunc(volumes, func(a, b *v1.PersistentVolume) int { return cmp.Compare(a.Name, b.Name) })
	}
	return claims, err
}

// BindPodVolumes is upstream's except for the waiting: first it asks the API server, then the
// PV controller and the provisioners do their part, then it looks what became of it.
func (b *binder) BindPodVolumes(ctx context.Context, pod *v1.Pod, volumes *volumebinding.PodVolumes) error {
	claims := []*v1.PersistentVolumeClaim{}
	for _, p := range volumes.DynamicProvisions {
		claims = append(claims, p.PVC)
	}
	real := reflect.ValueOf(b.SchedulerVolumeBinder).UnsafePointer()
	if err := bindAPIUpdate(real, ctx, pod, volumes.StaticBindings, claims); err != nil {
		return err
	}
	if err := b.control(volumes.StaticBindings, claims, pod.Spec.NodeName); err != nil {
		return err
	}
	switch done, err := checkBindings(real, klog.FromContext(ctx), pod, volumes.StaticBindings, claims); {
	case err != nil:
		return fmt.Errorf("binding volumes: %w", err)
	case !done:
		return fmt.Errorf("binding volumes: %w", context.DeadlineExceeded)
	}
	return nil
}

//go:linkname bindAPIUpdate k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumebinding.(*volumeBinder).bindAPIUpdate
func bindAPIUpdate(_ unsafe.Pointer, _ context.Context, _ *v1.Pod, _ []*volumebinding.BindingInfo, _ []*v1.PersistentVolumeClaim) error

//go:linkname checkBindings k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumebinding.(*volumeBinder).checkBindings
func checkBindings(_ unsafe.Pointer, _ klog.Logger, _ *v1.Pod, _ []*volumebinding.BindingInfo, _ []*v1.PersistentVolumeClaim) (bool, error)

// control does for the claims that the scheduler has decided on what the PV controller does:
// it binds them to a volume that is reserved for them, by the scheduler or before, or has one
// made. A claim for which there is neither stays as it is.
func (b *binder) control(bindings []*volumebinding.BindingInfo, provisions []*v1.PersistentVolumeClaim, node string) error {
	var claims []*v1.PersistentVolumeClaim
	for _, binding := range bindings {
		claims = append(claims, *privateField[*v1.PersistentVolumeClaim](reflect.ValueOf(binding).Elem(), "pvc"))
	}
	for i, claim := range append(claims, provisions...) {
		now, err := get[*v1.PersistentVolumeClaim](b.k.store, claim.Namespace, claim.Name)
		if err != nil {
			return err
		}
		if now.Spec.VolumeName != "" { // the pod has two volumes of one claim
			continue
		}
		pv, err := b.reserved(now)
		if pv == nil && err == nil && i >= len(claims) {
			pv, err = b.provisioned(now, node)
		}
		if err != nil {
			return err
		}
		if pv != nil {
			if err := b.bind(now.DeepCopy(), pv.DeepCopy()); err != nil {
				return err
			}
		}
	}
	return nil
}

// reserved is the volume that the PV controller finds reserved for a claim that waits for a
// pod: volumes with few access modes come first.
//
// Upstream: findByClaim of pkg/controller/volume/persistentvolume/index.go, v1.36.3, which
// takes those with equally many, and volumes with the same, in the order of a map.
func (b *binder) reserved(claim *v1.PersistentVolumeClaim) (*v1.PersistentVolume, error) {
	byModes := map[uint][]*v1.PersistentVolume{}
	for _, pv := range list[*v1.PersistentVolume](b.k.store) {
		if volume.CheckAccessModes(claim, pv) {
			modes := modesOf(pv)
			byModes[modes] = append(byModes[modes], pv)
		}
	}
	sets := slices.SortedFunc(maps.Keys(byModes), func(a, b uint) int {
		return cmp.Or(cmp.Compare(bits.OnesCount(a), bits.OnesCount(b)), cmp.Compare(a, b))
	})
	for _, modes := range sets {
		pv, err := volume.FindMatchingVolume(claim, byModes[modes], nil, nil, true, true)
		if pv != nil || err != nil {
			return pv, err
		}
	}
	return nil, nil
}

// modesOf is the set of a volume's access modes.
func modesOf(pv *v1.PersistentVolume) (modes uint) {
	for i, mode := range []v1.PersistentVolumeAccessMode{v1.ReadWriteOnce, v1.ReadOnlyMany, v1.ReadWriteMany, v1.ReadWriteOncePod} {
		if slices.Contains(pv.Spec.AccessModes, mode) {
			modes |= 1 << i
		}
	}
	return modes
}

// bind says on both sides that the claim has the volume.
func (b *binder) bind(claim *v1.PersistentVolumeClaim, pv *v1.PersistentVolume) error {
	pv.Spec.ClaimRef = &v1.ObjectReference{Namespace: claim.Namespace, Name: claim.Name, UID: claim.UID}
	pv.Status.Phase = v1.VolumeBound
	if err := b.k.store.put(pv); err != nil {
		return err
	}
	claim.Spec.VolumeName, claim.Status.Phase = pv.Name, v1.ClaimBound
	metav1.SetMetaDataAnnotation(&claim.ObjectMeta, volume.AnnBindCompleted, "yes")
	return b.k.store.put(claim)
}

// provisioned is a new volume for a claim, of the driver that its class names, where the
// node can reach it.
func (b *binder) provisioned(claim *v1.PersistentVolumeClaim, nodeName string) (*v1.PersistentVolume, error) {
	name := volume.GetPersistentVolumeClaimClass(claim)
	class, err := get[*storagev1.StorageClass](b.k.store, "", name)
	if err != nil {
		return nil, err
	}
	driver := class.Provisioner
	if csi, err := csitrans.New().GetCSINameFromInTreeName(driver); err == nil {
		driver = csi
	}
	pv := &v1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("pvc-%s", claim.UID)}}
	pv.Spec = v1.PersistentVolumeSpec{
		Capacity: claim.Spec.Resources.Requests, AccessModes: claim.Spec.AccessModes, StorageClassName: name,
		VolumeMode: claim.Spec.VolumeMode, VolumeAttributesClassName: claim.Spec.VolumeAttributesClassName,
		ClaimRef: &v1.ObjectReference{Namespace: claim.Namespace, Name: claim.Name, UID: claim.UID},
	}
	pv.Spec.CSI = &v1.CSIPersistentVolumeSource{Driver: driver, VolumeHandle: pv.Name}
	if terms := b.reachable(driver, nodeName); len(terms) > 0 {
		pv.Spec.NodeAffinity = &v1.VolumeNodeAffinity{Required: &v1.NodeSelector{
			NodeSelectorTerms: []v1.NodeSelectorTerm{{MatchExpressions: terms}},
		}}
	}
	return pv, nil
}

// reachable are the labels that nodes have which reach the same volumes of a driver as
// this node.
func (b *binder) reachable(driver, nodeName string) []v1.NodeSelectorRequirement {
	csiNode, err := get[*storagev1.CSINode](b.k.store, "", nodeName)
	if err != nil {
		return nil
	}
	node, err := get[*v1.Node](b.k.store, "", nodeName)
	if err != nil {
		return nil
	}
	var terms []v1.NodeSelectorRequirement
	for _, d := range csiNode.Spec.Drivers {
		if d.Name != driver {
			continue
		}
		for _, key := range d.TopologyKeys {
			if value, has := node.Labels[key]; has {
				terms = append(terms, v1.NodeSelectorRequirement{Key: key, Operator: v1.NodeSelectorOpIn, Values: []string{value}})
			}
		}
	}
	return terms
}
