// Package encode gives pods and nodes of a cluster's state back as the API server would serve them.
package encode
