package cluster

import "github.com/berth-sim/berth/sim/model/clock"

// ClassID is the dense id of a pod class.
type ClassID int32

// HostPort is a port of the node that a pod takes.
type HostPort struct {
	IP       Symbol // 0.0.0.0 where the pod names none
	Protocol Symbol
	Port     int32
}

// SpreadConstraint limits how unevenly pods are spread over the domains of a topology key.
type SpreadConstraint struct {
	TopologyKey Symbol
	MaxSkew     int32
	MinDomains  int32 // at least 1
	Hard        bool  // DoNotSchedule; else ScheduleAnyway
	// Selector selects the pods that count, those of matchLabelKeys included.
	Selector LabelSelector
	// HonorNodeAffinity ignores the nodes that the pod's node selector and
	// required node affinity do not match, HonorNodeTaints those whose taints it does not
	// tolerate.
	HonorNodeAffinity, HonorNodeTaints bool
}

// QoS is a quality of service class of pods. QOSSort orders pods of equal priority by it, the highest first.
type QoS uint8

// The QoS classes.
const (
	BestEffort QoS = iota // no container asks for, or is limited in, cpu or memory
	Burstable
	Guaranteed // each container has limits of cpu and memory and asks for as much
)

// Class is what pods of equal scheduling-relevant spec share. It is made on load
// and never changes.
type Class struct {
	ID            ClassID
	Serial        int32 // its number in records: how many classes were added before it, without those of AddTrialClass
	Namespace     Symbol
	Labels        LabelSet
	SchedulerName string

	Priority     int32
	NeverPreempt bool // preemptionPolicy Never

	// Requests is the effective request of the pod, without zero amounts: what
	// Filter compares and what a node accounts for.
	Requests []Quantity
	// NonZero is the request for cpu and memory (in this order) that a node
	// accounts for in scores, defaults for missing requests included.
	NonZero [2]int64
	// ScoreNonZero is NonZero as the scores of NodeResourcesFit see it for the
	// incoming pod: without pod level requests.
	ScoreNonZero [2]int64
	// ScoreRequests is Requests as the scores of NodeResourcesFit see it for the
	// incoming pod: without pod level requests.
	ScoreRequests []Quantity

	NodeName     string // spec.nodeName of a template; such pods need no scheduling
	NodeSelector []Label
	Required     NodeSelector // nil: no required node affinity
	HasRequired  bool
	Preferred    []PreferredTerm

	// What the pod wants of the pods around it.
	Affinity              []*PodTerm // required
	AntiAffinity          []*PodTerm // required
	PreferredAffinity     []WeightedPodTerm
	PreferredAntiAffinity []WeightedPodTerm
	Spread                []SpreadConstraint
	// SpreadSelector selects the pods that the default constraints spread: those that the
	// Services of the pod and its controller select; empty where there are none.
	SpreadSelector LabelSelector
	// Services are the selectors of the Services that select the pod.
	Services []LabelSelector

	Tolerations []Toleration
	Ports       []HostPort
	// Images are normalized names: of init containers, of containers, of image volumes.
	Images         []Symbol
	ImageVolumes   int // of Images, the last
	Containers     int // containers and init containers: the scale of ImageLocality
	InitContainers int // of them
	Gates          []string
	Volumes        []PodVolume // those that scheduling considers
	Devices        DeviceRequest

	QoS QoS
	// Controller is kind/uid of the pod's controller if some node names it in the annotation
	// preferAvoidPods, else 0.
	Controller Symbol

	// Features are those that the kubelet of the node must declare.
	Features FeatureSet

	declared []DeclaredTerm // all terms of pod affinity

	// TerminationGrace is how long the pod may take to end when it is deleted.
	TerminationGrace clock.Time

	// Object is a pod of the class as an API object in JSON, without what tells it from others
	// of its class and without its labels; nil unless it is needed.
	Object []byte
}

// Request returns the effective request for one resource, 0 if the class does not request it.
func (c *Class) Request(r Resource) int64 { return amount(c.Requests, r) }

// ScoreRequest returns the request for one resource as the scores of NodeResourcesFit see it.
func (c *Class) ScoreRequest(r Resource) int64 { return amount(c.ScoreRequests, r) }

func amount(list []Quantity, r Resource) int64 {
	for _, q := range list {
		if q.Resource == r {
			return q.Amount
		}
	}
	return 0
}

// AddClass returns the class of that key, which is c when the key is new. The key
// is an encoding of everything that c was made from.
func (v *Vocabulary) AddClass(key string, c Class) *Class {
	if id, ok := v.classIDs[key]; ok {
		return v.classes[id]
	}
	c.Serial = v.classSerials
	v.classSerials++
	v.classIDs[key] = ClassID(len(v.classes))
	return v.appendClass(&c)
}

// WithoutPodTerms returns a copy of the class that does not ask where other pods are. Only AddTrialClass takes it.
func (c *Class) WithoutPodTerms() Class {
	out := *c
	out.Affinity, out.AntiAffinity = nil, nil
	return out
}

// AddTrialClass adds a class that only a trial or another question needs. It has no Serial, so that
// records are the same whether or not the question was asked.
func (v *Vocabulary) AddTrialClass(c Class) *Class {
	c.Serial = -1
	return v.appendClass(&c)
}

func (v *Vocabulary) appendClass(c *Class) *Class {
	c.ID = ClassID(len(v.classes))
	c.declared = declaredBy(c)
	v.classes = append(v.classes, c)
	return c
}

// Class returns the class of an id.
func (v *Vocabulary) Class(id ClassID) *Class { return v.classes[id] }

// NumClasses returns the number of known classes; ids are below it.
func (v *Vocabulary) NumClasses() int { return len(v.classes) }
