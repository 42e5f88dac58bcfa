package intree

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
)

// Plugin is a plugin of Kubernetes itself whose volumes a CSI driver has taken over.
type Plugin struct {
	Name    string
	Driver  string
	ZoneKey string // the driver's topology key of zones; empty: affinities stay as they are
}

// The in-tree plugins whose volumes count for their drivers.
//
// Upstream: k8s.io/csi-translation-lib/plugins, v0.36.3, and isCSIMigrationOn of
// framework/plugins/nodevolumelimits/utils.go, v1.36.3.
var (
	ebsPlugin      = &Plugin{"kubernetes.io/aws-ebs", "ebs.csi.aws.com", "topology.ebs.csi.aws.com/zone"}
	gcePlugin      = &Plugin{"kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone"}
	azurePlugin    = &Plugin{"kubernetes.io/azure-disk", "disk.csi.azure.com", ""}
	cinderPlugin   = &Plugin{"kubernetes.io/cinder", "cinder.csi.openstack.org", "topology.cinder.csi.openstack.org/zone"}
	portworxPlugin = &Plugin{"kubernetes.io/portworx-volume", "pxd.portworx.com", ""}
)

// DriverOf is the CSI driver that counts the volumes of a provisioner; empty if no driver does.
func DriverOf(provisioner string) string {
	for _, p := range []*Plugin{ebsPlugin, gcePlugin, azurePlugin, cinderPlugin, portworxPlugin} {
		if p.Name == provisioner {
			return p.Driver
		}
	}
	if provisioner == "kubernetes.io/azure-file" || provisioner == "kubernetes.io/vsphere-volume" {
		return ""
	}
	return provisioner
}

// Disk is a volume of an in-tree plugin. Its handle is what the driver calls it; fault says why it has none.
type Disk struct {
	Plugin        *Plugin
	Field         string // where it stands in the source
	Handle, fault string
}

// Handles of disks whose project, zone or region is not known.
const (
	gceZonal    = "projects/UNSPECIFIED/zones/%s/disks/%s"
	gceRegional = "projects/UNSPECIFIED/regions/%s/disks/%s"
	gceAnyZone  = "UNSPECIFIED"
)

func gceHandle(pd *v1.GCEPersistentDiskVolumeSource, labels map[string]string) (handle, fault string) {
	zone := labels[v1.LabelFailureDomainBetaZone]
	if zone == "" {
		zone = labels[v1.LabelTopologyZone]
	}
	zones := strings.Split(zone, zoneSeparator)
	switch {
	case zone == "":
		return fmt.Sprintf(gceZonal, gceAnyZone, pd.PDName), ""
	case len(zones) == 1:
		return fmt.Sprintf(gceZonal, zone, pd.PDName), ""
	}
	region := ""
	for _, zone := range zones {
		parts := strings.Split(zone, "-")
		if len(parts) != 3 || region != "" && region != parts[0]+"-"+parts[1] {
			return "", "its zones are not of one region"
		}
		region = parts[0] + "-" + parts[1]
	}
	return fmt.Sprintf(gceRegional, region, pd.PDName), ""
}

// zoneSeparator parts the zones in the label of a volume that is in several.
const zoneSeparator = "__"

var ebsName = regexp.MustCompile("^vol-[^/]*$")

// Upstream: KubernetesVolumeIDToEBSVolumeID of k8s.io/csi-translation-lib/plugins/aws_ebs.go, v0.36.3.
func ebsHandle(id string) (handle, fault string) {
	if !strings.HasPrefix(id, "aws://") {
		return id, ""
	}
	u, err := url.Parse(id)
	if err != nil || !ebsName.MatchString(strings.Trim(u.Path, "/")) {
		return "", "its volumeID is not like vol-…, or aws://zone/vol-…"
	}
	return strings.Trim(u.Path, "/"), ""
}

func azureHandle(disk *v1.AzureDiskVolumeSource) (handle, fault string) {
	if disk.Kind == nil || !strings.EqualFold(string(*disk.Kind), string(v1.AzureManagedDisk)) {
		return "", "its kind is not Managed"
	}
	return disk.DataDiskURI, ""
}

// DiskOfPod is the disk that a volume of a pod is, if it is one.
func DiskOfPod(v *v1.VolumeSource) (Disk, bool) {
	d := Disk{}
	switch {
	case v.AWSElasticBlockStore != nil:
		d.Plugin, d.Field = ebsPlugin, "awsElasticBlockStore"
		d.Handle, d.fault = ebsHandle(v.AWSElasticBlockStore.VolumeID)
	case v.GCEPersistentDisk != nil:
		d.Plugin, d.Field = gcePlugin, "gcePersistentDisk"
		d.Handle, d.fault = gceHandle(v.GCEPersistentDisk, nil)
	case v.AzureDisk != nil:
		d.Plugin, d.Field = azurePlugin, "azureDisk"
		d.Handle, d.fault = azureHandle(v.AzureDisk)
	case v.Cinder != nil:
		d.Plugin, d.Field, d.Handle = cinderPlugin, "cinder", v.Cinder.VolumeID
	case v.PortworxVolume != nil:
		d.Plugin, d.Field, d.Handle = portworxPlugin, "portworxVolume", v.PortworxVolume.VolumeID
	default:
		return d, false
	}
	return d, true
}

