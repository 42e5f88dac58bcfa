// Package scenarios reads scenario files and builds runs of them.
//
// The types in this file are the fields of a scenario file. docs/scenario.md describes them.
package scenarios

import (
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/model/release"
)

// APIVersion and Kind are those of a scenario file.
const (
	APIVersion = "berth/v1alpha1"
	Kind       = "Scenario"
)

// File is the content of a scenario file.
type File struct {
	APIVersion string          `json:"apiVersion" doc:"required,oneof=berth/v1alpha1"`
	Kind       string          `json:"kind" doc:"required,oneof=Scenario"`
	Metadata   Metadata        `json:"metadata" doc:"required"`
	Seed       uint64          `json:"seed"`
	Horizon    *recipe.Horizon `json:"horizon"`
	TieBreak   string          `json:"tieBreak" doc:"oneof=random|first|upstream|rank"`
	// Kubernetes, FeatureGates and Rules choose the rules of a release, as release.Settings.
	Kubernetes   *release.Release  `json:"kubernetes"`
	FeatureGates map[string]bool   `json:"featureGates"`
	Rules        map[string]string `json:"rules"`
	Fleet        []Fleet           `json:"fleet" doc:"required"`
	Workloads    []Workload        `json:"workloads"`
	Objects      []string          `json:"objects"`
	Admission    []string          `json:"admission"`
	Ignore       []string          `json:"ignore"`
	SkipPods     []string          `json:"skipPods"`
	Policy       string            `json:"policy"`
	// DropPlugins are plugins that the profiles of the policy go without.
	DropPlugins []string     `json:"dropPlugins"`
	Latency     LatencyFile  `json:"latency"`
	Events      []EventFile  `json:"events"`
	Collect     Collect      `json:"collect"`
	Target      []TargetPods `json:"target"`
}

