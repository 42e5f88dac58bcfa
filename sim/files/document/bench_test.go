package document

import (
	"bytes"
	"fmt"
	"testing"
)

// podManifest is a stream of small pods, some 500 bytes each.
func podManifest(pods int) []byte {
	var text bytes.Buffer
	for i := range pods {
		fmt.Fprintf(&text, `---
apiVersion: v1
kind: Pod
metadata:
  name: web-%d
  namespace: default
  labels:
    app: web
    pod-template-hash: "5d4f%d"
spec:
  priority: 0
  schedulerName: default-scheduler
  nodeSelector:
    topology.kubernetes.io/zone: a
  containers:
  - name: app
    image: registry.example.com/web:1.2.3
    resources:
      requests:
        cpu: 500m
        memory: 1Gi
      limits:
        memory: 1Gi
  tolerations:
  - key: node.kubernetes.io/not-ready
    operator: Exists
    effect: NoExecute
`, i, i)
	}
	return text.Bytes()
}

// podList is the same as one List in JSON on a single line.
func podList(b *testing.B, pods int) []byte {
	docs, err := Parse("pods", podManifest(pods))
	if err != nil {
		b.Fatal(err)
	}
	list := []byte(`{"items":[`)
	for i, doc := range docs {
		if i > 0 {
			list = append(list, ',')
		}
		data, err := doc.Root().MarshalJSON()
		if err != nil {
			b.Fatal(err)
		}
		list = append(list, data...)
	}
	return append(list, "]}"...)
}

func BenchmarkParseDecode(b *testing.B) {
	const pods = 8000
	b.Run(fmt.Sprintf("pods=%d", pods), func(b *testing.B) {
		text := podManifest(pods)
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			docs, err := Parse("pods", text)
			if err != nil || len(docs) != pods {
				b.Fatal(len(docs), err)
			}
			decodePods(b, docs)
		}
	})
	b.Run(fmt.Sprintf("json/pods=%d", pods), func(b *testing.B) {
		text := podList(b, pods)
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			docs, err := Parse("pods", text)
			if err != nil {
				b.Fatal(err)
			}
			var list struct {
				Items []pod `json:"items"`
			}
			if err := Decode(docs[0].Root(), &list); err != nil || len(list.Items) != pods {
				b.Fatal(len(list.Items), err)
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	const pods = 8000
	b.Run(fmt.Sprintf("pods=%d", pods), func(b *testing.B) {
		docs, err := Parse("pods", podManifest(pods))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			decodePods(b, docs)
		}
	})
}

func decodePods(b *testing.B, docs []*Document) {
	for i, doc := range docs {
		var p pod
		if err := Decode(doc.Root(), &p); err != nil {
			b.Fatal(err)
		}
		if p.Name != fmt.Sprintf("web-%d", i) || p.Spec.Containers[0].Resources.Requests["cpu"].text != "500m" {
			b.Fatalf("pod %d is %+v", i, p)
		}
	}
}
