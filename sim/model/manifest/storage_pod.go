package manifest

import (
	"regexp"
	"slices"

	v1 "k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// volumes checks the volumes of a pod, as far as they are read.
//
// Upstream: ValidateVolumes of pkg/apis/core/validation, v1.36.3.
func (s *specCheck) volumes() {
	for i := range s.spec.Volumes {
		v, path := &s.spec.Volumes[i], document.Path("volumes", i)
		if v.Name == "" {
			s.add(path+".name", "is required")
		} else if what := s.dnsLabel(v.Name); what != "" {
			s.add(path+".name", "is not valid: %s", what)
		}
		if slices.ContainsFunc(s.spec.Volumes[:i], func(w v1.Volume) bool { return w.Name == v.Name }) && v.Name != "" {
			s.add(path+".name", "is the name of another volume of the pod")
		}
		if n := sources(v.VolumeSource); n > 1 {
			s.add(path, "must have one volume source only, has %d", n)
		}
		s.volumeSource(path, &v.VolumeSource)
	}
}

func (s *specCheck) volumeSource(path string, v *v1.VolumeSource) {
	if v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == "" {
		s.add(path+".persistentVolumeClaim.claimName", "is required")
	}
	if v.Ephemeral != nil {
		s.ephemeral(path+".ephemeral.volumeClaimTemplate", v.Ephemeral.VolumeClaimTemplate)
	}
	if d, is := inlineDisk(v); is && s.knows(s.at, path+"."+d.field) {
		d.check(s.faults, s.at, path+"."+d.field)
	}
	if v.CSI != nil {
		s.driverName(s.faults, s.at, path+".csi.driver", v.CSI.Driver)
	}
	if v.Image != nil && v.Image.Reference == "" {
		s.add(path+".image.reference", "is required")
	}
	if d := v.ISCSI; d != nil {
		if d.TargetPortal == "" {
			s.add(path+".iscsi.targetPortal", "is required")
		}
		if !iscsiName.MatchString(d.IQN) {
			s.add(path+".iscsi.iqn", "is not valid: it begins with iqn., eui. or naa.")
		}
		if d.Lun < 0 || d.Lun > 255 {
			s.add(path+".iscsi.lun", "must be from 0 to 255")
		}
	}
	if d := v.RBD; d != nil {
		if len(d.CephMonitors) == 0 {
			s.add(path+".rbd.monitors", "is required")
		}
		if d.RBDImage == "" {
			s.add(path+".rbd.image", "is required")
		}
	}
}

// iscsiName is what iscsiInitiatorIqnRegex and the like of upstream's validation match together.
var iscsiName = regexp.MustCompile(`^(iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)|eui.[[:alnum:]]{16}|naa.[[:alnum:]]{32})$`)

// ephemeral checks the template of the claim of an ephemeral volume.
func (s *specCheck) ephemeral(path string, t *v1.PersistentVolumeClaimTemplate) {
	if t == nil {
		s.add(path, "is required")
		return
	}
	for _, f := range []struct{ name, got string }{
		{"name", t.Name}, {"namespace", t.Namespace}, {"generateName", t.GenerateName}, {"uid", string(t.UID)},
	} {
		if f.got != "" {
			s.add(path+".metadata."+f.name, "has no place here: the claim is the pod's own")
		}
	}
	s.labels(s.faults, s.at, path+".metadata.labels", t.Labels)
	s.claimSpec(s.faults, s.at.Find(path+".spec"), &t.Spec)
}

// volumes are those that scheduling honors.
func (cp *compiler) volumes(spec *v1.PodSpec, c *cluster.Class) {
	for i := range spec.Volumes {
		v := &spec.Volumes[i]
		switch s := &v.VolumeSource; {
		case s.PersistentVolumeClaim != nil:
			c.Volumes = append(c.Volumes, cluster.PodVolume{Kind: cluster.ClaimVolume, Name: s.PersistentVolumeClaim.ClaimName})
		case s.Ephemeral != nil:
			t := s.Ephemeral.VolumeClaimTemplate
			claim := cp.claim(&t.ObjectMeta, &t.Spec)
			c.Volumes = append(c.Volumes, cluster.PodVolume{Kind: cluster.EphemeralVolume, Name: v.Name, Template: &claim})
		case s.ISCSI != nil:
			c.Volumes = append(c.Volumes, cluster.PodVolume{Kind: cluster.ISCSIDisk, Name: s.ISCSI.IQN, ReadOnly: s.ISCSI.ReadOnly})
		case s.RBD != nil:
			c.Volumes = append(c.Volumes, cp.rbd(s.RBD))
		case s.AzureFile != nil || s.VsphereVolume != nil:
			c.Volumes = append(c.Volumes, cluster.PodVolume{Kind: cluster.MigratedDisk, Name: v.Name})
		default:
			cp.disk(s, c)
		}
	}
}

func (cp *compiler) rbd(s *v1.RBDVolumeSource) cluster.PodVolume {
	pool := s.RBDPool
	if pool == "" {
		pool = "rbd" // the default of the API
	}
	return cluster.PodVolume{
		Kind: cluster.RBDImage, Name: pool + "\x00" + s.RBDImage, ReadOnly: s.ReadOnly, Monitors: cp.syms(s.CephMonitors),
	}
}

// disk adds a disk of an in-tree plugin.
func (cp *compiler) disk(s *v1.VolumeSource, c *cluster.Class) {
	d, is := inlineDisk(s)
	if !is {
		return
	}
	v := cluster.PodVolume{Kind: cluster.MigratedDisk, Name: d.handle, Driver: cp.vocabulary.Sym(d.plugin.driver), Handle: d.handle}
	switch {
	case s.GCEPersistentDisk != nil:
		v.Kind, v.Name, v.ReadOnly = cluster.GCEDisk, s.GCEPersistentDisk.PDName, s.GCEPersistentDisk.ReadOnly
	case s.AWSElasticBlockStore != nil:
		v.Kind, v.Name = cluster.EBSDisk, s.AWSElasticBlockStore.VolumeID
	}
	c.Volumes = append(c.Volumes, v)
}

// volumeKey writes what two pods must have alike in their volumes to be of one class.
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
	k.number(int64(c.Class))
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

// claimTemplates checks the templates of claims of a StatefulSet.
func (c *checker) claimTemplates(o *object, list []v1.PersistentVolumeClaim) {
	for i := range list {
		path := document.Path("spec", "volumeClaimTemplates", i)
		if list[i].Name == "" {
			o.faults.Add(o.at, path+".metadata.name", "is required")
		} else if what := c.dnsLabel(list[i].Name); what != "" {
			o.faults.Add(o.at, path+".metadata.name", "is not valid: %s", what)
		}
		if list[i].Name != "" && slices.ContainsFunc(list[:i], func(t v1.PersistentVolumeClaim) bool { return t.Name == list[i].Name }) {
			o.faults.Add(o.at, path+".metadata.name", "is the name of another template")
		}
		c.claimSpec(&o.faults, o.at.Find(path+".spec"), &list[i].Spec)
	}
}
