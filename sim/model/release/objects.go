package release

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed objects.txt
var objectsText string

// Served says which minor releases of Kubernetes 1 serve a version of a kind.
type Served struct {
	First int
	Last  int // 0: the newest serves it still
}

// typeName is a version of a kind, as objects name it.
type typeName struct{ apiVersion, kind string }

var served = readServed()

func readServed() map[typeName]Served {
	all := map[typeName]Served{}
	for line := range strings.Lines(objectsText) {
		words := strings.Fields(line)
		if strings.HasPrefix(line, "#") || words[0] == "version" {
			continue
		}
		all[typeName{words[0], words[1]}] = Served{minor(words[2]), minor(words[3])}
	}
	return all
}

// minor returns the number of a minor release that is written 1.37, and 0 for a dash.
func minor(name string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(name, "1."))
	return n
}

// ServedBy returns which releases serve a version of a kind, and false if the version is not one that came or went since
// Kubernetes 1.20. Versions that an API server serves only on demand count as served.
func ServedBy(apiVersion, kind string) (Served, bool) {
	s, listed := served[typeName{apiVersion, kind}]
	return s, listed
}

// After reports whether the version appeared after a release.
func (s Served) After(r Release) bool { return s.First > r.Minor }

// Before reports whether the version was removed before a release or in it.
func (s Served) Before(r Release) bool { return s.Last != 0 && s.Last < r.Minor }

// Oldest returns the name of the first release that serves the version.
func (s Served) Oldest() string { return name(s.First) }

// String returns the releases as text: 1.34 and later, 1.31 to 1.36, or 1.36 only.
func (s Served) String() string {
	switch s.Last {
	case 0:
		return name(s.First) + " and later"
	case s.First:
		return name(s.First) + " only"
	default:
		return fmt.Sprintf("%s to %s", name(s.First), name(s.Last))
	}
}
