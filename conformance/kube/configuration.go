package main

import (
	"context"
	"fmt"

	"github.com/go-logr/logr"
	"k8s.io/client-go/informers"
	clientset "k8s.io/client-go/kubernetes/fake"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/validation"
)

// configurationOf reads a configuration as kube-scheduler does.
func configurationOf(text []byte) (*config.KubeSchedulerConfiguration, error) {
	obj, _, err := scheme.Codecs.UniversalDecoder().Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}
	cfg, ok := obj.(*config.KubeSchedulerConfiguration)
	if !ok {
		return nil, fmt.Errorf("the configuration is a %T", obj)
	}
	cfg.APIVersion = "kubescheduler.config.k8s.io/v1"
	return cfg, validation.ValidateKubeSchedulerConfiguration(cfg)
}

// startable reports whether kube-scheduler would start with the configuration: the error is
// what it gives up with.
func startable(text []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	cfg, err := configurationOf(text)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	defer cancel()
	client := &clientset.Clientset{}
	_, err = scheduler.New(ctx, client, informers.NewSharedInformerFactory(client, 0), nil,
		newRecorder, scheduler.WithComponentConfigVersion(cfg.APIVersion), scheduler.WithProfiles(cfg.Profiles...),
		scheduler.WithPercentageOfNodesToScore(cfg.PercentageOfNodesToScore), scheduler.WithParallelism(cfg.Parallelism),
		scheduler.WithExtenders(cfg.Extenders...), scheduler.WithPodInitialBackoffSeconds(cfg.PodInitialBackoffSeconds),
		scheduler.WithPodMaxBackoffSeconds(cfg.PodMaxBackoffSeconds),
	)
	return err
}
