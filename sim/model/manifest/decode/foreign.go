package decode

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

// kubernetesGroups are the API groups of Kubernetes itself, besides those of the kinds that are listed. A kind that
// they do not have is a mistake.
var kubernetesGroups = func() map[string]bool {
	groups := map[string]bool{}
	for _, group := range []string{
		"authentication.k8s.io", "authorization.k8s.io", "extensions", "imagepolicy.k8s.io", "internal.apiserver.k8s.io", "storagemigration.k8s.io",
	} {
		groups[group] = true
	}
	for _, k := range slices.Concat(readKinds(), IgnoredKinds(), unsupportedKinds()) {
		groups[k.Group] = true
	}
	return groups
}()

// isForeign reports whether a kind is of a group that Kubernetes does not have: a custom resource. Its objects do
// not change scheduling, unless unsupportedForeignKinds says so. Groups of custom resources have a dot; without one,
// and where a kind that is read is named, the group is a mistake.
func isForeign(group, kind string) bool {
	if kubernetesGroups[group] {
		return false
	}
	if strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io") {
		return true
	}
	return !slices.ContainsFunc(readKinds(), func(k *Kind) bool { return k.Name == kind })
}

// unsupportedForeignKinds are custom resources by which well-known controllers change which nodes there are, what pods
// request, or when they may be scheduled.
func unsupportedForeignKinds() []*Kind {
	return slices.Concat(
		refused("its controller adds and removes nodes: dump the nodes that there are",
			[2]string{"karpenter.sh", "NodePool NodeClaim Provisioner Machine NodeOverlay"},
			[2]string{"autoscaling.x-k8s.io", "ProvisioningRequest CapacityBuffer"},
			[2]string{"cluster.x-k8s.io", "MachineDeployment MachineSet MachinePool Machine"},
			[2]string{"machine.openshift.io", "MachineSet Machine"},
			[2]string{"autoscaling.openshift.io", "ClusterAutoscaler MachineAutoscaler"},
		),
		refused("its controller decides when pods may be scheduled",
			[2]string{"kueue.x-k8s.io", "ClusterQueue LocalQueue ResourceFlavor Cohort Workload Topology AdmissionCheck WorkloadPriorityClass"},
			[2]string{"kueue.x-k8s.io", "Queue ProvisioningRequestConfig MultiKueueConfig MultiKueueCluster"}, // Queue: LocalQueue in v1alpha1
			[2]string{"scheduling.volcano.sh", "PodGroup Queue"},
			[2]string{"scheduling.incubator.k8s.io", "PodGroup Queue"},
			[2]string{"scheduling.run.ai", "Queue PodGroup Project"},
			[2]string{"scheduling.koordinator.sh", "Reservation PodMigrationJob Device"},
			[2]string{"quota.koordinator.sh", "ElasticQuotaProfile"},
			[2]string{"scheduling.sigs.k8s.io", "PodGroup"},
		),
		refused("the plugin CapacityScheduling reads it, which berth does not have",
			[2]string{"scheduling.x-k8s.io", "ElasticQuota"},
			[2]string{"scheduling.sigs.k8s.io", "ElasticQuota"},
		),
		refused("the plugin NodeResourceTopologyMatch reads it, which berth does not have", [2]string{"topology.node.k8s.io", "NodeResourceTopology"}),
		refused("the plugins NetworkOverhead and TopologicalSort read it, which berth does not have",
			[2]string{"appgroup.diktyo.x-k8s.io", "AppGroup"},
			[2]string{"networktopology.diktyo.x-k8s.io", "NetworkTopology"},
		),
		refused("its controller changes what pods request: dump the pods", [2]string{"autoscaling.k8s.io", "VerticalPodAutoscaler"}),
	)
}

// podMakers are custom resources of which well-known controllers make pods. They are skipped with a warning: the
// objects and pods that the controllers have made are in a dump of the cluster.
func podMakers() []*Kind {
	return kindsOf([][2]string{
		{"jobset.x-k8s.io", "JobSet"},
		{"leaderworkerset.x-k8s.io", "LeaderWorkerSet"},
		{"batch.volcano.sh", "Job"},
		{"kubeflow.org", "TFJob PyTorchJob MPIJob MXJob XGBoostJob PaddleJob JAXJob"},
		{"trainer.kubeflow.org", "TrainJob"},
		{"ray.io", "RayCluster RayJob RayService"},
		{"sparkoperator.k8s.io", "SparkApplication ScheduledSparkApplication"},
		{"argoproj.io", "Rollout Workflow CronWorkflow"},
		{"tekton.dev", "PipelineRun TaskRun"},
		{"serving.knative.dev", "Service"},
		{"apps.openshift.io", "DeploymentConfig"},
		{"apps.kruise.io", "CloneSet StatefulSet DaemonSet AdvancedCronJob BroadcastJob"},
		{"monitoring.coreos.com", "Prometheus PrometheusAgent Alertmanager ThanosRuler"},
		{"keda.sh", "ScaledJob"},
		{"postgresql.cnpg.io", "Cluster"},
		{"kafka.strimzi.io", "Kafka KafkaNodePool KafkaConnect"},
	}, func(k *Kind) {
		k.Ignored, k.Caveat = true, "its controller makes pods, which berth does not: add the pods that it has made"
	})
}

// builtinGroup is the group of kustomize's own generators and transformers.
const builtinGroup = "builtin"

// A kustomization says which manifests there are and what is changed in them. Its kind may be left out in its file.
var (
	kustomization      = newKustomization("Kustomization")
	kustomizeComponent = newKustomization("Component")
)

func newKustomization(name string) *Kind {
	return &Kind{
		Group: "kustomize.config.k8s.io", Name: name, Ignored: true, Caveat: kustomizationCaveat,
	}
}

const kustomizationCaveat = "its changes are not made; kubectl kustomize DIR | berth place -f - reads what it makes"

// ChartFile is the name of the file that makes a directory a Helm chart.
const ChartFile = "Chart.yaml"

// A Helm chart has templates of manifests. It stands for itself, by the one file that is read of it.
var chart = &Kind{
	Group: "helm.sh", Name: "Chart",
	unsupported: "the templates of a Helm chart are not manifests yet: helm template DIR | berth place -f - reads what it makes",
}

// IsChart reports whether a document says that its directory is a Helm chart.
func IsChart(v document.Value) bool {
	return filepath.Base(v.File()) == ChartFile && v.Path() == "" && !v.Get("kind").Exists()
}

// IsKustomization reports whether a document is a kustomization that does not name its kind.
func IsKustomization(v document.Value) bool {
	name := filepath.Base(v.File())
	return (name == "kustomization.yaml" || name == "kustomization.yml") && v.Path() == "" && !v.Get("kind").Exists()
}

// IsKustomization reports whether the object is a kustomization, or a part of one.
func (o *Object) IsKustomization() bool {
	return o.Kind == kustomization || o.Kind == kustomizeComponent || o.Kind != nil && o.Kind.Group == builtinGroup
}
