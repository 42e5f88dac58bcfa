// Package admit does what the API server's admission plugins do to an object that is created: defaults, priority and
// runtime classes, limit ranges, tolerations and node selectors of namespaces, taints by conditions.
package admit