// DiskOfVolume is the disk that a persistent volume is, if it is one of an in-tree plugin.
func DiskOfVolume(spec *v1.PersistentVolumeSpec, labels map[string]string) (Disk, bool) {
	inline := v1.VolumeSource{
		AWSElasticBlockStore: spec.AWSElasticBlockStore, GCEPersistentDisk: spec.GCEPersistentDisk,
		AzureDisk: spec.AzureDisk, PortworxVolume: spec.PortworxVolume,
	}
	if spec.Cinder != nil {
		inline.Cinder = &v1.CinderVolumeSource{VolumeID: spec.Cinder.VolumeID}
	}
	d, is := DiskOfPod(&inline)
	if spec.GCEPersistentDisk != nil {
		d.Handle, d.fault = gceHandle(spec.GCEPersistentDisk, labels)
	}
	return d, is
}

// Check refuses disks without a name, and those that the driver would not take.
func (d *Disk) Check(faults *document.Errors, at document.Value, path string) {
	switch {
	case d.fault != "":
		faults.Add(at, path, "is not supported: the CSI driver %s cannot take the disk over, since %s", d.Plugin.Driver, d.fault)
	case d.Handle == "" || strings.HasSuffix(d.Handle, "/disks/"):
		faults.Add(at, path, "must name the disk")
	}
}

// TranslatedAffinity is the node affinity of a volume in the words of its CSI driver: its zones, or else those
// of its labels, under the driver's key.
//
// Upstream: translateTopologyFromInTreeToCSI of k8s.io/csi-translation-lib/plugins/in_tree_volume.go, v0.36.3.
func TranslatedAffinity(pv *v1.PersistentVolume, driverKey string) *v1.VolumeNodeAffinity {
	a := pv.Spec.NodeAffinity.DeepCopy()
	if a == nil {
		a = &v1.VolumeNodeAffinity{}
	}
	if a.Required == nil {
		a.Required = &v1.NodeSelector{}
	}
	zone, region := topologyLabels(pv, a.Required)
	if len(valuesOf(a.Required, zone)) > 0 {
		renameKey(a.Required, zone, driverKey)
	} else if label, has := pv.Labels[zone]; has {
		addZones(a.Required, driverKey, strings.Split(label, zoneSeparator))
	}
	if region == v1.LabelFailureDomainBetaRegion && len(valuesOf(a.Required, region)) > 0 {
		renameKey(a.Required, region, v1.LabelTopologyRegion)
	}
	if pv.Spec.NodeAffinity == nil && len(a.Required.NodeSelectorTerms) == 0 {
		return nil
	}
	return a
}

// topologyLabels are the labels of zone and region that a volume uses, those of old or today's.
func topologyLabels(pv *v1.PersistentVolume, s *v1.NodeSelector) (zone, region string) {
	uses := func(key string) bool {
		return slices.ContainsFunc(s.NodeSelectorTerms, func(t v1.NodeSelectorTerm) bool {
			return slices.ContainsFunc(t.MatchExpressions, func(r v1.NodeSelectorRequirement) bool { return r.Key == key })
		})
	}
	_, labeled := pv.Labels[v1.LabelTopologyZone]
	_, labeledOld := pv.Labels[v1.LabelFailureDomainBetaZone]
	old := !uses(v1.LabelTopologyZone) && (uses(v1.LabelFailureDomainBetaZone) || !labeled && labeledOld)
	if old {
		return v1.LabelFailureDomainBetaZone, v1.LabelFailureDomainBetaRegion
	}
	return v1.LabelTopologyZone, v1.LabelTopologyRegion
}

func valuesOf(s *v1.NodeSelector, key string) []string {
	var values []string
	for i := range s.NodeSelectorTerms {
		for _, r := range s.NodeSelectorTerms[i].MatchExpressions {
			if r.Key == key {
				values = append(values, r.Values...)
			}
		}
	}
	return values
}

func renameKey(s *v1.NodeSelector, from, to string) {
	for i := range s.NodeSelectorTerms {
		for j := range s.NodeSelectorTerms[i].MatchExpressions {
			if r := &s.NodeSelectorTerms[i].MatchExpressions[j]; r.Key == from {
				r.Key = to
			}
		}
	}
}

// addZones limits every term to zones.
func addZones(s *v1.NodeSelector, key string, labels []string) {
	var zones []string
	for _, zone := range labels {
		if zone = strings.TrimSpace(zone); zone != "" {
			zones = append(zones, zone)
		}
	}
	if len(zones) == 0 {
		return
	}
	if len(s.NodeSelectorTerms) == 0 {
		s.NodeSelectorTerms = make([]v1.NodeSelectorTerm, 1)
	}
	for i := range s.NodeSelectorTerms {
		t := &s.NodeSelectorTerms[i]
		t.MatchExpressions = append(t.MatchExpressions, v1.NodeSelectorRequirement{Key: key, Operator: v1.NodeSelectorOpIn, Values: zones})
	}
}
