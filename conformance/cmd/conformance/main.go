package main

import (
	_ "k8s.io/client-go/kubernetes/fake"
	_ "k8s.io/kubernetes/pkg/apis/core/v1"
	_ "k8s.io/kubernetes/pkg/scheduler"
	_ "k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	_ "github.com/berth-sim/berth/sim"
)

func main() {}