// Metadata names a scenario.
type Metadata struct {
	Name        string            `json:"name" doc:"required"`
	Description string            `json:"description,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
}

// Fleet is one source of nodes: a pool, manifests or a trace.
type Fleet struct {
	Pool         string             `json:"pool"`
	Count        int                `json:"count"`
	Zones        []string           `json:"zones"`
	NamePattern  string             `json:"namePattern"`
	PricePerHour float64            `json:"pricePerHour"`
	Jitter       map[string]float64 `json:"jitter"`
	Devices      *NodeDevices       `json:"devices"`
	Template     document.Value     `json:"template"`
	Manifests    []string           `json:"manifests"`
	Trace        *NodeTrace         `json:"trace"`
}

// NodeDevices are the devices of each node of a pool: GPUs that pods can share.
type NodeDevices struct {
	Count int    `json:"count" doc:"required"`
	Model string `json:"model"`
}

// PodDevices are the devices that each pod of a workload requests.
type PodDevices struct {
	Count  *int     `json:"count"`
	Milli  *int     `json:"milli"`
	Models []string `json:"models"`
}

// TargetPods is one class of the target workload, by which fragmentation of devices is
// measured.
type TargetPods struct {
	Pods    int64       `json:"pods" doc:"required"`
	CPU     MilliCPU    `json:"cpu"`
	Devices *PodDevices `json:"devices"`
}

// NodeTrace is a node list of a trace.
type NodeTrace struct {
	Openb *OpenbNodes `json:"openb"`
}

// OpenbNodes is a node list of the openb trace.
type OpenbNodes struct {
	Nodes string `json:"nodes" doc:"required"`
	GPU   string `json:"gpu" doc:"oneof=share|device"`
}

// Workload is one stream of pods: synthetic, from manifests or from a trace.
type Workload struct {
	Name              string             `json:"name"`
	Arrivals          *Arrivals          `json:"arrivals"`
	Lifetime          document.Value     `json:"lifetime"`
	Replicas          *int               `json:"replicas"`
	Gang              *Gang              `json:"gang"`
	PriorityClassName string             `json:"priorityClassName"`
	SchedulerName     string             `json:"schedulerName"`
	OnEviction        string             `json:"onEviction" doc:"oneof=recreate|drop"`
	Template          document.Value     `json:"template"`
	Templates         []WeightedTemplate `json:"templates"`
	Devices           *PodDevices        `json:"devices"`
	Manifests         []string           `json:"manifests"`
	Trace             *PodTrace          `json:"trace"`
}

// WeightedTemplate is one template of a mixture.
type WeightedTemplate struct {
	Weight   float64        `json:"weight" doc:"required"`
	Template document.Value `json:"template" doc:"required"`
}

// Gang makes the pods of each arrival a pod group.
type Gang struct {
	MinMember       int       `json:"minMember"`
	ScheduleTimeout *Duration `json:"scheduleTimeout"`
}

// Arrivals says when pods come: one of the processes, limited by Start, Until and
// Limit.
type Arrivals struct {
	Every   *Duration  `json:"every"`
	Poisson *Poisson   `json:"poisson"`
	Bursts  *Bursts    `json:"bursts"`
	Diurnal *Diurnal   `json:"diurnal"`
	AtOnce  *AtOnce    `json:"atOnce"`
	Times   []Duration `json:"times"`

	Start *Duration `json:"start"`
	Until *Duration `json:"until"`
	Limit *int      `json:"limit"`
}

// Poisson arrivals have a constant mean rate.
type Poisson struct {
	Rate *Rate `json:"rate" doc:"required"`
}

// Bursts come at regular intervals.
type Bursts struct {
	Every  *Duration `json:"every" doc:"required"`
	Size   int       `json:"size" doc:"required"`
	Jitter Duration  `json:"jitter"`
	Spread Duration  `json:"spread"`
}

// Diurnal arrivals follow a rate that repeats: a sinusoid between Low and High, or
// linear between Points.
type Diurnal struct {
	Period *Duration   `json:"period"`
	Low    *Rate       `json:"low"`
	High   *Rate       `json:"high"`
	PeakAt Duration    `json:"peakAt"`
	Points []RatePoint `json:"points"`
}

// RatePoint is a corner of a rate curve.
type RatePoint struct {
	At   Duration `json:"at"`
	Rate Rate     `json:"rate" doc:"required"`
}

// AtOnce arrivals come in one instant.
type AtOnce struct {
	Count int      `json:"count" doc:"required"`
	At    Duration `json:"at"`
}

// DurationDistribution is a distribution of spans of time; exactly one field is given.
type DurationDistribution struct {
	Fixed       *Duration    `json:"fixed"`
	Exponential *Exponential `json:"exponential"`
	Lognormal   *Lognormal   `json:"lognormal"`
	Weibull     *Weibull     `json:"weibull"`
	Uniform     *Uniform     `json:"uniform"`
	Empirical   *Empirical   `json:"empirical"`
}

// Exponential spans have the mean given.
type Exponential struct {
	Mean *Duration `json:"mean" doc:"required"`
}

// Lognormal spans have the median given; Sigma is the deviation of their logarithm.
type Lognormal struct {
	Median *Duration `json:"median" doc:"required"`
	Sigma  float64   `json:"sigma" doc:"required"`
}

// Weibull spans have the scale and shape given.
type Weibull struct {
	Scale *Duration `json:"scale" doc:"required"`
	Shape float64   `json:"shape" doc:"required"`
}

// Uniform spans lie between Min and Max.
type Uniform struct {
	Min Duration  `json:"min"`
	Max *Duration `json:"max" doc:"required"`
}

// Empirical spans are drawn from the values of a file, seconds one a line, or listed.
type Empirical struct {
	File   string     `json:"file"`
	Values []Duration `json:"values"`
}

// PodTrace is a list of pods or jobs of a trace.
type PodTrace struct {
	Openb  *OpenbPods  `json:"openb"`
	SWF    *SWFJobs    `json:"swf"`
	Philly *PhillyJobs `json:"philly"`
}

// TraceOptions is what all traces of pods have in common.
type TraceOptions struct {
	Start               Duration `json:"start"`
	Until               Duration `json:"until"`
	TimeScale           float64  `json:"timeScale"`
	LifetimeScale       float64  `json:"lifetimeScale"`
	Limit               int      `json:"limit"`
	SkipBadLines        bool     `json:"skipBadLines"`
	Namespace           string   `json:"namespace"`
	GangScheduleTimeout Duration `json:"gangScheduleTimeout"`
}

// OpenbPods is a pod list of the openb trace.
type OpenbPods struct {
	TraceOptions
	Pods          string            `json:"pods" doc:"required"`
	GPU           string            `json:"gpu" doc:"oneof=share|device"`
	Times         string            `json:"times" doc:"oneof=real|atOnce"`
	Spacing       Duration          `json:"spacing"`
	FGD           *FGDOrder         `json:"fgd"`
	PriorityByQoS map[string]string `json:"priorityByQoS"`
}

// FGDOrder is the order of the paper on fragmentation gradient descent.
type FGDOrder struct {
	Demand *float64 `json:"demand"`
}

// SWFJobs is a log in Standard Workload Format.
type SWFJobs struct {
	TraceOptions
	Jobs               string   `json:"jobs" doc:"required"`
	Statuses           []int    `json:"statuses"`
	CPUPerProcessor    MilliCPU `json:"cpuPerProcessor"`
	MemoryPerProcessor Bytes    `json:"memoryPerProcessor"`
	OwnMemory          bool     `json:"ownMemory"`
}

// PhillyJobs is the job list of the Philly trace.
type PhillyJobs struct {
	TraceOptions
	Jobs         string   `json:"jobs" doc:"required"`
	Tenants      string   `json:"tenants" doc:"oneof=namespace|label"`
	CPUPerGPU    MilliCPU `json:"cpuPerGPU"`
	MemoryPerGPU Bytes    `json:"memoryPerGPU"`
}

// LatencyFile says how long things take: the preset, and what differs from it.
type LatencyFile struct {
	Preset           string         `json:"preset" doc:"oneof=kube-scheduler-1.36|none"`
	Cycle            document.Value `json:"cycle"`
	PerEvaluatedNode *Duration      `json:"perEvaluatedNode"`
	PerNode          *Duration      `json:"perNode"`
	VolumeBind       document.Value `json:"volumeBind"`
	Provision        document.Value `json:"provision"`
	Bind             document.Value `json:"bind"`
	Start            document.Value `json:"start"`
	Terminate        document.Value `json:"terminate"`
}

// EventFile is a timed event: exactly one kind is given.
type EventFile struct {
	At       *Duration  `json:"at" doc:"required"`
	Add      *Selection `json:"add"`
	Remove   *Selection `json:"remove"`
	Drain    *Selection `json:"drain"`
	Cordon   *Selection `json:"cordon"`
	Uncordon *Selection `json:"uncordon"`
	Taint    *Selection `json:"taint"`
	Untaint  *Selection `json:"untaint"`
}

// Selection chooses nodes: some of a pool, or by name.
type Selection struct {
	Pool   string   `json:"pool"`
	Count  int      `json:"count"`
	Nodes  []string `json:"nodes"`
	Key    string   `json:"key"`
	Value  string   `json:"value"`
	Effect string   `json:"effect" doc:"oneof=NoSchedule|PreferNoSchedule|NoExecute"`
}

// Collect says what is measured while the run goes on.
type Collect struct {
	Every         *Duration      `json:"every"`
	Fragmentation *Fragmentation `json:"fragmentation"`
}

// Fragmentation tunes the measures of fragmentation.
type Fragmentation struct {
	Off        bool     `json:"off"`
	Share      *float64 `json:"share"`
	MaxClasses *int     `json:"maxClasses"`
	Inflate    bool     `json:"inflate"`
}
