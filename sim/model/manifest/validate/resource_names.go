package validate

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// resources checks the quantities of the list at path: names by the given rule, not negative, not too
// large, whole where they must be.
func (c *Checker) resources(faults *document.Errors, at document.Value, path string, list v1.ResourceList, rule nameRule) {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		if what := c.amountFault(rule, string(name), list[name]); what != "" {
			faults.Add(at, decode.Join(path, string(name)), "%s", what)
		}
	}
}

// amountFault says what is wrong with the quantity of one resource, or with its name.
func (c *Checker) amountFault(rule nameRule, name string, q resource.Quantity) string {
	if what := c.resourceName(rule, name); what != "" {
		return "is of a resource whose name is not valid: " + what
	}
	return resources.QuantityFault(name, q)
}

// nameRule says which names of resources may stand somewhere.
type nameRule uint8

const (
	nodeNames      nameRule = iota // any
	ContainerNames                 // what a container can request
	podNames                       // what can be requested at the level of the pod
)

// resourceName says what is wrong with the name of a resource; "" if nothing is.
func (c *Checker) resourceName(rule nameRule, name string) string {
	switch {
	case rule == nodeNames || rule == ContainerNames && resources.IsPlain(name):
		return ""
	case rule == podNames && !resources.IsPodLevel(name):
		return "only cpu, memory and hugepages-* can be asked for at the level of the pod"
	}
	return cached(&c.resourceNames, name, containerResource)
}

// containerResource says what is wrong with the name of a resource that a container asks for.
//
// Upstream: validateContainerResourceName of pkg/apis/core/validation, v1.36.3.
func containerResource(name string) []string {
	bad := validation.IsQualifiedName(name)
	switch {
	case len(bad) > 0 || resources.IsPlain(name):
		return bad
	case !strings.Contains(name, "/") && !resources.IsHugePages(name):
		return []string{"it is not a standard resource of containers; other names need a domain in front: example.com/" + name}
	case !resources.IsNative(name) && !resources.IsExtended(name):
		return []string{"it does not follow the standard for names of extended resources"}
	}
	return nil
}
