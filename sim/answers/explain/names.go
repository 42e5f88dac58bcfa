package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

const defaultNamespace = "default"

// PodName is the pod that the user asks for. Without a namespace it is the one of that name
// in the namespace default or, if there is none, in any other.
type PodName struct{ namespace, name string }

// ParsePod reads namespace/name, or name. It fails where either is empty.
func ParsePod(text string) (PodName, error) {
	namespace, name, qualified := strings.Cut(text, "/")
	if !qualified {
		namespace, name = "", text
	}
	if name == "" || qualified && namespace == "" || strings.Contains(name, "/") {
		return PodName{}, fmt.Errorf("%q is not a name of a pod: write it like namespace/name, or name", text)
	}
	return PodName{namespace, name}, nil
}

// String returns the pod as it was given.
func (w PodName) String() string {
	if w.namespace == "" {
		return w.name
	}
	return w.namespace + "/" + w.name
}

// may reports whether the pod called namespace/name may be the one.
func (w PodName) may(pod string) bool {
	namespace, name, _ := strings.Cut(pod, "/")
	return name == w.name && (w.namespace == "" || w.namespace == namespace)
}

// is reports whether it is the one for sure, whatever other pods there are.
func (w PodName) is(pod string) bool {
	return w.may(pod) && (w.namespace != "" || strings.HasPrefix(pod, defaultNamespace+"/"))
}

// names gathers the names of pods, to tell which one is wanted.
type names struct {
	PodName
	found     string              // the one, once it has been seen
	elsewhere []string            // of that name, in other namespaces than the default one
	all       map[string]struct{} // until it has been found
}

func (n *names) add(pod string) {
	switch {
	case n.is(pod):
		n.found, n.all = pod, nil
		return
	case n.may(pod) && !slices.Contains(n.elsewhere, pod):
		n.elsewhere = append(n.elsewhere, pod)
	}
	if n.found == "" {
		if n.all == nil {
			n.all = map[string]struct{}{}
		}
		n.all[pod] = struct{}{}
	}
}

// namesakes are the pods of the same name beside the one, if no namespace was asked for.
func (n *names) namesakes(one string) []string {
	list := slices.DeleteFunc(slices.Clone(n.elsewhere), func(pod string) bool { return pod == one })
	slices.Sort(list)
	return append([]string{}, list...)
}

// maxListed is how many names an error lists.
const maxListed = 8

// resolve is the name of the one that is wanted. The error says which ones may have been
// meant.
func (n *names) resolve() (string, error) {
	switch {
	case n.found != "":
		return n.found, nil
	case len(n.elsewhere) == 1:
		return n.elsewhere[0], nil
	case len(n.elsewhere) > 1:
		slices.Sort(n.elsewhere)
		return "", fmt.Errorf("there are %d pods called %s: %s; say which", len(n.elsewhere), n.name, listed(n.elsewhere))
	}
	all := slices.Sorted(maps.Keys(n.all))
	if len(all) == 0 {
		return "", fmt.Errorf("the cluster has no pods: check -f, or set --at to a later time")
	}
	var begins, bare, same []string
	for _, pod := range all {
		namespace, name, _ := strings.Cut(pod, "/")
		if name == n.name {
			same = append(same, pod)
		}
		if strings.HasPrefix(name, n.name) && (n.namespace == "" || n.namespace == namespace) {
			begins = append(begins, pod)
		}
		if n.namespace == "" {
			pod = name
		}
		bare = append(bare, pod)
	}
	if len(same) > 0 {
		return "", fmt.Errorf("pod %s not found, but %s", n.PodName, listed(same))
	}
	if len(begins) > 0 {
		return "", fmt.Errorf("pod %s not found; %s with that: %s", n.PodName, begin(len(begins)), listed(begins))
	}
	return "", fmt.Errorf("pod %s not found%s", n.PodName, document.Meant(n.String(), bare))
}

func begin(pods int) string {
	if pods == 1 {
		return "1 begins"
	}
	return fmt.Sprintf("%d begin", pods)
}

func listed(pods []string) string {
	if rest := len(pods) - maxListed; rest > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(pods[:maxListed], ", "), rest)
	}
	return strings.Join(pods, ", ")
}
