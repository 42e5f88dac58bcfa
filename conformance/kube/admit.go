package main

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	kubestoragev1 "k8s.io/kubernetes/pkg/apis/storage/v1"
	"sigs.k8s.io/yaml"
)

// admitted is what the API server would hold after it admitted the objects.
type admitted struct {
	objects          []apiObject // in the order of the case, without pods
	running, pending []*v1.Pod
	latestStart      time.Time

	priorities map[string]*schedulingv1.PriorityClass
	fallback   *schedulingv1.PriorityClass
	runtimes   map[string]*nodev1.RuntimeClass
	namespaces map[string]bool
	storage    *storagev1.StorageClass // the default one
	claims     map[string]*v1.PersistentVolumeClaim
}

// creation is when the first object was created; the others follow by the second.
var creation = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// kinds make an empty object of a kind.
var kinds = map[string]func() apiObject{
	"Node":                  func() apiObject { return &v1.Node{} },
	"Pod":                   func() apiObject { return &v1.Pod{} },
	"Namespace":             func() apiObject { return &v1.Namespace{} },
	"Service":               func() apiObject { return &v1.Service{} },
	"ReplicationController": func() apiObject { return &v1.ReplicationController{} },
	"ReplicaSet":            func() apiObject { return &appsv1.ReplicaSet{} },
	"StatefulSet":           func() apiObject { return &appsv1.StatefulSet{} },
	"PersistentVolume":      func() apiObject { return &v1.PersistentVolume{} },
	"PersistentVolumeClaim": func() apiObject { return &v1.PersistentVolumeClaim{} },
	"StorageClass":          func() apiObject { return &storagev1.StorageClass{} },
	"CSINode":               func() apiObject { return &storagev1.CSINode{} },
	"CSIDriver":             func() apiObject { return &storagev1.CSIDriver{} },
	"CSIStorageCapacity":    func() apiObject { return &storagev1.CSIStorageCapacity{} },
	"VolumeAttachment":      func() apiObject { return &storagev1.VolumeAttachment{} },
	"VolumeAttributesClass": func() apiObject { return &volumeAttributesClass{} },
	"PodDisruptionBudget":   func() apiObject { return &policyv1.PodDisruptionBudget{} },
	"PriorityClass":         func() apiObject { return &schedulingv1.PriorityClass{} },
	"RuntimeClass":          func() apiObject { return &nodev1.RuntimeClass{} },
}

// admit decodes objects, with upstream's own defaults and what the admission plugins and
// controllers do that berth stands for: Priority, RuntimeClass, DefaultStorageClass, the
// labels of namespaces, and the claims of ephemeral volumes.
func admit(objects [][]byte) (*admitted, error) {
	w := &admitted{
		priorities: map[string]*schedulingv1.PriorityClass{}, runtimes: map[string]*nodev1.RuntimeClass{},
		namespaces: map[string]bool{}, claims: map[string]*v1.PersistentVolumeClaim{}, latestStart: creation,
	}
	for _, system := range []schedulingv1.PriorityClass{
		{ObjectMeta: metav1.ObjectMeta{Name: "system-cluster-critical"}, Value: 2_000_000_000},
		{ObjectMeta: metav1.ObjectMeta{Name: "system-node-critical"}, Value: 2_000_001_000},
	} {
		w.priorities[system.Name] = &system
	}
	var pods []*v1.Pod
	for i, o := range objects {
		made, err := decode(o)
		if err != nil {
			return nil, err
		}
		identify(made, i)
		if pod, is := made.(*v1.Pod); is {
			pods = append(pods, pod)
			continue
		}
		if err := w.register(made); err != nil {
			return nil, err
		}
		w.objects = append(w.objects, made)
	}
	return w, w.addPods(pods)
}

// decode makes an object of a kind that is known here. Fields that the release does not have are dropped, as the API server
// does; berth notices those that no release has.
func decode(text []byte) (apiObject, error) {
	var typed metav1.TypeMeta
	if err := yaml.Unmarshal(text, &typed); err != nil {
		return nil, err
	}
	empty := kinds[typed.Kind]
	if empty == nil {
		return nil, fmt.Errorf("kind %s is not known here", typed.Kind)
	}
	made := empty()
	return made, yaml.Unmarshal(text, made)
}

// register gives an object its defaults and notes what pods refer to.
func (w *admitted) register(o apiObject) error {
	switch o := o.(type) {
	case *v1.Node:
		corev1.SetObjectDefaults_Node(o)
	case *v1.Namespace:
		metav1.SetMetaDataLabel(&o.ObjectMeta, v1.LabelMetadataName, o.Name)
		w.namespaces[o.Name] = true
	case *v1.Service:
		corev1.SetObjectDefaults_Service(o)
	case *v1.ReplicationController:
		corev1.SetObjectDefaults_ReplicationController(o)
	case *v1.PersistentVolume:
		corev1.SetObjectDefaults_PersistentVolume(o)
		return createVolume(o)
	case *v1.PersistentVolumeClaim:
		corev1.SetObjectDefaults_PersistentVolumeClaim(o)
		w.claims[o.Namespace+"/"+o.Name] = o
		return createClaim(o)
	case *storagev1.StorageClass:
		kubestoragev1.SetObjectDefaults_StorageClass(o)
		if o.Annotations["storageclass.kubernetes.io/is-default-class"] == "true" {
			w.storage = o
		}
	case *storagev1.CSIDriver:
		kubestoragev1.SetObjectDefaults_CSIDriver(o)
	case *storagev1.VolumeAttachment:
		kubestoragev1.SetObjectDefaults_VolumeAttachment(o)
	case *schedulingv1.PriorityClass:
		w.priorities[o.Name] = o
		if o.GlobalDefault {
			w.fallback = o
		}
	case *nodev1.RuntimeClass:
		w.runtimes[o.Name] = o
	}
	return nil
}

// clusterWide are the kinds without a namespace.
var clusterWide = map[string]bool{
	"Node": true, "Namespace": true, "PersistentVolume": true, "StorageClass": true, "CSINode": true, "CSIDriver": true,
	"VolumeAttachment": true, "VolumeAttributesClass": true, "PriorityClass": true, "RuntimeClass": true,
}

// identify fills in what the API server gives an object on creation.
func identify(o apiObject, i int) {
	kind := o.GetObjectKind().GroupVersionKind().Kind
	if o.GetNamespace() == "" && !clusterWide[kind] {
		o.SetNamespace(metav1.NamespaceDefault)
	}
	if o.GetUID() == "" {
		o.SetUID(types.UID(fmt.Sprintf("uid-%d", i)))
	}
	o.SetCreationTimestamp(metav1.Time{Time: creation.Add(time.Duration(i) * time.Second)})
}
