package config

import v1 "k8s.io/kube-scheduler/config/v1"

var _ v1.KubeSchedulerConfiguration
