package validate

import (
	"regexp"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// HasOwnUserNamespace reports whether the pod has a user namespace of its own.
func HasOwnUserNamespace(spec *v1.PodSpec) bool { return spec.HostUsers != nil && !*spec.HostUsers }

// hostUsers checks what does not go together with a user namespace of its own.
//
// Upstream: validateHostUsers of pkg/apis/core/validation, v1.36.3, with the gate
// UserNamespacesHostNetworkSupport on: a cluster that has it off has no such pods.
func (s *SpecCheck) hostUsers() {
	if !HasOwnUserNamespace(s.spec) {
		return
	}
	if s.spec.HostPID {
		s.add("hostPID", "must not be set when hostUsers is false")
	}
	if s.spec.HostIPC {
		s.add("hostIPC", "must not be set when hostUsers is false")
	}
}

const (
	maxRestartRules     = 20
	maxRestartExitCodes = 255
)

// restartRules checks when a container is restarted.
//
// Upstream: validateContainerRestartPolicy of pkg/apis/core/validation, v1.36.3.
func (s *SpecCheck) restartRules(path string, c *v1.Container) {
	if len(c.RestartPolicyRules) > 0 && c.RestartPolicy == nil {
		s.add(path+".restartPolicy", "is required where there are restartPolicyRules")
	}
	path += ".restartPolicyRules"
	if len(c.RestartPolicyRules) > maxRestartRules {
		s.add(path, "must not be more than %d rules", maxRestartRules)
	}
	for i := range c.RestartPolicyRules {
		rule, path := &c.RestartPolicyRules[i], decode.Join(path, i)
		if a := rule.Action; a != v1.ContainerRestartRuleActionRestart && a != v1.ContainerRestartRuleActionRestartAllContainers {
			s.add(path+".action", "is not an action; Restart and RestartAllContainers are")
		}
		codes := rule.ExitCodes
		if codes == nil {
			s.add(path+".exitCodes", "is required")
			continue
		}
		if op := codes.Operator; op != v1.ContainerRestartRuleOnExitCodesOpIn && op != v1.ContainerRestartRuleOnExitCodesOpNotIn {
			s.add(path+".exitCodes.operator", "is not an operator; In and NotIn are")
		}
		if len(codes.Values) > maxRestartExitCodes {
			s.add(path+".exitCodes.values", "must not be more than %d", maxRestartExitCodes)
		}
	}
}

var featureName = regexp.MustCompile(`^[A-Z][a-zA-Z0-9]*(/[a-zA-Z][a-zA-Z0-9]*)*$`)

// declaredFeatures checks the features that a node declares.
//
// Upstream: validateNodeDeclaredFeatures of pkg/apis/core/validation, v1.36.3.
func declaredFeatures(faults *document.Errors, at document.Value, names []string) {
	const path = "status.declaredFeatures"
	for i, name := range names {
		switch {
		case len(name) > validation.DNS1123SubdomainMaxLength:
			faults.Add(at, decode.Join(path, i), "must be no longer than %d characters", validation.DNS1123SubdomainMaxLength)
		case !featureName.MatchString(name):
			faults.Add(at, decode.Join(path, i), "is not a name of a feature: write it like MyFeature or MyFeature/mySubFeature")
		}
		switch {
		case i == 0:
		case name == names[i-1]:
			faults.Add(at, decode.Join(path, i), "is declared twice")
		case name < names[i-1]:
			faults.Add(at, decode.Join(path, i), "must come before %s: the list is sorted", names[i-1])
		}
	}
}
