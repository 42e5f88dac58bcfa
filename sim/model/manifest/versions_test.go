package manifest

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	admissionv1alpha1 "k8s.io/api/admissionregistration/v1alpha1"
	admissionv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	batchv1 "k8s.io/api/batch/v1"
	batchv1beta1 "k8s.io/api/batch/v1beta1"
	nodev1 "k8s.io/api/node/v1"
	nodev1beta1 "k8s.io/api/node/v1beta1"
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	resourcev1 "k8s.io/api/resource/v1"
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	resourcev1beta2 "k8s.io/api/resource/v1beta2"
	schedulingv1 "k8s.io/api/scheduling/v1"
	schedulingv1alpha2 "k8s.io/api/scheduling/v1alpha2"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	storagev1 "k8s.io/api/storage/v1"
	storagev1alpha1 "k8s.io/api/storage/v1alpha1"
	storagev1beta1 "k8s.io/api/storage/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/berth-sim/berth/sim/model/release"
)

// versionKinds are the kinds of which the package release lists versions.
const versionKinds = `CronJob RuntimeClass PriorityClass Workload PodGroup PodDisruptionBudget
	DeviceClass DeviceTaintRule ResourceClaim ResourceClaimTemplate ResourceSlice
	CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment VolumeAttributesClass
	MutatingAdmissionPolicy MutatingAdmissionPolicyBinding`

// versionsNotRead are versions of k8s.io/api that Kubernetes has not served since 1.24 and that are not read.
const versionsNotRead = "storage.k8s.io/v1alpha1 CSIStorageCapacity, storage.k8s.io/v1alpha1 VolumeAttachment"

// The versions of kinds come and go with the releases that k8s.io/api says.
func TestServedAsTheAPISays(t *testing.T) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		admissionv1.AddToScheme, admissionv1alpha1.AddToScheme, admissionv1beta1.AddToScheme, batchv1.AddToScheme, batchv1beta1.AddToScheme,
		nodev1.AddToScheme, nodev1beta1.AddToScheme, policyv1.AddToScheme, policyv1beta1.AddToScheme,
		resourcev1.AddToScheme, resourcev1alpha3.AddToScheme, resourcev1beta1.AddToScheme, resourcev1beta2.AddToScheme,
		schedulingv1.AddToScheme, schedulingv1alpha2.AddToScheme, schedulingv1beta1.AddToScheme,
		storagev1.AddToScheme, storagev1alpha1.AddToScheme, storagev1beta1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	kinds, checked := strings.Fields(versionKinds), 0
	for gvk, goType := range scheme.AllKnownTypes() {
		apiVersion := gvk.GroupVersion().String()
		if !slices.Contains(kinds, gvk.Kind) || strings.Contains(versionsNotRead, apiVersion+" "+gvk.Kind) {
			continue
		}
		got, listed := release.ServedBy(apiVersion, gvk.Kind)
		if want, known := lifecycle(goType); known && (got != want && listed || !listed && (want.First > 20 || want.Last != 0)) {
			t.Errorf("%s %s: %v (listed %t), want %v", apiVersion, gvk.Kind, got, listed, want)
		}
		checked++
	}
	if checked < len(kinds) {
		t.Errorf("%d types checked", checked)
	}
}

// lifecycle returns the releases that serve a type, up to the newest that is followed, and false if the type does not say.
func lifecycle(of reflect.Type) (release.Served, bool) {
	object := reflect.New(of).Interface()
	since, ok := object.(interface{ APILifecycleIntroduced() (major, minor int) })
	if !ok {
		return release.Served{}, false
	}
	var s release.Served
	_, s.First = since.APILifecycleIntroduced()
	if until, ok := object.(interface{ APILifecycleRemoved() (major, minor int) }); ok {
		if _, removed := until.APILifecycleRemoved(); removed <= release.Newest().Minor {
			s.Last = removed - 1
		}
	}
	return s, true
}
