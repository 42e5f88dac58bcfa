package main

import (
	"context"
	"fmt"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/informers"
	clientset "k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds"
	"k8s.io/kubernetes/plugin/pkg/admission/extendedresourcetoleration"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"k8s.io/kubernetes/plugin/pkg/admission/podnodeselector"
	"k8s.io/kubernetes/plugin/pkg/admission/podtolerationrestriction"
	"sigs.k8s.io/yaml"

	"github.com/berth-sim/berth/conformance/protocol"
)

// admitByPlugins has the API server validate a LimitRange and admit a pod under it.
func admitByPlugins(a *protocol.Admission) (protocol.Admitted, error) {
	var out protocol.Admitted
	var namespace v1.Namespace
	var limits v1.LimitRange
	var pod v1.Pod
	for o, text := range map[any][]byte{&namespace: a.Namespace, &limits: a.LimitRange, &pod: a.Pod} {
		if err := yaml.UnmarshalStrict(text, o); err != nil {
			return out, err
		}
	}
	corev1.SetObjectDefaults_LimitRange(&limits)
	corev1.SetObjectDefaults_Pod(&pod)
	var internal core.LimitRange
	if err := corev1.Convert_v1_LimitRange_To_core_LimitRange(&limits, &internal, nil); err != nil {
		return out, err
	}
	if errs := corevalidation.ValidateLimitRange(&internal); len(errs) > 0 {
		out.LimitRange = errs.ToAggregate().Error()
		return out, nil
	}
	plugins, stop, err := admissionPlugins(&namespace, &limits)
	if err != nil {
		return out, err
	}
	defer stop()
	admitted, refused, err := admitPod(plugins, &pod)
	if err != nil {
		return out, err
	}
	if refused != nil {
		out.Refused = refused.Error()
		return out, nil
	}
	out.Pod, err = yaml.Marshal(admitted)
	return out, err
}

// admitPod has the plugins admit a pod, and the API server validate it in between.
func admitPod(plugins []admission.Interface, pod *v1.Pod) (admitted *v1.Pod, refused, err error) {
	var internal core.Pod
	if err := corev1.Convert_v1_Pod_To_core_Pod(pod, &internal, nil); err != nil {
		return nil, nil, err
	}
	ctx := context.Background()
	attributes := admission.NewAttributesRecord(&internal, nil, core.Kind("Pod").WithVersion("version"), pod.Namespace, pod.Name,
		core.Resource("pods").WithVersion("version"), "", admission.Create, &metav1.CreateOptions{}, false, nil)
	for _, plugin := range plugins {
		if m, mutates := plugin.(admission.MutationInterface); mutates {
			if err := m.Admit(ctx, attributes, nil); err != nil {
				return nil, err, nil
			}
		}
	}
	prepare(&internal)
	if errs := corevalidation.ValidatePodCreate(&internal, podOptions(&internal)); len(errs) > 0 {
		return nil, errs.ToAggregate(), nil
	}
	for _, plugin := range plugins {
		if v, validates := plugin.(admission.ValidationInterface); validates {
			if err := v.Validate(ctx, attributes, nil); err != nil {
				return nil, err, nil
			}
		}
	}
	out := &v1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}}
	return out, nil, corev1.Convert_core_Pod_To_v1_Pod(&internal, out, nil)
}

// admissionPlugins are plugins that know a namespace and its limits, until stop is called.
func admissionPlugins(namespace *v1.Namespace, limits *v1.LimitRange) (plugins []admission.Interface, stop func(), err error) {
	client := clientset.NewSimpleClientset(namespace, limits)
	factory := informers.NewSharedInformerFactory(client, 0)
	all := admission.NewPlugins()
	limitranger.Register(all)
	podnodeselector.Register(all)
	defaulttolerationseconds.Register(all)
	podtolerationrestriction.Register(all)
	extendedresourcetoleration.Register(all)
	with := newInitializer(client, factory)
	for _, name := range protocol.AdmissionPlugins {
		p, err := all.InitPlugin(name, nil, with)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		plugins = append(plugins, p)
	}
	ctx, cancel := context.WithCancel(context.Background())
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return plugins, cancel, nil
}
