package initialize_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

// mark is a part of every name in the clusters below, and of nothing else.
const mark = "acme"

// city makes clusters at random, as kubectl would print them.
type city struct {
	*rand.Rand
	b     strings.Builder
	nodes int
}

func (c *city) pick(of ...string) string { return of[c.IntN(len(of))] }

func (c *city) write(format string, args ...any) {
	fmt.Fprintf(&c.b, "---\n"+strings.TrimLeft(format, "\n")+"\n", args...)
}

// chance is the text, or nothing as often as not.
func (c *city) chance(text string) string {
	if c.IntN(2) == 0 {
		return ""
	}
	return text
}

func (c *city) cluster() string {
	for _, ns := range []string{"shop", "data"} {
		c.write("apiVersion: v1\nkind: Namespace\nmetadata: {name: acme-%s, labels: {owner: acme-%s}, annotations: {note: \"of acme\"}}", ns, ns)
	}
	c.write("apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: acme-high}\nvalue: 1000\ndescription: for acme")
	c.write("apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: acme-calm}\nvalue: 500\npreemptionPolicy: Never")
	c.write("apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: csi.acme.io}\nspec: {storageCapacity: true}")
	for _, zone := range []string{"a", "b"} {
		c.write("apiVersion: storage.k8s.io/v1\nkind: CSIStorageCapacity\nmetadata: {name: acme-cap-%s, namespace: acme-data}\nstorageClassName: acme-fast\ncapacity: 100Gi\nmaximumVolumeSize: %dGi\nnodeTopology: {matchLabels: {topology.kubernetes.io/zone: acme-1-%s}}", zone, c.IntN(3), zone)
	}
	c.write("apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: acme-fast, annotations: {storageclass.kubernetes.io/is-default-class: \"true\"}}\nprovisioner: csi.acme.io\nvolumeBindingMode: WaitForFirstConsumer\nparameters: {pool: acme}")
	c.write("apiVersion: v1\nkind: Secret\nmetadata: {name: acme-secret}\nstringData: {password: acme}")
	for i := range c.nodes {
		c.node(i)
	}
	c.claims()
	for i := range 2 {
		c.write("apiVersion: v1\nkind: Service\nmetadata: {name: acme-svc-%d, namespace: acme-shop}\nspec: {selector: {app: acme-%d}, externalName: x.acme.com}", i, i)
		c.write("apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: acme-pdb-%d, namespace: acme-shop}\nspec: {maxUnavailable: 1, selector: {matchLabels: {app: acme-%d}}}\nstatus: {disruptionsAllowed: %d, expectedPods: 3, currentHealthy: 3, desiredHealthy: 2, disruptedPods: {acme-pod-%d: \"2026-01-01T00:00:00Z\"}}", i, i, 1+c.IntN(2), 20+c.IntN(20))
	}
	c.write("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: acme-web, namespace: acme-shop}\nspec:\n  replicas: 6\n  selector: {matchLabels: {app: acme-0}}\n  template: {metadata: {labels: {app: acme-0}}, spec: {containers: [{name: acme, image: acme/web, command: [acme], env: [{name: A, value: acme}]}]}}")
	c.write("apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: acme-db, namespace: acme-data, uid: acme-uid-db}\nspec:\n  replicas: 4\n  serviceName: acme\n  selector: {matchLabels: {app: acme-db}}\n  template: {metadata: {labels: {app: acme-db}}, spec: {containers: [{name: acme, image: \"acme.io/db:2\"}]}}\n  volumeClaimTemplates:\n    - {metadata: {name: acme-store}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}")
	for i := range 40 {
		c.pod(i)
	}
	return c.b.String()
}

