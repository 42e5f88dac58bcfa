package manifest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// TestStorage runs the scripts in testdata/storage: load shows what the Loader made of the
// storage among the documents and of the volumes of pods, or all faults.
func TestStorage(t *testing.T) {
	datadriven.Walk(t, "testdata/storage", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			docs, err := document.Parse("in.yaml", []byte(d.Input))
			if err != nil {
				return err.Error() + "\n"
			}
			l := New(cluster.NewVocabulary())
			if err := l.Load(docs...); err != nil {
				return err.Error() + "\n"
			}
			p := &storagePrinter{v: l.vocabulary}
			p.storage(&l.Storage)
			for i := range l.Pods {
				p.pod(l.Pods[i].Name, l.Pods[i].Class)
			}
			for i := range l.Controllers {
				for ordinal := range l.Controllers[i].Replicas {
					p.pod(fmt.Sprintf("%s-%d", l.Controllers[i].Name, ordinal), l.Controllers[i].StatefulPod(ordinal))
				}
			}
			for _, w := range l.Warnings {
				p.printf("warning: %s", w)
			}
			return p.String()
		})
	})
}

// TestClassesOfStatefulPods: with claims or without, each pod of a StatefulSet adds its own
// class to those that are known, and no other.
func TestClassesOfStatefulPods(t *testing.T) {
	for _, claims := range []string{"", `volumeClaimTemplates:
  - {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}`} {
		docs, err := document.Parse("in.yaml", []byte(`
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 3
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: c, image: "a:1"}]}
  `+claims+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		l := New(cluster.NewVocabulary())
		if err := l.Load(docs...); err != nil {
			t.Fatal(err)
		}
		known := l.vocabulary.NumClasses()
		for ordinal := range 3 {
			l.Controllers[0].StatefulPod(ordinal)
			if got := l.vocabulary.NumClasses() - known; got != ordinal+1 {
				t.Errorf("%d pods are of %d classes, where the claims are %q", ordinal+1, got, claims)
			}
		}
	}
}

type storagePrinter struct {
	strings.Builder
	v *cluster.Vocabulary
}

func (p *storagePrinter) printf(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *storagePrinter) storage(s *Storage) {
	for _, c := range s.Classes {
		p.printf("class %s of %s: driver %q, waits %t, reclaim %d%s", p.v.Text(c.Name), c.Provisioner, p.v.Text(c.Driver), c.WaitForFirstConsumer, c.ReclaimPolicy,
			p.affinity(" within", &c.Topologies))
	}
	for _, v := range s.Volumes {
		p.printf("volume %s: class %q, %d bytes, modes %04b, block %t, attributes %q, phase %d, reclaim %d, ends %t", v.Name, p.v.Text(v.StorageClass), v.Capacity,
			v.Modes, v.Block, p.v.Text(v.AttributesClass), v.Phase, v.ReclaimPolicy, v.Deleting)
		if v.Claim.Given {
			p.printf("  for %s/%s %q", p.v.Text(v.Claim.Namespace), v.Claim.Name, v.Claim.UID)
		}
		if v.Driver != 0 {
			p.printf("  driver %s, handle %s, in-tree %q", p.v.Text(v.Driver), v.Handle, p.v.Text(v.InTree))
		}
		p.WriteString(p.affinity("  at", &v.Affinity))
		p.WriteString(p.affinity("  for the driver at", &v.Migrated))
		if v.Affinity.Limited || v.Migrated.Limited {
			p.printf("")
		}
	}
	for i := range s.Claims {
		p.claim(fmt.Sprintf("claim %s/%s", p.v.Text(s.Claims[i].Namespace), s.Claims[i].Name), &s.Claims[i])
	}
	for _, n := range s.CSINodes {
		p.printf("CSI node %s, migrated %q", p.v.Text(n.Node), p.texts(n.Migrated))
		for _, d := range n.Drivers {
			p.printf("  driver %s: limited %t to %d, keys %q", p.v.Text(d.Name), d.Limited, d.Limit, p.texts(d.TopologyKeys))
		}
	}
	for _, d := range s.Drivers {
		p.printf("CSI driver %s: capacity tracked %t, required on nodes %t", p.v.Text(d.Name), d.TracksCapacity, d.RequiredOnNodes)
	}
	for _, c := range s.Capacities {
		p.printf("capacity for class %s: known %t, %d bytes of %d, nowhere %t", p.v.Text(c.StorageClass), c.Known, c.Largest, c.Capacity, c.Nodes.Nothing)
	}
	for _, a := range s.Attachments {
		p.printf("%s is attached to %s by %s", a.Volume, p.v.Text(a.Node), p.v.Text(a.Attacher))
	}
}

func (p *storagePrinter) texts(list []cluster.Symbol) []string {
	var out []string
	for _, s := range list {
		out = append(out, p.v.Text(s))
	}
	return out
}

func (p *storagePrinter) affinity(what string, a *cluster.VolumeAffinity) string {
	if !a.Limited {
		return ""
	}
	var terms []string
	for _, t := range a.Terms {
		var parts []string
		for _, r := range t.Labels {
			parts = append(parts, fmt.Sprintf("%s %q", p.v.Text(r.Key), p.texts(r.Values)))
		}
		if t.Fault != "" {
			parts = append(parts, "never")
		}
		terms = append(terms, strings.Join(parts, " and "))
	}
	return what + " " + strings.Join(terms, " or ")
}

func (p *storagePrinter) claim(what string, c *cluster.Claim) {
	p.printf("%s: class %q, %d bytes, modes %04b, block %t, attributes %q, selects %t, new %t", what, p.v.Text(c.StorageClass), c.Request, c.Modes, c.Block,
		p.v.Text(c.AttributesClass), c.Selector != nil, c.New)
	if c.VolumeName != "" || c.BindCompleted || c.Lost || c.Deleting {
		p.printf("  volume %q, bound %t, lost %t, ends %t", c.VolumeName, c.BindCompleted, c.Lost, c.Deleting)
	}
	if c.Selected || c.Owner != "" || c.UID != "" {
		p.printf("  uid %q, for node %q, of pod %q", c.UID, p.v.Text(c.SelectedNode), c.Owner)
	}
}

func (p *storagePrinter) pod(name string, class *cluster.Class) {
	p.printf("pod %s", name)
	for i := range class.Volumes {
		v := &class.Volumes[i]
		kinds := []string{"claim", "ephemeral", "GCE", "EBS", "iSCSI", "RBD", "disk"}
		p.printf("  %s %q, read-only %t, driver %q, handle %q, monitors %q", kinds[v.Kind], v.Name, v.ReadOnly, p.v.Text(v.Driver), v.Handle, p.texts(v.Monitors))
		if v.Template != nil {
			p.claim("    made as "+v.Template.Name, v.Template)
		}
	}
}

// A claim without a UID does not get that of one which comes later.
func TestAddStorageKeepsUIDsApart(t *testing.T) {
	c := cluster.New(cluster.NewVocabulary())
	AddStorage(c, &Storage{Claims: []cluster.Claim{{Name: "a"}}}, &Storage{Claims: []cluster.Claim{{Name: "b", UID: "berth-0"}}})
	a, b := c.Volumes.Claim(c.Volumes.ClaimByName(0, "a")), c.Volumes.Claim(c.Volumes.ClaimByName(0, "b"))
	if a.UID != "berth-1" || b.UID != "berth-0" {
		t.Errorf("claim a has uid %q, b %q, want berth-1 and berth-0", a.UID, b.UID)
	}
}

// FuzzStorage puts whatever can be read into a cluster, and has controllers act on it.
func FuzzStorage(f *testing.F) {
	for _, file := range []string{"testdata/storage/objects.txt", "testdata/storage/bad.txt"} {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range strings.Split(string(text), "\nload\n") {
			input, _, _ := strings.Cut(part, "\n----\n")
			f.Add([]byte(input))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		docs, err := document.Parse("fuzz.yaml", data)
		if err != nil {
			return
		}
		l := New(cluster.NewVocabulary())
		if l.Load(docs...) != nil {
			return
		}
		c := cluster.New(l.vocabulary)
		for _, n := range l.Nodes {
			if _, err := c.AddNode(n.Spec); err != nil {
				t.Fatal(err)
			}
		}
		AddStorage(c, &l.Storage)
		for _, p := range l.Pods {
			if p.Class == nil {
				continue
			}
			pod := c.AddPod(cluster.Pod{Name: p.Name, Class: p.Class, Group: cluster.NoGroup})
			for _, claim := range c.Volumes.CreateClaims(pod) {
				c.Volumes.SyncClaim(claim)
			}
			if err := c.Verify(); err != nil {
				t.Fatal(err)
			}
			c.Volumes.DeleteOwnClaims(pod)
			c.RemovePod(pod)
		}
		if err := c.Verify(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestClaimTemplatesNameVolumes: what a template says of its volume is kept, and distinguishes
// classes.
func TestClaimTemplatesNameVolumes(t *testing.T) {
	const pod = `
apiVersion: v1
kind: Pod
metadata: {name: NAME}
spec:
  containers: [{name: c, image: "a:1"}]
  volumes:
    - name: d
      ephemeral: {volumeClaimTemplate: {spec: {volumeName: NAME, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}
`
	docs, err := document.Parse("in.yaml", []byte(strings.ReplaceAll(pod, "NAME", "a")+"---"+strings.ReplaceAll(pod, "NAME", "b")))
	if err != nil {
		t.Fatal(err)
	}
	l := New(cluster.NewVocabulary())
	if err := l.Load(docs...); err != nil {
		t.Fatal(err)
	}
	for _, p := range l.Pods {
		if got := p.Class.Volumes[0].Template.VolumeName; got != p.Name {
			t.Errorf("the claim of pod %s names volume %q", p.Name, got)
		}
	}
}
