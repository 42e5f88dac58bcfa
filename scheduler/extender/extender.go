// Package extender asks scheduler extenders: webhooks over HTTP that filter and score nodes,
// choose the victims of preemption, and bind pods. It is the one place of the project that
// uses the network.
//
// Upstream: pkg/scheduler/extender.go and staging/src/k8s.io/kube-scheduler/extender/v1, v1.36.3.
// Differs: an answer above maxAnswer is an error; so are a null where victims are due, at
// which upstream panics, and nodes as objects that it was not asked about or that came back
// changed.
package extender

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// DefaultTimeout is how long a call may take where a configuration does not say.
const DefaultTimeout = 5 * time.Second

// Config is one extender of a scheduler configuration. A verb that is empty is not called.
type Config struct {
	URLPrefix                                         string
	FilterVerb, PrioritizeVerb, PreemptVerb, BindVerb string
	Weight                                            int64 // of its scores
	EnableHTTPS                                       bool  // without a CA: certificates are not verified
	TLS                                               *TLS
	Timeout                                           time.Duration // of a call; 0: DefaultTimeout
	NodeCacheCapable                                  bool          // it is sent names of nodes, not objects
	// Managed are resources: pods that name none of them are none of its business. Empty:
	// all pods are.
	Managed   []string
	Ignorable bool
}

// Objects are the pods and nodes of a cluster as the API server serves them, in JSON.
type Objects interface {
	Pod(id cluster.PodID) (json.RawMessage, error)
	Node(id cluster.NodeID) (json.RawMessage, error)
	// SameNode reports whether the text is a node that scores as the one of that id does. It
	// fails where the text is no node.
	SameNode(id cluster.NodeID, text json.RawMessage) (bool, error)
	// UID is what tells a pod from all others.
	UID(id cluster.PodID) string
	// ResourceNames are those that the containers of a pod of the class name, in requests
	// and limits.
	ResourceNames(class *cluster.Class) []string
}

// Extender is a webhook.
type Extender struct {
	Config
	cluster    *cluster.Cluster
	objects    Objects
	client     *http.Client
	interested map[cluster.ClassID]bool
}

// New makes the extenders of a cluster. It fails where a TLS configuration cannot be used.
func New(configs []Config, c *cluster.Cluster, objects Objects) ([]scheduler.Extender, error) {
	var out []scheduler.Extender
	for _, cfg := range configs {
		client, err := newClient(cfg)
		if err != nil {
			return nil, fmt.Errorf("extender %s: %w", cfg.URLPrefix, err)
		}
		out = append(out, &Extender{cfg, c, objects, client, map[cluster.ClassID]bool{}})
	}
	return out, nil
}

// Info implements scheduler.Extender.
func (x *Extender) Info() scheduler.ExtenderInfo {
	return scheduler.ExtenderInfo{
		Name: x.URLPrefix, Ignorable: x.Ignorable, Weight: x.Weight,
		Timeout: cmp.Or(x.Timeout, DefaultTimeout),
		Filters: x.FilterVerb != "", Prioritizes: x.PrioritizeVerb != "", Preempts: x.PreemptVerb != "", Binds: x.BindVerb != "",
	}
}

// IsInterested implements scheduler.Extender.
func (x *Extender) IsInterested(class *cluster.Class) bool {
	if len(x.Managed) == 0 {
		return true
	}
	is, known := x.interested[class.ID]
	if !known {
		names := x.objects.ResourceNames(class)
		is = slices.ContainsFunc(x.Managed, func(name string) bool { return slices.Contains(names, name) })
		x.interested[class.ID] = is
	}
	return is
}

// question is what the calls of filter and prioritize send.
func (x *Extender) question(pod cluster.PodID, nodes []cluster.NodeID) (*nodesArgs, error) {
	text, err := x.objects.Pod(pod)
	if err != nil {
		return nil, err
	}
	args := &nodesArgs{Pod: text}
	if x.NodeCacheCapable {
		names := make([]string, len(nodes))
		for i, id := range nodes {
			names[i] = x.cluster.Node(id).Name
		}
		args.NodeNames = &names
		return args, nil
	}
	args.Nodes = &nodeList{}
	for _, id := range nodes {
		text, err := x.objects.Node(id)
		if err != nil {
			return nil, err
		}
		args.Nodes.Items = append(args.Nodes.Items, text)
	}
	return args, nil
}

