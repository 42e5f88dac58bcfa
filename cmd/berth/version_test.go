package main

import (
	"encoding/json"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/release"
)

func TestVersion(t *testing.T) {
	r := berth(t.Context(), 80, "version")
	if r.code != exitDone || !strings.Contains(r.out, release.Newest().Version) || !strings.Contains(r.out, runtime.Version()) {
		t.Errorf("exit %d: %q", r.code, r.out)
	}
	if flag := berth(t.Context(), 80, "--version"); flag != r {
		t.Errorf("--version says %q, version %q", flag.out, r.out)
	}
	var asJSON buildReport
	if err := json.Unmarshal([]byte(berth(t.Context(), 80, "version", "-o", "json").out), &asJSON); err != nil || !reflect.DeepEqual(asJSON, ownBuild()) {
		t.Errorf("version -o json says %+v (%v), want %+v", asJSON, err, ownBuild())
	}
}

// TestBuildReport: a binary names its version and its sources, however it was built.
func TestBuildReport(t *testing.T) {
	inRepository := []debug.BuildSetting{{Key: "vcs.revision", Value: "c0ffee"}, {Key: "vcs.time", Value: "2026-11-22T22:40:00Z"}}
	changed := append(inRepository[:2:2], debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	for _, test := range []struct {
		name, version, commit string
		info                  *debug.BuildInfo
	}{
		{"nothing is known", "berth 0.1.0-dev\n", "not known: built without a repository\n", nil},
		{"go build of an archive", "berth 0.1.0-dev\n", "not known: built without a repository\n", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}},
		{"a release", "berth v0.2.0\n", "c0ffee of 2026-11-22T22:40:00Z\n", &debug.BuildInfo{Main: debug.Module{Version: "v0.2.0"}, Settings: inRepository}},
		{"changed files", "berth v0.2.1-0.2026+dirty\n", "c0ffee of 2026-11-22T22:40:00Z, with changes that are not committed\n",
			&debug.BuildInfo{Main: debug.Module{Version: "v0.2.1-0.2026+dirty"}, Settings: changed}},
		{"go install", "berth v0.2.0\n", "not known: built from the module, h1:sum=\n", &debug.BuildInfo{Main: debug.Module{Version: "v0.2.0", Sum: "h1:sum="}}},
	} {
		text := newBuildReport(test.info).text()
		if !strings.HasPrefix(text, test.version) || !strings.Contains(text, "  commit      "+test.commit) {
			t.Errorf("%s:\n%s", test.name, text)
		}
	}
}
