package initialize

import (
	"strconv"
	"strings"
)

// findDerived finds the names of an object that are derived from other names, and the labels whose values are numbers or
// several zones.
func (s *scrubber) findDerived(o object, tree map[string]any) {
	s.findNumbersAndZones(tree)
	name := o.name
	switch o.kind {
	case "StatefulSet":
		for _, t := range list(tree, "spec", "volumeClaimTemplates") {
			volume, _ := field(t, "metadata", "name").(string)
			s.deriveClaims(volume, name)
		}
	case "Pod":
		s.derivePod(name, tree)
	case "ReplicaSet":
		s.deriveReplicaSet(name)
	}
	for _, ref := range list(tree, "metadata", "ownerReferences") {
		if of, _ := field(ref, "name").(string); field(ref, "kind") == "ReplicaSet" {
			s.deriveReplicaSet(of)
		}
	}
}

// deriveReplicaSet derives the name of a ReplicaSet from that of its Deployment, which the names of its pods begin with.
func (s *scrubber) deriveReplicaSet(name string) {
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		s.derive("app", name, func() string { return s.of("app", name[:i]) + "-" + s.of("value", name[i+1:]) })
	}
}

// deriveClaims derives the names of the claims of a StatefulSet from those of the volume and the StatefulSet.
func (s *scrubber) deriveClaims(volume, set string) {
	s.sets[volume+"-"+set] = [2]string{volume, set}
}

func (s *scrubber) derivePod(name string, tree map[string]any) {
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

// findNumbersAndZones finds label keys whose values are compared as numbers, and labels with several zones.
func (s *scrubber) findNumbersAndZones(v tree) {
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
			s.findNumbersAndZones(value)
		}
	case []any:
		for _, item := range v {
			s.findNumbersAndZones(item)
		}
	}
}

// claim returns the neutral name of a claim, which may be that of a StatefulSet.
func (s *scrubber) claim(name string) string {
	base, ordinal, numbered := cutLast(name)
	if of, is := s.sets[base]; is && numbered {
		return s.of("volume", of[0]) + "-" + s.of("app", of[1]) + "-" + ordinal
	}
	return s.of("persistentvolumeclaim", name)
}

func claims(s *scrubber, _ map[string]any, v tree) tree { return texts(v, s.claim) }
