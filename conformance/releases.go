package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// Releases are the minor releases whose kube-scheduler can be built, the oldest first. The go.mod of the folder kube is
// that of the last; each other one has a file of its own in kube/releases.
var Releases = []string{"1.33", "1.34", "1.35", "1.36", "1.37"}

// DefaultRelease is the newest that berth decides like.
const DefaultRelease = "1.36"

// buildFlags choose the versions of modules for a release. Where the code in the folder kube, which is written for the
// newest, needs another file for releases before 1.36, the file has the build tag before1.36.
func buildFlags(release string) ([]string, error) {
	i := slices.Index(Releases, release)
	if i < 0 {
		return nil, fmt.Errorf("there is no kube-scheduler of %q here: choose one of %s", release, strings.Join(Releases, ", "))
	}
	if i == len(Releases)-1 {
		return nil, nil
	}
	var tags []string
	for _, newer := range Releases[i+1:] {
		tags = append(tags, "before"+newer)
	}
	return []string{"-modfile=releases/" + release + ".mod", "-tags=" + strings.Join(tags, ",")}, nil
}
