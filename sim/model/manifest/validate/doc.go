// Package validate checks Kubernetes objects as the API server does when they are created, each object by itself.
// What would change scheduling and is not supported is an error that names the plugin that it needs.
package validate
