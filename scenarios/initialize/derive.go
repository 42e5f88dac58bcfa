package initialize

import (
	"strconv"
	"strings"
)

// note finds the names that follow from others, and labels whose values are numbers, or
// several zones.
func (s *scrubber) note(o object, tree map[string]any) {
	s.noteLabels(tree)
	name := o.name
	switch o.kind {
	case "StatefulSet":
		for _, t := range list(tree, "spec", "volumeClaimTemplates") {
			volume, _ := field(t, "metadata", "name").(string)
			s.noteClaims(volume, name)
		}
	case "Pod":
		s.notePod(name, tree)
	case "ReplicaSet":
		s.noteReplicaSet(name)
	}
	for _, ref := range list(tree, "metadata", "ownerReferences") {
		if of, _ := field(ref, "name").(string); field(ref, "kind") == "ReplicaSet" {
			s.noteReplicaSet(of)
		}
	}
}

// noteReplicaSet has the ReplicaSets of a Deployment begin with its name, by which their pods
// are known to be its own.
func (s *scrubber) noteReplicaSet(name string) {
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		s.derive("app", name, func() string { return s.of("app", name[:i]) + "-" + s.of("value", name[i+1:]) })
	}
}

// noteClaims notes how the claims of a StatefulSet are called.
func (s *scrubber) noteClaims(volume, set string) {
	s.sets[volume+"-"+set] = [2]string{volume, set}
}

func (s *scrubber) notePod(name string, tree map[string]any) {
	base, ordinal, numbered := cutLast(name)
	for _, ref := range list(tree, "metadata", "ownerReferences") {
		if _, err := strconv.Atoi(ordinal); numbered && err == nil && field(ref, "kind") == "StatefulSet" && field(ref, "name") == base {
			s.derive("app", name, func() string { return s.of("app", base) + "-" + ordinal })
		}
	}
	for _, v := range list(tree, "spec", "volumes") {
		if volume, _ := field(v, "name").(string); field(v, "ephemeral") != nil {
			s.derive("persistentvolumeclaim", name+"-"+volume, func() string { return s.of("app", name) + "-" + s.of("volume", volume) })
		}
	}
}

// noteLabels finds keys whose values are compared as numbers, and labels that are several zones.
func (s *scrubber) noteLabels(v tree) {
	switch v := v.(type) {
	case map[string]any:
		if op := v["operator"]; op == "Gt" || op == "Lt" {
			if key, is := v["key"].(string); is {
				s.numerals[key] = true
			}
		}
		for key, value := range v {
			text, _ := value.(string)
			s.regional = s.regional || sortOfKey(key) == "zone" && strings.Contains(text, zoneSeparator)
			s.noteLabels(value)
		}
	case []any:
		for _, item := range v {
			s.noteLabels(item)
		}
	}
}

// claim is the name of a claim, which may be one of a StatefulSet.
func (s *scrubber) claim(name string) string {
	base, ordinal, numbered := cutLast(name)
	if of, is := s.sets[base]; is && numbered {
		return s.of("volume", of[0]) + "-" + s.of("app", of[1]) + "-" + ordinal
	}
	return s.of("persistentvolumeclaim", name)
}

func claims(s *scrubber, _ map[string]any, v tree) tree { return texts(v, s.claim) }