func (c *city) node(i int) {
	zone := c.pick("a", "b", "c")
	c.write(`
apiVersion: v1
kind: Node
metadata:
  name: ip-%d.acme.internal
  uid: acme-uid-node-%d
  labels: {kubernetes.io/hostname: ip-%d.acme.internal, topology.kubernetes.io/zone: acme-1-%s, acme.com/rack: acme-r%d, size: "%d", node-role.kubernetes.io/acme: "", kubernetes.io/os: linux}
  annotations: {csi.volume.kubernetes.io/nodeid: acme}
  managedFields: [{manager: acme}]
spec:
  providerID: aws:///acme/i-%d
  %s
status:
  addresses: [{type: Hostname, address: acme}]
  allocatable: {cpu: "%d", memory: %dGi, pods: "20", acme.com/fpga: "%d"}
  images: [{names: ["acme.io/db:2", "acme/web:latest"], sizeBytes: %d}]
  conditions: [{type: Ready, status: "True", reason: Acme}, {type: AcmeHealthy, status: "True"}]
  nodeInfo: {machineID: acme}`, i, i, i, zone, c.IntN(3), c.IntN(3), i,
		c.pick("", "taints: [{key: acme.com/dedicated, value: acme-team, effect: NoSchedule}]", "unschedulable: true"),
		2+c.IntN(8), 4+c.IntN(16), c.IntN(3), (1+c.IntN(20))*50_000_000)
	c.write("apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {name: ip-%d.acme.internal}\nspec: {drivers: [{name: csi.acme.io, nodeID: acme-%d, topologyKeys: [topology.kubernetes.io/zone], allocatable: {count: %d}}]}", i, i, 1+c.IntN(3))
}

func (c *city) claims() {
	for i := range 6 {
		c.write(`
apiVersion: v1
kind: PersistentVolume
metadata: {name: acme-pv-%d, uid: acme-uid-pv-%d, labels: {topology.kubernetes.io/zone: acme-1-%s}}
spec:
  capacity: {storage: %dGi}
  accessModes: [ReadWriteOnce]
  storageClassName: acme-fast
  claimRef: {kind: PersistentVolumeClaim, apiVersion: v1, namespace: acme-data, name: acme-store-acme-db-%d, uid: acme-uid-pvc-%d}
  csi: {driver: csi.acme.io, volumeHandle: acme-vol-%d, volumeAttributes: {team: acme}}
status: {phase: Bound}`, i, i, c.pick("a", "b", "c"), 1+c.IntN(3), i, i, i)
		c.write(`
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: acme-store-acme-db-%d, namespace: acme-data, uid: acme-uid-pvc-%d, annotations: {pv.kubernetes.io/bind-completed: "yes"}}
spec: {accessModes: [ReadWriteOnce], storageClassName: acme-fast, volumeName: acme-pv-%d, resources: {requests: {storage: 1Gi}}}
status: {phase: Bound}`, i, i, i)
	}
}

