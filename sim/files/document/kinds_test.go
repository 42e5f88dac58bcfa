package document

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// The types here imitate those of k8s.io/api and of scenarios in all that Decode has to cope with.

type typeMeta struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
}

// ObjectMeta is exported because an embedded struct with a name must be.
type ObjectMeta struct {
	Name              string            `json:"name,omitempty"`
	Namespace         string            `json:"namespace,omitempty"`
	Labels            map[string]string `json:"labels,omitempty"`
	Annotations       map[string]string `json:"annotations,omitempty"`
	CreationTimestamp timestamp         `json:"creationTimestamp,omitempty,omitzero"`
	Owners            []owner           `json:"ownerReferences,omitempty"`
	Finalizers        []string          `json:"finalizers,omitempty"`
}

type owner struct {
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	Controller *bool  `json:"controller,omitempty"`
}

// timestamp is like metav1.Time.
type timestamp struct{ time.Time }

func (t *timestamp) UnmarshalJSON(data []byte) error {
	var text *string
	if err := json.Unmarshal(data, &text); err != nil || text == nil {
		return err
	}
	var err error
	t.Time, err = time.Parse(time.RFC3339, *text)
	return err
}

// quantity is like resource.Quantity.
type quantity struct{ text string }

func (q *quantity) UnmarshalJSON(data []byte) error {
	text := strings.Trim(string(data), `"`)
	if text == "" || strings.Trim(text, "0123456789.mkKMGTi") != "" {
		return fmt.Errorf("quantities look like 500m or 1Gi")
	}
	q.text = text
	return nil
}

func (q quantity) MarshalJSON() ([]byte, error) { return json.Marshal(q.text) }

// intOrString is like intstr.IntOrString.
type intOrString struct {
	n    int32
	text string
}

func (i *intOrString) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &i.text)
	}
	return json.Unmarshal(data, &i.n)
}

type resourceName string

type pod struct {
	typeMeta   `json:",inline"`
	ObjectMeta `json:"metadata"`
	Spec       podSpec `json:"spec"`
	Status     status  `json:"status"`
}

type status struct {
	Phase       string                    `json:"phase,omitempty"`
	Allocatable map[resourceName]quantity `json:"allocatable,omitempty"`
	Conditions  []map[string]any          `json:"conditions,omitempty"`
}

type podSpec struct {
	NodeName      string            `json:"nodeName,omitempty"`
	NodeSelector  map[string]string `json:"nodeSelector,omitempty"`
	Priority      *int32            `json:"priority,omitempty"`
	PriorityClass string            `json:"priorityClassName,omitempty"`
	SchedulerName string            `json:"schedulerName,omitempty"`
	RestartPolicy string            `json:"restartPolicy,omitempty"`
	GracePeriod   *int64            `json:"terminationGracePeriodSeconds,omitempty"`
	Containers    []container       `json:"containers"`
	Tolerations   []toleration      `json:"tolerations,omitempty"`
	Affinity      *affinity         `json:"affinity,omitempty"`
}

type container struct {
	Name      string   `json:"name"`
	Image     string   `json:"image,omitempty"`
	Command   []string `json:"command,omitempty"`
	Ports     []port   `json:"ports,omitempty"`
	Resources struct {
		Requests map[resourceName]quantity `json:"requests,omitempty"`
		Limits   map[resourceName]quantity `json:"limits,omitempty"`
	} `json:"resources,omitempty"`
	Env []struct {
		Name  string `json:"name"`
		Value string `json:"value,omitempty"`
	} `json:"env,omitempty"`
}

type port struct {
	ContainerPort int32       `json:"containerPort"`
	HostPort      uint16      `json:"hostPort,omitempty"`
	TargetPort    intOrString `json:"targetPort"`
}

type toleration struct {
	Key      string `json:"key,omitempty"`
	Operator string `json:"operator,omitempty"`
	Effect   string `json:"effect,omitempty"`
}

type affinity struct {
	Any   []affinity `json:"any,omitempty"` // contains itself
	Terms []string   `json:"terms,omitempty"`
}

type scenario struct {
	typeMeta  `json:",inline"`
	Seed      uint64           `json:"seed" doc:"required"`
	Policy    string           `json:"policy,omitempty" doc:"oneof=binpack|spread"`
	Horizon   span             `json:"horizon,omitempty"`
	Share     float64          `json:"share,omitempty"`
	Small     int8             `json:"small,omitempty"`
	Debug     bool             `json:"debug,omitempty"`
	Secret    []byte           `json:"secret,omitempty"`
	Ports     map[int32]string `json:"ports,omitempty"`
	Weights   map[string]int64 `json:"weights,omitempty"`
	Pools     []pool           `json:"pools,omitempty"`
	Anything  any              `json:"anything,omitempty"`
	Raw       json.RawMessage  `json:"raw,omitempty"`
	Bounds    *bounds          `json:"bounds,omitempty"`
	Ignored   string           `json:"-"`
	unwritten string
}

type bounds struct {
	Low, High int
}

type pool struct {
	Name     string `json:"pool" doc:"required"`
	Count    int    `json:"count,omitempty"`
	Template Value  `json:"template,omitzero"`
}

// span is a type with a text form.
type span time.Duration

func (s *span) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	*s = span(d)
	return err
}

func (s span) MarshalText() ([]byte, error) { return []byte(time.Duration(s).String()), nil }
