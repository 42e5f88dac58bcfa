// Package configuration holds the reader of scheduler configurations against kube-scheduler's
// own decoding, defaulting and validation, and the making of its profiles.
package configuration

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/client-go/informers"
	clientset "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/validation"

	ours "github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
)

func init() { klog.SetLogger(logr.Discard()) }

// accepted reports whether kube-scheduler would start with the configuration: the error is
// what it gives up with.
func accepted(text []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	obj, _, err := scheme.Codecs.UniversalDecoder().Decode(text, nil, nil)
	if err != nil {
		return err
	}
	cfg, ok := obj.(*config.KubeSchedulerConfiguration)
	if !ok {
		return fmt.Errorf("is a %T", obj)
	}
	cfg.APIVersion = "kubescheduler.config.k8s.io/v1"
	if err := validation.ValidateKubeSchedulerConfiguration(cfg); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	defer cancel()
	client := &clientset.Clientset{}
	_, err = scheduler.New(ctx, client, informers.NewSharedInformerFactory(client, 0), nil,
		func(string) events.EventRecorderLogger { return &events.FakeRecorder{} },
		scheduler.WithComponentConfigVersion(cfg.APIVersion), scheduler.WithProfiles(cfg.Profiles...),
		scheduler.WithPercentageOfNodesToScore(cfg.PercentageOfNodesToScore), scheduler.WithParallelism(cfg.Parallelism),
		scheduler.WithExtenders(cfg.Extenders...), scheduler.WithPodInitialBackoffSeconds(cfg.PodInitialBackoffSeconds),
		scheduler.WithPodMaxBackoffSeconds(cfg.PodMaxBackoffSeconds),
	)
	return err
}

// read is what berth says of the configuration.
func read(text []byte) error {
	docs, err := document.Parse("policy.yaml", text)
	if err != nil {
		return err
	}
	v := cluster.NewVocabulary()
	reader := ours.Reader{Registry: plugins.Registry(), Affinity: manifest.New(v).NodeAffinity, Vocabulary: v}
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
	theirs, mine := accepted(text), read(text)
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
