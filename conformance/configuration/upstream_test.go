// Package configuration holds the reader of scheduler configurations against kube-scheduler's
// own decoding, defaulting and validation, and the making of its profiles.
package configuration

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/conformance"
	ours "github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/release"
)

var (
	kubernetes = flag.String("kubernetes", conformance.DefaultRelease, "release whose kube-scheduler reads")
	kube       *conformance.Kube
)

func TestMain(m *testing.M) {
	flag.Parse()
	var err error
	if kube, err = conformance.StartKube(*kubernetes); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// read is what berth says of the configuration.
func read(text []byte) error {
	docs, err := document.Parse("policy.yaml", text)
	if err != nil {
		return err
	}
	_, rules, err := release.Settings{Kubernetes: *kubernetes}.Resolve()
	if err != nil {
		return err
	}
	v := cluster.NewVocabulary()
	reader := ours.Reader{Registry: plugins.Registry(), Affinity: manifest.New(v).NodeAffinity, Vocabulary: v, Rules: rules}
	for _, doc := range docs {
		_, err = reader.Parse(doc)
	}
	return err
}

const header = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"

// stricter are the words of faults that berth finds on purpose where kube-scheduler finds none;
// docs/policies.md lists them.
var stricter = []string{
	"is required",
	"weight: \"-", // of a plugin
	"is not supported yet",
	"kube-scheduler would fail every pod",
	"kube-scheduler would wait forever",
	"is longer than virtual time",
}

// outOfTree are berth's plugins that kube-scheduler would have to be built with.
var outOfTree = []string{"NodeDevicesFit", "FGD", "FGDExact", "BestFit", "DotProd", "GpuPacking", "GpuClustering", "Random"}

// lacksPlugin reports whether all that kube-scheduler has against a configuration is that it was
// not built with one of berth's plugins.
func lacksPlugin(err error) bool {
	return err != nil && slices.ContainsFunc(outOfTree, func(name string) bool {
		return strings.HasSuffix(err.Error(), fmt.Sprintf("%q does not exist", name))
	})
}

// agree reports a configuration that one side accepts and the other does not.
func agree(t *testing.T, text []byte) (ok bool) {
	t.Helper()
	theirs, err := kube.Starts(text)
	if err != nil {
		t.Fatal(err)
	}
	mine := read(text)
	if (theirs == nil) == (mine == nil) || mine == nil && lacksPlugin(theirs) {
		return true
	}
	if theirs == nil {
		for _, words := range stricter {
			if strings.Contains(mine.Error(), words) {
				return true
			}
		}
	}
	t.Errorf("kube-scheduler: %v\nberth: %v\n%s", theirs, mine, text)
	return false
}