func (c *city) pod(i int) {
	name, namespace, owner := fmt.Sprintf("acme-pod-%d", i), "acme-shop", ""
	volumes, app := "", fmt.Sprintf("acme-%d", c.IntN(3))
	labels := "app: " + app
	switch {
	case i < 6:
		name, namespace, app = fmt.Sprintf("acme-db-%d", i), "acme-data", "acme-db"
		labels = "app: acme-db, statefulset.kubernetes.io/pod-name: " + name
		owner = "ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: acme-db, uid: acme-uid-db, controller: true}]"
		volumes = fmt.Sprintf("volumes: [{name: acme-store, persistentVolumeClaim: {claimName: acme-store-acme-db-%d}}]", i)
	case i < 11:
		name = fmt.Sprintf("acme-web-5f9acme-%d", i)
		labels = "app: acme-0, pod-template-hash: 5f9acme"
		owner = "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: acme-web-5f9acme, uid: acme-uid-rs, controller: true}]"
	case i < 13:
		owner = "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: acme-job, uid: acme-uid-job, controller: true}]"
	case i < 15:
		owner = "ownerReferences: [{apiVersion: acme.com/v1, kind: AcmeTask, name: acme-task, uid: acme-uid-task, controller: true}]"
		volumes = "volumes: [{name: acme-scratch, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}, {name: acme-cm, configMap: {name: acme}}]"
	}
	on := ""
	if c.IntN(3) > 0 {
		on = fmt.Sprintf("nodeName: ip-%d.acme.internal", c.IntN(c.nodes))
	}
	c.write(`
apiVersion: v1
kind: Pod
metadata:
  name: %s
  namespace: %s
  uid: acme-uid-pod-%d
  labels: {%s, team: acme-%d}
  %s
spec:
  %s
  %s
  %s
  %s
  affinity:
    %s
    %s
  %s
  %s
  containers:
    - name: acme-app
      image: %s
      command: [acme]
      env: [{name: ACME, value: acme}]
      ports: [{name: acme, containerPort: 80%s}]
      resources: {requests: {cpu: %dm, memory: %dMi}%s}
status: {phase: %s}`, name, namespace, i, labels, c.IntN(2), owner,
		on, c.pick("", "priorityClassName: acme-high", "priorityClassName: acme-calm"), c.chance("nodeSelector: {acme.com/rack: acme-r1}"), volumes,
		c.chance("podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, namespaces: [acme-shop], labelSelector: {matchLabels: {app: "+app+"}}}]}"),
		c.chance("nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, preference: {matchExpressions: [{key: size, operator: Gt, values: [\"0\"]}, {key: topology.kubernetes.io/zone, operator: NotIn, values: [acme-1-a]}]}}]}"),
		c.chance("tolerations: [{key: acme.com/dedicated, operator: Equal, value: acme-team}]"),
		c.chance("topologySpreadConstraints: [{maxSkew: 1, topologyKey: acme.com/rack, whenUnsatisfiable: DoNotSchedule, nodeTaintsPolicy: "+c.pick("Honor", "Ignore")+", minDomains: "+c.pick("1", "5")+", matchLabelKeys: [team], labelSelector: {matchExpressions: [{key: app, operator: In, values: ["+app+"]}]}}]"),
		c.pick("acme/web", "acme.io/db:2"), c.chance(", hostPort: 8080"), 100+c.IntN(1500), 100+c.IntN(3000),
		c.chance(", limits: {acme.com/fpga: \"1\"}"), c.pick("Running", "Running", "Pending"))
}

// Clusters at random are placed alike when they are scrubbed, as scenarios they run, and
// nothing is left of their names.
func TestNothingIsLeftOfNames(t *testing.T) {
	for seed := range uint64(20) {
		c := &city{Rand: rand.New(rand.NewPCG(seed, 1)), nodes: 4 + int(seed%5)}
		original := filepath.Join(t.TempDir(), "dump.yaml")
		if err := os.WriteFile(original, []byte(c.cluster()), 0o644); err != nil {
			t.Fatal(err)
		}
		unscrubbed, plain := written(t, original, false)
		done, _ := written(t, original, true)
		same(t, done, plain...)
		for _, path := range done.Written {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(text), "\n") {
				if strings.Contains(strings.ToLower(line), mark) {
					t.Errorf("seed %d: %s:%d: %s", seed, filepath.Base(path), i+1, line)
				}
			}
		}
		for _, line := range slices.Concat(done.Found, done.Warnings) {
			if strings.Contains(line, mark) {
				t.Errorf("seed %d: says %s", seed, line)
			}
		}
		want := runs(t, unscrubbed.Written[0])
		for resource, neutral := range done.Names["resource"] {
			want = strings.ReplaceAll(want, resource, neutral)
		}
		if got := runs(t, done.Written[0]); got != want {
			t.Errorf("seed %d: a run of what is scrubbed is another one: %s", seed, difference(got, want))
		}
	}
}

// runs runs a scenario to its end and says what happened when, without names.
func runs(t *testing.T, path string) string {
	t.Helper()
	s, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Build(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	cfg := run.Config
	var b strings.Builder
	cfg.Record = func(r *record.Record) {
		fmt.Fprintf(&b, "%v %v pod %d of %d on node %d, by %d, %d, %v\n", r.Time, r.Kind, r.Pod, r.Workload, r.Node, r.By, r.Count, r.Amounts)
	}
	if _, err := world.New(cfg).Run(t.Context()); err != nil {
		t.Error(err)
	}
	return b.String()
}
