package manifest

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
)

// checker validates as the API server does. It remembers what it said of a text, since labels and
// names repeat. The zero value is ready; it is not for use by several goroutines.
type checker struct {
	// limitsCome: what is asked for without a limit is not a fault yet, for LimitRanger may bring one.
	limitsCome bool

	doubts // of the object that is being checked

	labelKeys, labelValues, resourceNames, subdomains, dnsLabels map[string]string
}

// maxRemembered bounds each of the memories.
const maxRemembered = 1 << 14

// remembered returns what is wrong with text by rule; "" if nothing is.
func remembered(memory *map[string]string, text string, rule func(string) []string) string {
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

func (c *checker) labelKey(key string) string {
	return remembered(&c.labelKeys, key, validation.IsQualifiedName)
}

func (c *checker) labelValue(value string) string {
	return remembered(&c.labelValues, value, validation.IsValidLabelValue)
}

func (c *checker) subdomain(name string) string {
	return remembered(&c.subdomains, name, validation.IsDNS1123Subdomain)
}

func (c *checker) dnsLabel(name string) string {
	return remembered(&c.dnsLabels, name, validation.IsDNS1123Label)
}

// labels checks a map of labels, or a node selector.
func (c *checker) labels(faults *document.Errors, at document.Value, path string, labels map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if what := c.labelKey(key); what != "" {
			faults.Add(at, join(path, key), "stands under a key that is not valid: %s", what)
		}
		if what := c.labelValue(labels[key]); what != "" {
			faults.Add(at, join(path, key), "is not valid: %s", what)
		}
	}
}

// meta checks the metadata of an object, gives a namespaced one its default and notes both names.
func (c *checker) meta(o *object, meta *metav1.ObjectMeta, namespaced bool) {
	o.name = meta.Name
	switch {
	case meta.Name == "" && meta.GenerateName != "":
		o.faults.Add(o.at, "metadata.name", "is required: names made from generateName are not supported")
	case meta.Name == "":
		o.faults.Add(o.at, "metadata.name", "is required")
	default:
		if bad := validation.IsDNS1123Subdomain(meta.Name); len(bad) > 0 {
			o.faults.Add(o.at, "metadata.name", "is not valid: %s", strings.Join(bad, "; "))
		}
	}
	switch {
	case !namespaced && meta.Namespace != "":
		o.faults.Add(o.at, "metadata.namespace", "has no place here: a %s has no namespace", o.kind.name)
	case namespaced:
		if meta.Namespace == "" {
			meta.Namespace = metav1.NamespaceDefault
		}
		o.namespace = meta.Namespace
		c.namespace(&o.faults, o.at, meta.Namespace)
	}
	c.labels(&o.faults, o.at, "metadata.labels", meta.Labels)
}

func (c *checker) namespace(faults *document.Errors, at document.Value, name string) {
	if what := c.dnsLabel(name); what != "" {
		faults.Add(at, "metadata.namespace", "is not valid: %s", what)
	}
}

// join puts steps (keys and indices) behind a path.
func join(path string, steps ...any) string {
	rest := document.Path(steps...)
	if rest[0] == '[' || path == "" {
		return path + rest
	}
	return path + "." + rest
}
