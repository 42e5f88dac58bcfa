package manifest

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
func (l *Loader) volumes(spec *v1.PodSpec, c *cluster.Class) {
	for i := range spec.Volumes {
		v := &spec.Volumes[i]
		switch s := &v.VolumeSource; {
		case s.PersistentVolumeClaim != nil:
			c.Volumes = append(c.Volumes, cluster.PodVolume{Kind: cluster.ClaimVolume, Name: s.PersistentVolumeClaim.ClaimName})
		case s.Ephemeral != nil:
			t := s.Ephemeral.VolumeClaimTemplate
			claim := l.claim(&t.ObjectMeta, &t.Spec)
			c.Volumes = append(c.Volumes, cluster.PodVolume{Kind: cluster.EphemeralVolume, Name: v.Name, Template: &claim})
		case s.ISCSI != nil:
			c.Volumes = append(c.Volumes, cluster.PodVolume{Kind: cluster.ISCSIDisk, Name: s.ISCSI.IQN, ReadOnly: s.ISCSI.ReadOnly})
		case s.RBD != nil:
			c.Volumes = append(c.Volumes, l.rbd(s.RBD))
		case s.AzureFile != nil || s.VsphereVolume != nil:
			c.Volumes = append(c.Volumes, cluster.PodVolume{Kind: cluster.MigratedDisk, Name: v.Name})
		default:
			l.disk(s, c)
		}
	}
}

func (l *Loader) rbd(s *v1.RBDVolumeSource) cluster.PodVolume {
	pool := s.RBDPool
	if pool == "" {
		pool = "rbd" // the default of the API
	}
	return cluster.PodVolume{
		Kind: cluster.RBDImage, Name: pool + "\x00" + s.RBDImage, ReadOnly: s.ReadOnly, Monitors: l.syms(s.CephMonitors),
	}
}

// disk adds a disk of an in-tree plugin.
func (l *Loader) disk(s *v1.VolumeSource, c *cluster.Class) {
	d, is := inlineDisk(s)
	if !is {
		return
	}
	v := cluster.PodVolume{Kind: cluster.MigratedDisk, Name: d.handle, Driver: l.vocabulary.Sym(d.plugin.driver), Handle: d.handle}
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

// registerPod makes a pod known to those that refer to it.
func (l *Loader) registerPod(o *object) {
	l.addPodOfDeployment(o)
	l.noteEphemeral(o)
}

// noteEphemeral notes which pod the claims of its ephemeral volumes say they were made for.
func (l *Loader) noteEphemeral(o *object) {
	pod, ok := o.typed.(*v1.Pod)
	if !ok || pod.UID == "" || !slices.ContainsFunc(pod.Spec.Volumes, func(v v1.Volume) bool { return v.Ephemeral != nil }) {
		return
	}
	l.ephemeral[cmp.Or(o.namespace, metav1.NamespaceDefault)+"/"+string(pod.UID)] = o.name
}

// registerClaim makes a claim known to the pods that name it.
func (l *Loader) registerClaim(o *object) {
	l.claims[cmp.Or(o.namespace, metav1.NamespaceDefault)+"/"+o.name] = true
}

// anyOrdinal stands for the ordinal in the names of claims of a StatefulSet.
const anyOrdinal = "-*"

// registerStatefulSet makes the claims known that come with the pods of a StatefulSet.
func (l *Loader) registerStatefulSet(o *object) {
	l.addOwner(o)
	m, ok := o.typed.(*madeOf)
	if !ok {
		return
	}
	for i := range m.claims {
		l.claims[m.Namespace+"/"+m.claims[i].name+"-"+m.Name+anyOrdinal] = true
	}
}

// claimTemplate is one of the volumeClaimTemplates of a StatefulSet.
type claimTemplate struct {
	name string
	pvc  *v1.PersistentVolumeClaim
	made cluster.Claim
}

// claimTemplates checks the templates of claims of a StatefulSet.
func (c *checker) claimTemplates(o *object, list []v1.PersistentVolumeClaim) []claimTemplate {
	var out []claimTemplate
	for i := range list {
		path := document.Path("spec", "volumeClaimTemplates", i)
		if list[i].Name == "" {
			o.faults.Add(o.at, path+".metadata.name", "is required")
		} else if what := c.dnsLabel(list[i].Name); what != "" {
			o.faults.Add(o.at, path+".metadata.name", "is not valid: %s", what)
		}
		if slices.ContainsFunc(out, func(t claimTemplate) bool { return t.name == list[i].Name && t.name != "" }) {
			o.faults.Add(o.at, path+".metadata.name", "is the name of another template")
		}
		c.claimSpec(&o.faults, o.at.Find(path+".spec"), &list[i].Spec)
		out = append(out, claimTemplate{name: list[i].Name, pvc: &list[i]})
	}
	return out
}

// warnMissingClaims warns of pods whose claims are not among the objects.
func (l *Loader) warnMissingClaims(pod *Pod) {
	if pod.Class == nil {
		return
	}
	for i := range pod.Class.Volumes {
		v := &pod.Class.Volumes[i]
		if v.Kind != cluster.ClaimVolume {
			continue
		}
		of := v.Name[:max(0, strings.LastIndexByte(v.Name, '-'))]
		if !l.claims[pod.Namespace+"/"+v.Name] && !l.claims[pod.Namespace+"/"+of+anyOrdinal] {
			l.warnOnce("claims", pod.At, "the PersistentVolumeClaim %s of pod %s/%s is not among the objects: "+
				"pods that need such claims cannot be scheduled", v.Name, pod.Namespace, pod.Name)
		}
	}
}

// compileClaims compiles the templates of claims of a StatefulSet. They take the place of volumes of their
// names.
func (l *Loader) compileClaims(m *madeOf) {
	for i := range m.claims {
		t := &m.claims[i]
		t.made = l.claim(&t.pvc.ObjectMeta, &t.pvc.Spec)
		m.template.Spec.Volumes = slices.DeleteFunc(m.template.Spec.Volumes, func(v v1.Volume) bool { return v.Name == t.name })
	}
}

// StatefulPod is the class of the pod of an ordinal that the controller, a StatefulSet, makes: it has labels
// and claims of its own.
//
// Upstream: newVersionedStatefulSetPod, updateIdentity and updateStorage of pkg/controller/statefulset, v1.36.3.
func (c *Controller) StatefulPod(ordinal int) *cluster.Class {
	name := fmt.Sprintf("%s-%d", c.Name, ordinal)
	class := c.Template.withLabels(map[string]string{
		"statefulset.kubernetes.io/pod-name": name,
		"apps.kubernetes.io/pod-index":       strconv.Itoa(ordinal),
	})
	shared := class.Volumes // with the template: to be read only
	class.Volumes = make([]cluster.PodVolume, 0, len(c.claims)+len(shared))
	for i := range c.claims {
		claim := c.claims[i].made
		claim.Namespace, claim.Name = class.Namespace, c.claims[i].name+"-"+name
		class.Volumes = append(class.Volumes, cluster.PodVolume{Kind: cluster.ClaimVolume, Name: claim.Name, Template: &claim})
	}
	class.Volumes = append(class.Volumes, shared...)
	return c.Template.loader.intern(class)
}
