// Package intree translates the disks of Kubernetes' own volume plugins to the CSI drivers that have taken them over.
package intree
