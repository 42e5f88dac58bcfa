// Package release holds what differs between the Kubernetes releases that berth follows: a table of named rules, one
// column for each release, and the feature gates that switch them.
//
// A piece of code that decides differently in different releases is given Rules and asks them. It never compares
// versions. So a question about an upgrade can change one rule at a time.
package release

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Release is a minor release of Kubernetes.
type Release struct {
	Minor   int    // of Kubernetes 1
	Version string // the patch release that is followed
	rules   func() Rules
}

// releases are those that are followed, the oldest first.
var releases = []Release{
	{33, "v1.33.13", rules1_33},
	{34, "v1.34.4", rules1_34},
	{35, "v1.35.4", rules1_35},
	{36, "v1.36.3", rules1_36},
	{37, "v1.37.2", rules1_37},
}

// All returns the releases that are followed, the oldest first.
func All() []Release { return append([]Release(nil), releases...) }

// Newest returns the release that is followed where none is named.
func Newest() Release { return releases[len(releases)-1] }

// String returns the name of the release as 1.37.
func (r Release) String() string { return name(r.Minor) }

// UnmarshalText reads the name of a release as Parse does.
func (r *Release) UnmarshalText(text []byte) (err error) {
	*r, err = Parse(string(text))
	return err
}

// Rules returns the rules of the release with the defaults of its feature gates.
func (r Release) Rules() Rules { return r.rules() }

// OrNewest returns the rules, or those of the newest release where there are none.
func OrNewest(rules *Rules) Rules {
	if rules == nil {
		return Newest().Rules()
	}
	return *rules
}

func name(minor int) string { return "1." + strconv.Itoa(minor) }

var version = regexp.MustCompile(`^v?1\.(\d+)(\.\d+)?$`)

// Parse returns the release that text names: 1.35 or v1.35. A patch release, as 1.35.2, stands for its minor release.
func Parse(text string) (Release, error) {
	parts := version.FindStringSubmatch(text)
	if parts == nil {
		return Release{}, fmt.Errorf("%q is not a Kubernetes release; give one of %s", text, list())
	}
	minor, err := strconv.Atoi(parts[1])
	for _, r := range releases {
		if err == nil && r.Minor == minor {
			return r, nil
		}
	}
	return Release{}, fmt.Errorf("release %s of Kubernetes is not followed; give one of %s", strings.TrimPrefix(text, "v"), list())
}

func list() string {
	var names []string
	for _, r := range releases {
		names = append(names, r.String())
	}
	return strings.Join(names, ", ")
}

var kubelet = regexp.MustCompile(`^v1\.(\d+)\.`)

// OfKubelet returns the minor release that a kubelet reports, as v1.35.2-eks-1234567 does, and false when the version has
// another form. The release need not be one that is followed.
func OfKubelet(version string) (minor int, ok bool) {
	parts := kubelet.FindStringSubmatch(version)
	if parts == nil {
		return 0, false
	}
	minor, err := strconv.Atoi(parts[1])
	return minor, err == nil
}

// Nearest returns the release that is followed and nearest to a minor release.
func Nearest(minor int) Release {
	last := len(releases) - 1
	return releases[min(max(minor-releases[0].Minor, 0), last)]
}
