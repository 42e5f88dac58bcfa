package compile

import (
	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/intree"
)

// driverOf notes which driver counts a persistent volume.
func (compiler *Compiler) driverOf(pv *v1.PersistentVolume, out *cluster.Volume) {
	if csi := pv.Spec.CSI; csi != nil {
		out.Driver, out.Handle = compiler.vocabulary.Symbol(csi.Driver), csi.VolumeHandle
	}
	d, is := intree.DiskOfVolume(&pv.Spec, pv.Labels)
	if !is {
		return
	}
	out.Driver, out.Handle = compiler.vocabulary.Symbol(d.Plugin.Driver), d.Handle
	out.InTree, out.Migrated = compiler.vocabulary.Symbol(d.Plugin.Name), out.Affinity
	if d.Plugin.ZoneKey != "" {
		out.Migrated = compiler.volumeAffinity(intree.TranslatedAffinity(pv, d.Plugin.ZoneKey))
	}
}

// volumes are those that scheduling honors.
func (compiler *Compiler) volumes(spec *v1.PodSpec, c *cluster.Class) {
	for i := range spec.Volumes {
		v := &spec.Volumes[i]
		switch s := &v.VolumeSource; {
		case s.PersistentVolumeClaim != nil:
			c.Volumes = append(c.Volumes, cluster.PodVolume{Kind: cluster.ClaimVolume, Name: s.PersistentVolumeClaim.ClaimName})
		case s.Ephemeral != nil:
			t := s.Ephemeral.VolumeClaimTemplate
			claim := compiler.Claim(&t.ObjectMeta, &t.Spec)
			c.Volumes = append(c.Volumes, cluster.PodVolume{Kind: cluster.EphemeralVolume, Name: v.Name, Template: &claim})
		case s.ISCSI != nil:
			c.Volumes = append(c.Volumes, cluster.PodVolume{Kind: cluster.ISCSIDisk, Name: s.ISCSI.IQN, ReadOnly: s.ISCSI.ReadOnly})
		case s.RBD != nil:
			c.Volumes = append(c.Volumes, compiler.rbd(s.RBD))
		case s.AzureFile != nil || s.VsphereVolume != nil:
			c.Volumes = append(c.Volumes, cluster.PodVolume{Kind: cluster.MigratedDisk, Name: v.Name})
		default:
			compiler.disk(s, c)
		}
	}
}

func (compiler *Compiler) rbd(s *v1.RBDVolumeSource) cluster.PodVolume {
	pool := s.RBDPool
	if pool == "" {
		pool = "rbd" // the default of the API
	}
	return cluster.PodVolume{
		Kind: cluster.RBDImage, Name: pool + "\x00" + s.RBDImage, ReadOnly: s.ReadOnly, Monitors: compiler.syms(s.CephMonitors),
	}
}

// disk adds a disk of an in-tree plugin.
func (compiler *Compiler) disk(s *v1.VolumeSource, c *cluster.Class) {
	d, is := intree.DiskOfPod(s)
	if !is {
		return
	}
	v := cluster.PodVolume{Kind: cluster.MigratedDisk, Name: d.Handle, Driver: compiler.vocabulary.Symbol(d.Plugin.Driver), Handle: d.Handle}
	switch {
	case s.GCEPersistentDisk != nil:
		v.Kind, v.Name, v.ReadOnly = cluster.GCEDisk, s.GCEPersistentDisk.PDName, s.GCEPersistentDisk.ReadOnly
	case s.AWSElasticBlockStore != nil:
		v.Kind, v.Name = cluster.EBSDisk, s.AWSElasticBlockStore.VolumeID
	}
	c.Volumes = append(c.Volumes, v)
}

// volumes writes what two pods must have alike in their volumes to be of one class.
func (k *keyWriter) volumes(list []cluster.PodVolume) {
	k.number(int64(len(list)))
	for i := range list {
		v := &list[i]
		k.number(int64(v.Kind))
		k.text(v.Name)
		k.flag(v.ReadOnly)
		k.syms(v.Monitors)
		k.number(int64(v.Driver))
		k.text(v.Handle)
		k.flag(v.Template != nil)
		if v.Template != nil {
			k.claim(v.Template)
		}
	}
}

func (k *keyWriter) claim(c *cluster.Claim) {
	k.number(int64(c.StorageClass))
	k.number(c.Request)
	k.number(int64(c.Modes))
	k.flag(c.Block)
	k.number(int64(c.AttributesClass))
	k.text(c.VolumeName)
	k.flag(c.Selector != nil)
	if c.Selector != nil {
		k.flag(c.Selector.Nothing)
		k.requirements(c.Selector.Requirements)
	}
}
