package schema

// quantityPattern is what Kubernetes takes for an amount: 2, 500m, 1.5Gi, 2e3.
const quantityPattern = `^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?[0-9]+)?$`

// dueQuantity is what an editor says of other texts.
const dueQuantity = "is not an amount: write it like 2, 500m, 1.5Gi or 64M"

// kubernetes are the rules about single fields of the types of Kubernetes, which their Go types do
// not tell, by definition and name. Words are those that Kubernetes' validation takes.
var kubernetes = map[string]func(*node){
	"core.v1.Toleration.operator":                         oneOf("Exists", "Equal", "Lt", "Gt", ""),
	"core.v1.Toleration.effect":                           oneOf("NoSchedule", "PreferNoSchedule", "NoExecute", ""),
	"core.v1.Taint.effect":                                oneOf("NoSchedule", "PreferNoSchedule", "NoExecute"),
	"core.v1.PodSpec.restartPolicy":                       oneOf("Always", "OnFailure", "Never", ""),
	"core.v1.PodSpec.preemptionPolicy":                    oneOf("PreemptLowerPriority", "Never", ""),
	"core.v1.NodeSelectorRequirement.operator":            oneOf("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"),
	"meta.v1.LabelSelectorRequirement.operator":           oneOf("In", "NotIn", "Exists", "DoesNotExist"),
	"core.v1.TopologySpreadConstraint.whenUnsatisfiable":  oneOf("DoNotSchedule", "ScheduleAnyway"),
	"core.v1.TopologySpreadConstraint.nodeAffinityPolicy": oneOf("Honor", "Ignore"),
	"core.v1.TopologySpreadConstraint.nodeTaintsPolicy":   oneOf("Honor", "Ignore"),
	"core.v1.TopologySpreadConstraint.maxSkew":            func(n *node) { n.Minimum = new(1.0) },
	"core.v1.TopologySpreadConstraint.minDomains":         func(n *node) { n.Minimum = new(1.0) },
	"core.v1.ContainerPort.hostPort":                      func(n *node) { n.between(0, 65535) },
	"core.v1.ContainerPort.protocol":                      oneOf("TCP", "UDP", "SCTP", ""),
	"core.v1.PreferredSchedulingTerm.weight":              func(n *node) { n.between(1, 100) },
	"core.v1.WeightedPodAffinityTerm.weight":              func(n *node) { n.between(1, 100) },
	"core.v1.ResourceRequirements.requests":               amountsOfResources,
	"core.v1.ResourceRequirements.limits":                 amountsOfResources,
	"core.v1.PodSpec.overhead":                            amountsOfResources,
	"core.v1.NodeStatus.allocatable":                      amountsOfResources,
	"core.v1.NodeStatus.capacity":                         amountsOfResources,
	"core.v1.PodSpec.terminationGracePeriodSeconds":       func(n *node) { n.Minimum = new(0.0) },
}

// needed are the fields that objects of Kubernetes cannot do without, by definition.
var needed = map[string][]string{
	"core.v1.Container":                {"name", "image"},
	"core.v1.PodSpec":                  {"containers"},
	"core.v1.Taint":                    {"key", "effect"},
	"core.v1.NodeSelectorRequirement":  {"key", "operator"},
	"meta.v1.LabelSelectorRequirement": {"key", "operator"},
	"core.v1.TopologySpreadConstraint": {"maxSkew", "topologyKey", "whenUnsatisfiable"},
	"core.v1.PodAffinityTerm":          {"topologyKey"},
}

// oneOf takes one of the words, or null.
func oneOf(list ...string) func(*node) {
	return func(n *node) {
		n.Type = nil
		n.Enum = append(words(list).Enum, nil)
	}
}

// amountsOfResources takes amounts by the names of resources.
func amountsOfResources(n *node) {
	n.Others = &node{Type: nullable("string", "number"), Pattern: quantityPattern, PatternError: dueQuantity}
}
