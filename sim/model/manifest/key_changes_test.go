package manifest

import (
	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/model/manifest/devices"
)

type pod = v1.PodTemplateSpec

func mainContainer(p *pod) *v1.Container { return &p.Spec.Containers[0] }

func port(p *pod) *v1.ContainerPort { return &mainContainer(p).Ports[0] }

func toleration(p *pod) *v1.Toleration { return &p.Spec.Tolerations[0] }

func nodeAffinity(p *pod) *v1.NodeAffinity { return p.Spec.Affinity.NodeAffinity }

func constraint(p *pod) *v1.TopologySpreadConstraint { return &p.Spec.TopologySpreadConstraints[0] }

func required(p *pod) *v1.NodeSelectorTerm {
	return &nodeAffinity(p).RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0]
}

func preferred(p *pod) *v1.PreferredSchedulingTerm {
	return &nodeAffinity(p).PreferredDuringSchedulingIgnoredDuringExecution[0]
}

func affinityTerm(p *pod) *v1.PodAffinityTerm {
	return &p.Spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0]
}

func weightedTerm(p *pod) *v1.WeightedPodAffinityTerm {
	return &p.Spec.Affinity.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution[0]
}

func selectorRequirement(p *pod) *metav1.LabelSelectorRequirement {
	return &affinityTerm(p).LabelSelector.MatchExpressions[0]
}

// created has the pod carry what admission gave it when it was created, by classes that are not known.
func created(p *pod) {
	p.Spec.PriorityClassName, p.Spec.Priority, p.Spec.RuntimeClassName = "elsewhere", new(int32(1)), new("elsewhere")
	p.Spec.Overhead = list("cpu", "1")
}

// volume has the pod have one volume.
func volume(source v1.VolumeSource) func(*pod) {
	return func(p *pod) { p.Spec.Volumes = []v1.Volume{{Name: "v", VolumeSource: *source.DeepCopy()}} }
}

func source(p *pod) *v1.VolumeSource { return &p.Spec.Volumes[0].VolumeSource }

func claimSpec(p *pod) *v1.PersistentVolumeClaimSpec {
	return &source(p).Ephemeral.VolumeClaimTemplate.Spec
}

var (
	claim     = volume(v1.VolumeSource{PersistentVolumeClaim: &v1.PersistentVolumeClaimVolumeSource{ClaimName: "c"}})
	gce       = volume(v1.VolumeSource{GCEPersistentDisk: &v1.GCEPersistentDiskVolumeSource{PDName: "d"}})
	ebs       = volume(v1.VolumeSource{AWSElasticBlockStore: &v1.AWSElasticBlockStoreVolumeSource{VolumeID: "vol-1"}})
	iscsi     = volume(v1.VolumeSource{ISCSI: &v1.ISCSIVolumeSource{TargetPortal: "p", IQN: "iqn.2026-01.com.example:a"}})
	rbd       = volume(v1.VolumeSource{RBD: &v1.RBDVolumeSource{CephMonitors: []string{"m"}, RBDImage: "i"}})
	cinder    = volume(v1.VolumeSource{Cinder: &v1.CinderVolumeSource{VolumeID: "d"}})
	portworx  = volume(v1.VolumeSource{PortworxVolume: &v1.PortworxVolumeSource{VolumeID: "d"}})
	azure     = volume(v1.VolumeSource{AzureDisk: &v1.AzureDiskVolumeSource{DiskName: "n", DataDiskURI: "/d", Kind: new(v1.AzureManagedDisk)}})
	azureFile = volume(v1.VolumeSource{AzureFile: &v1.AzureFileVolumeSource{SecretName: "s", ShareName: "n"}})
	vsphere   = volume(v1.VolumeSource{VsphereVolume: &v1.VsphereVirtualDiskVolumeSource{VolumePath: "p"}})
	image     = volume(v1.VolumeSource{Image: &v1.ImageVolumeSource{Reference: "r:1"}})
	noVolume  = volume(v1.VolumeSource{})
	ephemeral = volume(v1.VolumeSource{Ephemeral: &v1.EphemeralVolumeSource{VolumeClaimTemplate: &v1.PersistentVolumeClaimTemplate{
		Spec: v1.PersistentVolumeClaimSpec{
			AccessModes: []v1.PersistentVolumeAccessMode{v1.ReadWriteOnce},
			Resources:   v1.VolumeResourceRequirements{Requests: list("storage", "1Gi")},
		},
	}}})
)

