package manifest

import (
	"github.com/berth-sim/berth/sim/model/cluster"
)

// Storage is what the objects say of persistent volumes, each list in the order of the documents.
type Storage struct {
	Volumes     []cluster.Volume
	Claims      []cluster.Claim
	Classes     []cluster.StorageClass
	CSINodes    []cluster.CSINode
	Drivers     []cluster.CSIDriver
	Capacities  []cluster.StorageCapacity
	Attachments []cluster.Attachment
}

// AddStorage puts storage into a cluster whose nodes are there, and has controllers do for objects
// without a status what they do at once. It is called once for all Loaders of a cluster.
func AddStorage(c *cluster.Cluster, all ...*Storage) {
	for _, s := range all {
		for _, class := range s.Classes {
			c.Volumes.AddStorageClass(class)
		}
		for _, n := range s.CSINodes {
			c.Volumes.AddCSINode(n)
		}
		for _, driver := range s.Drivers {
			c.Volumes.AddCSIDriver(driver)
		}
		for _, capacity := range s.Capacities {
			c.Volumes.AddStorageCapacity(capacity)
		}
		for _, a := range s.Attachments {
			c.Volumes.AddAttachment(a)
		}
		for _, v := range s.Volumes {
			c.Volumes.AddVolume(v)
		}
	}
	for _, given := range []bool{true, false} { // UIDs that are made must differ from those that are given
		for _, s := range all {
			for _, claim := range s.Claims {
				if (claim.UID != "") == given {
					c.Volumes.AddClaim(claim)
				}
			}
		}
	}
	c.Volumes.SyncNew()
}