// Filter implements scheduler.Extender.
func (x *Extender) Filter(ctx context.Context, pod cluster.PodID, nodes []cluster.NodeID) (scheduler.Filtered, error) {
	var out scheduler.Filtered
	args, err := x.question(pod, nodes)
	if err != nil {
		return out, err
	}
	var answer filterResult
	if err := x.send(ctx, x.FilterVerb, args, &answer); err != nil {
		return out, err
	}
	if answer.Error != "" {
		return out, errors.New(answer.Error)
	}
	switch {
	case x.NodeCacheCapable && answer.NodeNames != nil:
		out.Nodes, err = x.among(nodes, *answer.NodeNames)
	case answer.Nodes != nil:
		out.ReturnedObjects = true
		out.Nodes, err = x.returned(args, nodes, answer.Nodes.Items)
	}
	if err != nil {
		return out, err
	}
	x.fail(&out, answer.FailedAndUnresolvableNodes, scheduler.UnschedulableAndUnresolvable)
	for _, name := range sortedKeys(answer.FailedAndUnresolvableNodes) {
		delete(answer.FailedNodes, name)
	}
	x.fail(&out, answer.FailedNodes, scheduler.Unschedulable)
	return out, nil
}

func (x *Extender) fail(out *scheduler.Filtered, failed map[string]string, code scheduler.Code) {
	for _, name := range sortedKeys(failed) {
		id, exists := x.cluster.NodeByName(name)
		if !exists {
			id = cluster.None
		}
		out.Failed = append(out.Failed, scheduler.FailedNode{Name: name, Node: id, Code: code, Message: failed[name]})
	}
}

// among finds the nodes of these names among those asked about.
func (x *Extender) among(nodes []cluster.NodeID, names []string) ([]cluster.NodeID, error) {
	asked := make(map[cluster.NodeID]bool, len(nodes))
	for _, id := range nodes {
		asked[id] = true
	}
	out := make([]cluster.NodeID, len(names))
	for i, name := range names {
		id, exists := x.cluster.NodeByName(name)
		if !exists || !asked[id] {
			return nil, x.notAsked(name)
		}
		out[i] = id
	}
	return out, nil
}

func (x *Extender) notAsked(name string) error {
	return fmt.Errorf("extender %q claims a filtered node %q which is not found in the input node list", x.URLPrefix, name)
}

// returned finds the nodes that came back as objects among those asked about. Upstream takes
// them as they are; those that it would score otherwise than what was sent are refused here.
func (x *Extender) returned(args *nodesArgs, nodes []cluster.NodeID, items []json.RawMessage) ([]cluster.NodeID, error) {
	sent := make(map[cluster.NodeID]json.RawMessage, len(nodes)) // nil where only the name was
	for i, id := range nodes {
		sent[id] = nil
		if args.Nodes != nil {
			sent[id] = args.Nodes.Items[i]
		}
	}
	out := make([]cluster.NodeID, len(items))
	for i, item := range items {
		name, err := nameOf(item)
		if err != nil {
			return nil, err
		}
		id, exists := x.cluster.NodeByName(name)
		text, asked := sent[id]
		if !exists || !asked {
			return nil, x.notAsked(name)
		}
		if !bytes.Equal(text, item) {
			if err := x.mustBeSame(id, item); err != nil {
				return nil, err
			}
		}
		out[i] = id
	}
	return out, nil
}

func (x *Extender) mustBeSame(id cluster.NodeID, item json.RawMessage) error {
	same, err := x.objects.SameNode(id, item)
	if err == nil && !same {
		err = fmt.Errorf("extender %q returns the node %q with other labels, taints or allocatable resources, "+
			"which kube-scheduler would score: that is not supported", x.URLPrefix, x.cluster.Node(id).Name)
	}
	return err
}

// Prioritize implements scheduler.Extender. Scores of nodes that the cluster does not have
// are left out.
func (x *Extender) Prioritize(ctx context.Context, pod cluster.PodID, nodes []cluster.NodeID) ([]scheduler.NodeScore, error) {
	args, err := x.question(pod, nodes)
	if err != nil {
		return nil, err
	}
	var answer []hostPriority
	if err := x.send(ctx, x.PrioritizeVerb, args, &answer); err != nil {
		return nil, err
	}
	var out []scheduler.NodeScore
	for _, p := range answer {
		if id, exists := x.cluster.NodeByName(p.Host); exists {
			out = append(out, scheduler.NodeScore{Node: id, Score: p.Score})
		}
	}
	return out, nil
}

// Bind implements scheduler.Extender.
func (x *Extender) Bind(ctx context.Context, pod cluster.PodID, node cluster.NodeID) error {
	p := x.cluster.Pod(pod)
	args := bindArgs{
		PodName: p.Name, PodNamespace: x.cluster.Text(p.Class.Namespace), PodUID: x.objects.UID(pod),
		Node: x.cluster.Node(node).Name,
	}
	var answer bindResult
	if err := x.send(ctx, x.BindVerb, args, &answer); err != nil {
		return err
	}
	if answer.Error != "" {
		return errors.New(answer.Error)
	}
	return nil
}