// keyed are the fields that distinguish classes of pods, each with a change of it that makes another class.
var keyed = map[string]change{
	"ObjectMeta.Namespace":       {change: func(p *pod) { p.Namespace = "other" }},
	"ObjectMeta.Labels":          {change: func(p *pod) { p.Labels["b"] = "c" }},
	"ObjectMeta.Annotations":     {change: func(p *pod) { p.Annotations = map[string]string{devices.GPUMilli: "500"} }},
	"ObjectMeta.OwnerReferences": {change: func(p *pod) { p.OwnerReferences = nil }},
	"OwnerReference.APIVersion":  {change: func(p *pod) { p.OwnerReferences[0].APIVersion = "apps/v2" }},
	"OwnerReference.Kind":        {change: func(p *pod) { p.OwnerReferences[0].Kind = "Job" }},
	"OwnerReference.Name":        {change: func(p *pod) { p.OwnerReferences[0].Name = "other" }},
	"OwnerReference.UID":         {change: func(p *pod) { p.OwnerReferences[0].UID = "u2" }},
	"OwnerReference.Controller":  {change: func(p *pod) { p.OwnerReferences[0].Controller = nil }},

	"PodSpec.Volumes": {change: claim},
	"PodSpec.InitContainers": {change: func(p *pod) {
		p.Spec.InitContainers = append(p.Spec.InitContainers, v1.Container{Name: "more", Image: "i:2"})
	}},
	"PodSpec.Containers":                    {change: func(p *pod) { p.Spec.Containers = append(p.Spec.Containers, v1.Container{Name: "more", Image: "i:2"}) }},
	"PodSpec.TerminationGracePeriodSeconds": {change: func(p *pod) { p.Spec.TerminationGracePeriodSeconds = new(int64(5)) }},
	"PodSpec.NodeSelector":                  {change: func(p *pod) { p.Spec.NodeSelector = map[string]string{"a": "b"} }},
	"PodSpec.NodeName":                      {change: func(p *pod) { p.Spec.NodeName = "n" }},
	"PodSpec.HostNetwork": {
		func(p *pod) { port(p).HostPort = 0 }, func(p *pod) { p.Spec.HostNetwork = true },
	},
	"PodSpec.HostUsers":                 {func(p *pod) { p.Spec.HostNetwork = true }, func(p *pod) { p.Spec.HostUsers = new(false) }},
	"PodSpec.Affinity":                  {change: func(p *pod) { p.Spec.Affinity = nil }},
	"PodSpec.SchedulerName":             {change: func(p *pod) { p.Spec.SchedulerName = "other" }},
	"PodSpec.Tolerations":               {change: func(p *pod) { p.Spec.Tolerations = nil }},
	"PodSpec.PriorityClassName":         {change: func(p *pod) { p.Spec.PriorityClassName = "high" }},
	"PodSpec.Priority":                  {created, func(p *pod) { p.Spec.Priority = new(int32(2)) }},
	"PodSpec.PreemptionPolicy":          {created, func(p *pod) { p.Spec.PreemptionPolicy = new(v1.PreemptNever) }},
	"PodSpec.RuntimeClassName":          {change: func(p *pod) { p.Spec.RuntimeClassName = new("sandboxed") }},
	"PodSpec.Overhead":                  {created, func(p *pod) { p.Spec.Overhead = list("cpu", "2") }},
	"PodSpec.TopologySpreadConstraints": {change: func(p *pod) { p.Spec.TopologySpreadConstraints = nil }},
	"PodSpec.SchedulingGates":           {change: func(p *pod) { p.Spec.SchedulingGates = []v1.PodSchedulingGate{{Name: "a/b"}} }},
	"PodSchedulingGate.Name": {
		func(p *pod) { p.Spec.SchedulingGates = []v1.PodSchedulingGate{{Name: "a/b"}} }, func(p *pod) { p.Spec.SchedulingGates[0].Name = "a/c" },
	},
	"PodSpec.Resources": {change: func(p *pod) { p.Spec.Resources = &v1.ResourceRequirements{Requests: list("cpu", "2")} }},

	"Container.Image":              {change: func(p *pod) { mainContainer(p).Image = "i:2" }},
	"Container.Ports":              {change: func(p *pod) { mainContainer(p).Ports = nil }},
	"Container.Resources":          {change: func(p *pod) { mainContainer(p).Resources = v1.ResourceRequirements{} }},
	"Container.RestartPolicyRules": {change: func(p *pod) { restartAll(p) }},
	"Container.RestartPolicy": {
		func(p *pod) { p.Spec.InitContainers[0].Ports = []v1.ContainerPort{{ContainerPort: 1, HostPort: 1}} },
		func(p *pod) { p.Spec.InitContainers[0].RestartPolicy = new(v1.ContainerRestartPolicyAlways) },
	},
	"ContainerRestartRule.Action":   {restartAll, func(p *pod) { mainContainer(p).RestartPolicyRules[0].Action = v1.ContainerRestartRuleActionRestart }},
	"ContainerPort.HostPort":        {change: func(p *pod) { port(p).HostPort = 81 }},
	"ContainerPort.ContainerPort":   {func(p *pod) { p.Spec.HostNetwork, port(p).HostPort = true, 0 }, func(p *pod) { port(p).ContainerPort = 81 }},
	"ContainerPort.Protocol":        {change: func(p *pod) { port(p).Protocol = v1.ProtocolUDP }},
	"ContainerPort.HostIP":          {change: func(p *pod) { port(p).HostIP = "10.0.0.1" }},
	"ResourceRequirements.Limits":   {func(p *pod) { mainContainer(p).Resources.Requests = nil }, func(p *pod) { mainContainer(p).Resources.Limits = list("cpu", "2") }},
	"ResourceRequirements.Requests": {change: func(p *pod) { mainContainer(p).Resources.Requests = list("cpu", "2") }},

	"Affinity.NodeAffinity":    {change: func(p *pod) { p.Spec.Affinity.NodeAffinity = nil }},
	"Affinity.PodAffinity":     {change: func(p *pod) { p.Spec.Affinity.PodAffinity = nil }},
	"Affinity.PodAntiAffinity": {change: func(p *pod) { p.Spec.Affinity.PodAntiAffinity = nil }},
	"NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution":  {change: func(p *pod) { nodeAffinity(p).RequiredDuringSchedulingIgnoredDuringExecution = nil }},
	"NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution": {change: func(p *pod) { nodeAffinity(p).PreferredDuringSchedulingIgnoredDuringExecution = nil }},
	"NodeSelector.NodeSelectorTerms": {change: func(p *pod) {
		s := nodeAffinity(p).RequiredDuringSchedulingIgnoredDuringExecution
		s.NodeSelectorTerms = append(s.NodeSelectorTerms, v1.NodeSelectorTerm{})
	}},
	"NodeSelectorTerm.MatchExpressions": {change: func(p *pod) { required(p).MatchExpressions = nil }},
	"NodeSelectorTerm.MatchFields": {change: func(p *pod) {
		required(p).MatchFields = []v1.NodeSelectorRequirement{{Key: "metadata.name", Operator: v1.NodeSelectorOpIn, Values: []string{"n"}}}
	}},
	"NodeSelectorRequirement.Key":        {change: func(p *pod) { required(p).MatchExpressions[0].Key = "other" }},
	"NodeSelectorRequirement.Operator":   {change: func(p *pod) { required(p).MatchExpressions[0].Operator = v1.NodeSelectorOpNotIn }},
	"NodeSelectorRequirement.Values":     {change: func(p *pod) { required(p).MatchExpressions[0].Values = []string{"w"} }},
	"PreferredSchedulingTerm.Weight":     {change: func(p *pod) { preferred(p).Weight = 2 }},
	"PreferredSchedulingTerm.Preference": {change: func(p *pod) { preferred(p).Preference.MatchExpressions[0].Key = "other" }},

	"PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution":      {change: func(p *pod) { p.Spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution = nil }},
	"PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution":     {change: func(p *pod) { p.Spec.Affinity.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution = nil }},
	"PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution":  {change: func(p *pod) { p.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution = nil }},
	"PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution": {change: func(p *pod) { p.Spec.Affinity.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution = nil }},
	"PodAffinityTerm.LabelSelector":                                   {change: func(p *pod) { affinityTerm(p).LabelSelector = nil }},
	"PodAffinityTerm.Namespaces":                                      {change: func(p *pod) { affinityTerm(p).Namespaces = []string{"other"} }},
	"PodAffinityTerm.TopologyKey":                                     {change: func(p *pod) { affinityTerm(p).TopologyKey = "host" }},
	"PodAffinityTerm.NamespaceSelector":                               {change: func(p *pod) { affinityTerm(p).NamespaceSelector = &metav1.LabelSelector{} }},
	"PodAffinityTerm.MatchLabelKeys":                                  {change: func(p *pod) { affinityTerm(p).MatchLabelKeys = []string{"app"} }},
	"PodAffinityTerm.MismatchLabelKeys":                               {change: func(p *pod) { affinityTerm(p).MismatchLabelKeys = []string{"app"} }},
	"WeightedPodAffinityTerm.Weight":                                  {change: func(p *pod) { weightedTerm(p).Weight = 2 }},
	"WeightedPodAffinityTerm.PodAffinityTerm":                         {change: func(p *pod) { weightedTerm(p).PodAffinityTerm.TopologyKey = "host" }},
	"LabelSelector.MatchLabels":                                       {change: func(p *pod) { affinityTerm(p).LabelSelector.MatchLabels["a"] = "c" }},
	"LabelSelector.MatchExpressions":                                  {change: func(p *pod) { affinityTerm(p).LabelSelector.MatchExpressions = nil }},
	"LabelSelectorRequirement.Key":                                    {change: func(p *pod) { selectorRequirement(p).Key = "e" }},
	"LabelSelectorRequirement.Operator":                               {change: func(p *pod) { selectorRequirement(p).Operator = metav1.LabelSelectorOpNotIn }},
	"LabelSelectorRequirement.Values":                                 {change: func(p *pod) { selectorRequirement(p).Values = []string{"e"} }},

	"Toleration.Key":               {change: func(p *pod) { toleration(p).Key = "l" }},
	"Toleration.Operator":          {func(p *pod) { toleration(p).Value = "" }, func(p *pod) { toleration(p).Operator = v1.TolerationOpExists }},
	"Toleration.Value":             {change: func(p *pod) { toleration(p).Value = "w" }},
	"Toleration.Effect":            {change: func(p *pod) { toleration(p).Effect = v1.TaintEffectNoSchedule }},
	"Toleration.TolerationSeconds": {change: func(p *pod) { toleration(p).TolerationSeconds = new(int64(5)) }},

	"TopologySpreadConstraint.MaxSkew":            {change: func(p *pod) { constraint(p).MaxSkew = 2 }},
	"TopologySpreadConstraint.TopologyKey":        {change: func(p *pod) { constraint(p).TopologyKey = "host" }},
	"TopologySpreadConstraint.WhenUnsatisfiable":  {change: func(p *pod) { constraint(p).WhenUnsatisfiable = v1.ScheduleAnyway }},
	"TopologySpreadConstraint.LabelSelector":      {change: func(p *pod) { constraint(p).LabelSelector = nil }},
	"TopologySpreadConstraint.MinDomains":         {change: func(p *pod) { constraint(p).MinDomains = new(int32(2)) }},
	"TopologySpreadConstraint.NodeAffinityPolicy": {change: func(p *pod) { constraint(p).NodeAffinityPolicy = new(v1.NodeInclusionPolicyIgnore) }},
	"TopologySpreadConstraint.NodeTaintsPolicy":   {change: func(p *pod) { constraint(p).NodeTaintsPolicy = new(v1.NodeInclusionPolicyHonor) }},
	"TopologySpreadConstraint.MatchLabelKeys":     {change: func(p *pod) { constraint(p).MatchLabelKeys = []string{"app"} }},

	"Volume.Name":                                 {ephemeral, func(p *pod) { p.Spec.Volumes[0].Name = "w" }},
	"Volume.VolumeSource":                         {claim, gce},
	"VolumeSource.GCEPersistentDisk":              {noVolume, gce},
	"VolumeSource.AWSElasticBlockStore":           {noVolume, ebs},
	"VolumeSource.ISCSI":                          {noVolume, iscsi},
	"VolumeSource.PersistentVolumeClaim":          {noVolume, claim},
	"VolumeSource.RBD":                            {noVolume, rbd},
	"VolumeSource.Cinder":                         {noVolume, cinder},
	"VolumeSource.AzureFile":                      {noVolume, azureFile},
	"VolumeSource.VsphereVolume":                  {noVolume, vsphere},
	"VolumeSource.AzureDisk":                      {noVolume, azure},
	"VolumeSource.PortworxVolume":                 {noVolume, portworx},
	"VolumeSource.Ephemeral":                      {noVolume, ephemeral},
	"VolumeSource.Image":                          {noVolume, image},
	"ImageVolumeSource.Reference":                 {image, func(p *pod) { source(p).Image.Reference = "r:2" }},
	"GCEPersistentDiskVolumeSource.PDName":        {gce, func(p *pod) { source(p).GCEPersistentDisk.PDName = "e" }},
	"GCEPersistentDiskVolumeSource.ReadOnly":      {gce, func(p *pod) { source(p).GCEPersistentDisk.ReadOnly = true }},
	"AWSElasticBlockStoreVolumeSource.VolumeID":   {ebs, func(p *pod) { source(p).AWSElasticBlockStore.VolumeID = "vol-2" }},
	"ISCSIVolumeSource.IQN":                       {iscsi, func(p *pod) { source(p).ISCSI.IQN += "b" }},
	"ISCSIVolumeSource.ReadOnly":                  {iscsi, func(p *pod) { source(p).ISCSI.ReadOnly = true }},
	"PersistentVolumeClaimVolumeSource.ClaimName": {claim, func(p *pod) { source(p).PersistentVolumeClaim.ClaimName = "d" }},
	"RBDVolumeSource.CephMonitors":                {rbd, func(p *pod) { source(p).RBD.CephMonitors = []string{"n"} }},
	"RBDVolumeSource.RBDImage":                    {rbd, func(p *pod) { source(p).RBD.RBDImage = "j" }},
	"RBDVolumeSource.RBDPool":                     {rbd, func(p *pod) { source(p).RBD.RBDPool = "p" }},
	"RBDVolumeSource.ReadOnly":                    {rbd, func(p *pod) { source(p).RBD.ReadOnly = true }},
	"CinderVolumeSource.VolumeID":                 {cinder, func(p *pod) { source(p).Cinder.VolumeID = "e" }},
	"PortworxVolumeSource.VolumeID":               {portworx, func(p *pod) { source(p).PortworxVolume.VolumeID = "e" }},
	"AzureDiskVolumeSource.DataDiskURI":           {azure, func(p *pod) { source(p).AzureDisk.DataDiskURI = "/e" }},
	"EphemeralVolumeSource.VolumeClaimTemplate":   {ephemeral, func(p *pod) { claimSpec(p).VolumeName = "w" }},
	"PersistentVolumeClaimTemplate.Spec":          {ephemeral, func(p *pod) { claimSpec(p).VolumeName = "w" }},
	"PersistentVolumeClaimSpec.AccessModes":       {ephemeral, func(p *pod) { claimSpec(p).AccessModes[0] = v1.ReadWriteMany }},
	"PersistentVolumeClaimSpec.Selector":          {ephemeral, func(p *pod) { claimSpec(p).Selector = &metav1.LabelSelector{} }},
	"PersistentVolumeClaimSpec.Resources":         {ephemeral, func(p *pod) { claimSpec(p).Resources.Requests = list("storage", "2Gi") }},
	"VolumeResourceRequirements.Requests":         {ephemeral, func(p *pod) { claimSpec(p).Resources.Requests = list("storage", "2Gi") }},
	"PersistentVolumeClaimSpec.VolumeName":        {ephemeral, func(p *pod) { claimSpec(p).VolumeName = "w" }},
	"PersistentVolumeClaimSpec.StorageClassName":  {ephemeral, func(p *pod) { claimSpec(p).StorageClassName = new("fast") }},
	"PersistentVolumeClaimSpec.VolumeMode":        {ephemeral, func(p *pod) { claimSpec(p).VolumeMode = new(v1.PersistentVolumeBlock) }},
	"PersistentVolumeClaimSpec.VolumeAttributesClassName": {
		ephemeral, func(p *pod) { claimSpec(p).VolumeAttributesClassName = new("gold") },
	},
}

// restartAll has a container restart all containers of the pod, which the kubelet must know how to do.
func restartAll(p *pod) {
	c := mainContainer(p)
	c.RestartPolicy = new(v1.ContainerRestartPolicyNever)
	c.RestartPolicyRules = []v1.ContainerRestartRule{{
		Action:    v1.ContainerRestartRuleActionRestartAllContainers,
		ExitCodes: &v1.ContainerRestartRuleOnExitCodes{Operator: v1.ContainerRestartRuleOnExitCodesOpIn, Values: []int32{1}},
	}}
}
