package main

import (
	"sigs.k8s.io/yaml"

	v1 "k8s.io/api/core/v1"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"

	"github.com/berth-sim/berth/conformance/protocol"
)

// service has the methods of the protocol. Calls may run side by side.
type service struct{}

// Decide has kube-scheduler decide a case.
func (service) Decide(c protocol.Case, answer *[]protocol.Attempt) (err error) {
	*answer, err = decide(&c)
	return err
}

// Validate has the API server's own validation look at a case.
func (service) Validate(c protocol.Case, answer *[]string) (err error) {
	*answer, err = validate(&c)
	return err
}

// Configure makes a scheduler of a configuration.
func (service) Configure(text []byte, answer *string) error {
	if err := startable(text); err != nil {
		*answer = err.Error()
	}
	return nil
}

// Admit has admission plugins admit a pod.
func (service) Admit(a protocol.Admission, answer *protocol.Admitted) (err error) {
	*answer, err = admitByPlugins(&a)
	return err
}

// QualityOfService is the class of a pod that the API server has created.
func (service) QualityOfService(text []byte, answer *string) error {
	var pod v1.Pod
	if err := yaml.UnmarshalStrict(text, &pod); err != nil {
		return err
	}
	corev1.SetObjectDefaults_Pod(&pod)
	if err := createPod(&pod); err != nil {
		return err
	}
	*answer = string(qos.ComputePodQOS(&pod))
	return nil
}

// Measure measures how fast kube-scheduler decides.
func (service) Measure(m protocol.Measurement, answer *float64) (err error) {
	*answer, err = measure(&m)
	return err
}
