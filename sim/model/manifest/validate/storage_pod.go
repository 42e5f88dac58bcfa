package validate

import (
	"reflect"
	"regexp"
	"slices"

	v1 "k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/intree"
)

// volumeSource checks what a persistent volume is made of, as far as that is read.
//
// Upstream: ValidatePersistentVolumeSpec of pkg/apis/core/validation, v1.36.3.
func (c *Checker) volumeSource(faults *document.Errors, at document.Value, pv *v1.PersistentVolume) {
	spec := &pv.Spec
	if n := countSources(spec.PersistentVolumeSource); n != 1 {
		faults.Add(at, "spec", "must have exactly one volume source, has %d", n)
	}
	if spec.Local != nil && spec.NodeAffinity == nil {
		faults.Add(at, "spec.nodeAffinity", "is required for a local volume")
	}
	if csi := spec.CSI; csi != nil {
		c.driverName(faults, at, "spec.csi.driver", csi.Driver)
		if csi.VolumeHandle == "" {
			faults.Add(at, "spec.csi.volumeHandle", "is required")
		}
	}
	if h := spec.HostPath; h != nil && h.Path == "/" && spec.PersistentVolumeReclaimPolicy == v1.PersistentVolumeReclaimRecycle {
		faults.Add(at, "spec.persistentVolumeReclaimPolicy", "must not be Recycle for the host path /")
	}
	if d, is := intree.DiskOfVolume(spec, pv.Labels); is && c.NoErrorAt(at, "spec."+d.Field) {
		d.Check(faults, at, "spec."+d.Field)
	}
}

// volumes checks the volumes of a pod, as far as they are read.
//
// Upstream: ValidateVolumes of pkg/apis/core/validation, v1.36.3.
func (s *SpecCheck) volumes() {
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
		if n := countSources(v.VolumeSource); n > 1 {
			s.add(path, "must have one volume source only, has %d", n)
		}
		s.volumeSource(path, &v.VolumeSource)
	}
}

func (s *SpecCheck) volumeSource(path string, v *v1.VolumeSource) {
	if v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == "" {
		s.add(path+".persistentVolumeClaim.claimName", "is required")
	}
	if v.Ephemeral != nil {
		s.ephemeral(path+".ephemeral.volumeClaimTemplate", v.Ephemeral.VolumeClaimTemplate)
	}
	if d, is := intree.DiskOfPod(v); is && s.NoErrorAt(s.at, path+"."+d.Field) {
		d.Check(s.faults, s.at, path+"."+d.Field)
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
func (s *SpecCheck) ephemeral(path string, t *v1.PersistentVolumeClaimTemplate) {
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
	s.Labels(s.faults, s.at, path+".metadata.labels", t.Labels)
	s.claimSpec(s.faults, s.at.Find(path+".spec"), &t.Spec)
}

// claimTemplates checks the templates of claims of a StatefulSet.
func (c *Checker) claimTemplates(o *decode.Object, list []v1.PersistentVolumeClaim) {
	for i := range list {
		path := document.Path("spec", "volumeClaimTemplates", i)
		if list[i].Name == "" {
			o.Faults.Add(o.At, path+".metadata.name", "is required")
		} else if what := c.dnsLabel(list[i].Name); what != "" {
			o.Faults.Add(o.At, path+".metadata.name", "is not valid: %s", what)
		}
		if list[i].Name != "" && slices.ContainsFunc(list[:i], func(t v1.PersistentVolumeClaim) bool { return t.Name == list[i].Name }) {
			o.Faults.Add(o.At, path+".metadata.name", "is the name of another template")
		}
		c.claimSpec(&o.Faults, o.At.Find(path+".spec"), &list[i].Spec)
	}
}

// countSources counts the volume sources that are set.
func countSources(of any) int {
	n := 0
	v := reflect.ValueOf(of)
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Pointer && !f.IsNil() {
			n++
		}
	}
	return n
}
