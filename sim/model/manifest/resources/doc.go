// Package resources computes with amounts of resources as exactly as the API server keeps them: quantities, the names
// of resources, and what the parts of a pod request together.
package resources
