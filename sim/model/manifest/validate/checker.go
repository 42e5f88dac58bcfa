package validate

import (
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/release"
)

// Checker validates as the API server does. It remembers what it said of a text, since labels and
// names repeat. It needs Rules; it is not for use by several goroutines.
type Checker struct {
	// LimitsFollow: a request without a limit is not an error yet, since LimitRanger may add the limit.
	LimitsFollow bool
	// Rules are those of the release of the API server.
	Rules *release.Rules

	decode.FollowOn // of the object that is being checked

	labelKeys, labelValues, resourceNames, subdomains, dnsLabels map[string]string
}

// maxRemembered bounds each of the memories.
const maxRemembered = 1 << 14

// cached returns what is wrong with text by rule; "" if nothing is.
func cached(memory *map[string]string, text string, rule func(string) []string) string {
	if what, known := (*memory)[text]; known {
		return what
	}
	what := strings.Join(rule(text), "; ")
	if *memory == nil || len(*memory) >= maxRemembered {
		*memory = map[string]string{}
	}
	(*memory)[text] = what
	return what
}

// LabelKey says what is wrong with the key of a label; "" if nothing is.
func (c *Checker) LabelKey(key string) string {
	return cached(&c.labelKeys, key, validation.IsQualifiedName)
}

// LabelValue says what is wrong with the value of a label; "" if nothing is.
func (c *Checker) LabelValue(value string) string {
	return cached(&c.labelValues, value, validation.IsValidLabelValue)
}

func (c *Checker) subdomain(name string) string {
	return cached(&c.subdomains, name, validation.IsDNS1123Subdomain)
}

func (c *Checker) dnsLabel(name string) string {
	return cached(&c.dnsLabels, name, validation.IsDNS1123Label)
}

// Labels checks a map of labels, or a node selector.
func (c *Checker) Labels(faults *document.Errors, at document.Value, path string, labels map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if what := c.LabelKey(key); what != "" {
			faults.Add(at, decode.Join(path, key), "stands under a key that is not valid: %s", what)
		}
		if what := c.LabelValue(labels[key]); what != "" {
			faults.Add(at, decode.Join(path, key), "is not valid: %s", what)
		}
	}
}

// meta checks the metadata of an object, gives a namespaced one its default and notes both names.
func (c *Checker) meta(o *decode.Object, meta *metav1.ObjectMeta, namespaced bool) {
	o.Name = meta.Name
	switch {
	case meta.Name == "" && meta.GenerateName != "":
		o.GenerateName = meta.GenerateName
		if bad := validation.IsDNS1123Subdomain(meta.GenerateName + "0"); len(bad) > 0 {
			o.Faults.Add(o.At, "metadata.generateName", "is not valid: %s", strings.Join(bad, "; "))
		}
	case meta.Name == "":
		o.Faults.Add(o.At, "metadata.name", "is required")
	default:
		if bad := validation.IsDNS1123Subdomain(meta.Name); len(bad) > 0 {
			o.Faults.Add(o.At, "metadata.name", "is not valid: %s", strings.Join(bad, "; "))
		}
	}
	if namespaced { // the API server drops the namespace of other objects
		if meta.Namespace == "" {
			meta.Namespace = metav1.NamespaceDefault
		}
		o.Namespace = meta.Namespace
		c.namespace(&o.Faults, o.At, meta.Namespace)
	}
	c.Labels(&o.Faults, o.At, "metadata.labels", meta.Labels)
}

func (c *Checker) namespace(faults *document.Errors, at document.Value, name string) {
	if what := c.dnsLabel(name); what != "" {
		faults.Add(at, "metadata.namespace", "is not valid: %s", what)
	}
}
