package config

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/files/document"
)

const (
	apiVersion = "kubescheduler.config.k8s.io/v1"
	kind       = "KubeSchedulerConfiguration"
)

// configuration is the file, its lists left undecoded so that each entry keeps its
// position.
//
// Upstream: staging/src/k8s.io/kube-scheduler/config/v1/types.go, v1.36.3.
type configuration struct {
	typeMeta
	Profiles                 []document.Value `json:"profiles"`
	Extenders                []document.Value `json:"extenders"`
	PercentageOfNodesToScore *int32           `json:"percentageOfNodesToScore"`
	PodInitialBackoffSeconds *int64           `json:"podInitialBackoffSeconds"`
	PodMaxBackoffSeconds     *int64           `json:"podMaxBackoffSeconds"`
	Parallelism              *int32           `json:"parallelism"`

	// What follows cannot matter to a simulation.
	LeaderElection            leaderElection   `json:"leaderElection"`
	ClientConnection          clientConnection `json:"clientConnection"`
	EnableProfiling           *bool            `json:"enableProfiling"`
	EnableContentionProfiling *bool            `json:"enableContentionProfiling"`
	DelayCacheUntilActive     bool             `json:"delayCacheUntilActive"`
}

// betaConfiguration has what the beta versions have in addition.
//
// Upstream: staging/src/k8s.io/kube-scheduler/config/v1beta2/types.go, v1.24.17.
type betaConfiguration struct {
	configuration

	// What follows cannot matter to a simulation.
	HealthzBindAddress *string `json:"healthzBindAddress"`
	MetricsBindAddress *string `json:"metricsBindAddress"`
}

type typeMeta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

type leaderElection struct {
	LeaderElect       *bool  `json:"leaderElect"`
	LeaseDuration     span   `json:"leaseDuration"`
	RenewDeadline     span   `json:"renewDeadline"`
	RetryPeriod       span   `json:"retryPeriod"`
	ResourceLock      string `json:"resourceLock"`
	ResourceName      string `json:"resourceName"`
	ResourceNamespace string `json:"resourceNamespace"`
}

type clientConnection struct {
	Kubeconfig         string  `json:"kubeconfig"`
	AcceptContentTypes string  `json:"acceptContentTypes"`
	ContentType        string  `json:"contentType"`
	QPS                float32 `json:"qps"`
	Burst              int32   `json:"burst"`
}

// span is a duration, written as time.ParseDuration reads it; a null is none.
type span time.Duration

// UnmarshalJSON implements json.Unmarshaler.
func (s *span) UnmarshalJSON(text []byte) error {
	var written string
	if err := json.Unmarshal(text, &written); err != nil {
		return errors.New("is not a duration like \"5s\"")
	}
	d, err := time.ParseDuration(written)
	*s = span(d)
	return err
}

type profileSection struct {
	SchedulerName            *string          `json:"schedulerName"`
	PercentageOfNodesToScore *int32           `json:"percentageOfNodesToScore"`
	Plugins                  pluginsSection   `json:"plugins"`
	PluginConfig             []document.Value `json:"pluginConfig"`
}

type pluginsSection struct {
	PreEnqueue        setSection `json:"preEnqueue"`
	QueueSort         setSection `json:"queueSort"`
	PreFilter         setSection `json:"preFilter"`
	Filter            setSection `json:"filter"`
	PostFilter        setSection `json:"postFilter"`
	PreScore          setSection `json:"preScore"`
	Score             setSection `json:"score"`
	Reserve           setSection `json:"reserve"`
	Permit            setSection `json:"permit"`
	PreBind           setSection `json:"preBind"`
	Bind              setSection `json:"bind"`
	PostBind          setSection `json:"postBind"`
	MultiPoint        setSection `json:"multiPoint"`
	PlacementGenerate setSection `json:"placementGenerate"`
	PlacementScore    setSection `json:"placementScore"`
}

// byPoint are the sections of the extension points, in the order of scheduler.Point.
func (s *pluginsSection) byPoint() [scheduler.NumExtensionPoints]setSection {
	return [...]setSection{
		s.PreEnqueue, s.QueueSort, s.PreFilter, s.Filter, s.PostFilter, s.PreScore,
		s.Score, s.Reserve, s.Permit, s.PreBind, s.Bind, s.PostBind,
	}
}

type setSection struct {
	Enabled  []document.Value `json:"enabled"`
	Disabled []document.Value `json:"disabled"`
}

type pluginEntry struct {
	Name   string `json:"name" doc:"required"`
	Weight *int32 `json:"weight"`
}

type pluginConfigEntry struct {
	Name string         `json:"name" doc:"required"`
	Args document.Value `json:"args"`
}
