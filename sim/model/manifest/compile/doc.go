// Package compile turns admitted Kubernetes objects into the parts of a cluster's state: classes of pods, nodes,
// volumes and budgets, in which texts are dense ids.
package compile
