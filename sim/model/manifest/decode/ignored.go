package decode

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Ignored are kinds that the user has left out, by kind and group in lower case. A name without a group stands for the
// kind in every group, and * for all kinds of a group.
type Ignored map[string]bool

var ignoredName = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9]*|([A-Za-z][A-Za-z0-9]*|\*)\.[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)$`)

// NewIgnored reads names of kinds, as KIND, KIND.GROUP or *.GROUP. The error is about the name at the index.
func NewIgnored(names []string) (ignored Ignored, index int, err error) {
	ignored = Ignored{}
	for i, name := range names {
		if !ignoredName.MatchString(name) {
			return nil, i, fmt.Errorf("is not a kind of objects: give KIND, KIND.GROUP or *.GROUP, such as NodePool.karpenter.sh")
		}
		ignored[strings.ToLower(name)] = true
	}
	return ignored, 0, nil
}

// Matches reports whether objects of a kind are left out.
func (i Ignored) Matches(group, kind string) bool {
	if len(i) == 0 {
		return false
	}
	kind, group = strings.ToLower(kind), strings.ToLower(group)
	return i[kind] || i[kind+"."+group] || i["*."+group]
}

// KindNames returns the kinds that berth knows by name, without and with their groups.
func KindNames() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.Name, k.FullName())
	}
	slices.Sort(names)
	return slices.Compact(names)
}
