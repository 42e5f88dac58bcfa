package plugins_test

import (
	"math"
	"testing"

	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// TestWorthOfTheLargestImage: 2^63-1 bytes are 2^63 in floating point, which is no int64. What upstream makes of it on
// amd64 is the smallest one, so that the node gets the lowest score.
func TestWorthOfTheLargestImage(t *testing.T) {
	cl := cluster.New(cluster.NewVocabulary())
	name := cl.Symbol("huge:1")
	id, err := cl.AddNode(cluster.NodeSpec{Name: "n", Images: []cluster.NodeImage{{Name: name, Size: math.MaxInt64}}})
	if err != nil {
		t.Fatal(err)
	}
	var w plugins.ImageScorer
	if !w.Find(cl, []cluster.Symbol{name}) || w.On(cl.Node(id)) != math.MinInt64 {
		t.Errorf("the image is worth %d, want %d", w.On(cl.Node(id)), int64(math.MinInt64))
	}
}
