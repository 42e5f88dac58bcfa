package manifest

import (
	"testing"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// replicasOf reads replicas after a cluster.
func replicasOf(l *Loader, clusterText, text string) ([]Replica, error) {
	for _, read := range []string{clusterText, text} {
		docs, err := document.Parse("test.yaml", []byte(read))
		if err != nil {
			return nil, err
		}
		if read == text {
			return l.Replicas(docs...)
		}
		if err := l.Load(docs...); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

const (
	replicaDeployment = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}"
	replicaSet        = "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db, namespace: n}, spec: {ordinals: {start: 3}, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}"
	replicaPod        = "{apiVersion: v1, kind: Pod, metadata: {name: p, uid: u, labels: {a: b}}, spec: {nodeName: gone, containers: [{name: c, image: i}]}, status: {phase: Succeeded}}"
)

// TestReplicasLeaveObjects: what is read may be among the objects, and adds nothing to them; its
// pods are of the class that those of the object are of.
func TestReplicasLeaveObjects(t *testing.T) {
	l := New(cluster.NewVocabulary())
	got, err := replicasOf(l, replicaDeployment, "{apiVersion: v1, kind: List, items: ["+replicaDeployment+", "+replicaSet+", "+replicaPod+"]}")
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Controllers) != 1 || len(l.Pods) != 0 {
		t.Errorf("%d controllers and %d pods among the objects", len(l.Controllers), len(l.Pods))
	}
	if got[0].Class(5) != l.Controllers[0].Template.Class {
		t.Error("the class of the replicas is not that of the object")
	}
	if got[1].Uniform() || got[1].PodName(1) != "db-4" || got[1].Class(0) == got[1].Class(1) || got[1].Namespace != "n" {
		t.Errorf("StatefulSet: uniform %v, second pod %s", got[1].Uniform(), got[1].PodName(1))
	}
	if got[2].Template.Class.NodeName != "" || !got[2].Uniform() || got[2].PodName(0) != "p-0" {
		t.Error("the pod is bound to the node that it ran on")
	}
}

// FuzzReplicas reads anything as templates: there is a class for pods of each, or a fault.
func FuzzReplicas(f *testing.F) {
	for _, seed := range []string{replicaDeployment, replicaSet, replicaPod, lowClass,
		"{apiVersion: v1, kind: PodTemplate, metadata: {name: p}, template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}",
		"{apiVersion: v1, kind: ReplicationController, metadata: {name: r}, spec: {}}",
		"{apiVersion: batch/v1, kind: CronJob, metadata: {name: j}, spec: {schedule: '* * * * *', jobTemplate: {spec: {template: {}}}}}",
		"{apiVersion: v1, kind: PodList, items: [{metadata: {name: p}}, {}]}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := replicasOf(New(cluster.NewVocabulary()), lowClass, text)
		for i := range all {
			if r := &all[i]; err == nil && (r.Template == nil || r.Class(i) == nil || r.PodName(i) == "") {
				t.Errorf("%s %s: no class", r.Kind, r.Name)
			}
		}
	})
}
