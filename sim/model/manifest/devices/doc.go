// Package devices knows the names by which Kubernetes objects speak of GPUs and the like.
package devices
