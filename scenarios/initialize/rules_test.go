package initialize

import (
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// Every kind of objects that is read has a rule for its names.
func TestEveryKindHasNamesOfItsOwn(t *testing.T) {
	for _, kind := range decode.KindsRead() {
		kind = kind[strings.LastIndexByte(kind, '/')+1:]
		if sortOf(kind) == "object" && kind != "ResourceQuota" {
			t.Errorf("%s: objects have no sort of names", kind)
		}
	}
}

// Neutral names are in the order of the originals, and well-known ones stay.
func TestNames(t *testing.T) {
	n := newNames()
	n.regional = true
	for range 2 {
		for _, name := range []string{"zeta", "alpha", "mu"} {
			n.of("node", name)
		}
		n.value("topology.kubernetes.io/zone", "eu-1-a__eu-1-b")
		n.value("team", "billing")
		n.image("nginx")
		n.of("key", "acme.com/rack")
		n.of("namespace", "kube-acme")
		if n.neutral == nil {
			n.assign()
		}
	}
	for _, tt := range []struct{ got, want string }{
		{n.of("node", "alpha"), "node-1"},
		{n.of("node", "mu"), "node-2"},
		{n.of("node", "zeta"), "node-3"},
		{n.of("node", ""), ""},
		{n.of("namespace", "kube-system"), "kube-system"},
		{n.of("namespace", "kube-acme"), "namespace-1"},
		{n.of("key", "topology.kubernetes.io/zone"), "topology.kubernetes.io/zone"},
		{n.of("key", "acme.com/rack"), "example.com/key-1"},
		{n.of("resource", "nvidia.com/gpu"), "nvidia.com/gpu"},
		{n.of("driver", "kubernetes.io/aws-ebs"), "kubernetes.io/aws-ebs"},
		{n.value("kubernetes.io/arch", "arm64"), "arm64"},
		{n.value("team", "billing"), "v1"},
		{n.value("team", "true"), "true"},
		{n.value("team", "17"), "17"},
		{n.value("topology.kubernetes.io/zone", "eu-1-a__eu-1-b"), "zone-1-1__zone-1-2"},
		{n.image("nginx:latest"), "registry.example.com/image-1:1"},
		{n.image("nginx"), "registry.example.com/image-1:1"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}
