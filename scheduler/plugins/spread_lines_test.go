package plugins_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// readSpread puts what a pod's line says of spreading into its class: spread= is a hard
// constraint, softly= a soft one, among= selects the pods that default constraints count.
func (w *world) readSpread(fields []field, c *cluster.Class) {
	w.t.Helper()
	for _, f := range fields {
		switch f.key {
		case "spread", "softly":
			s := w.constraint(f.value)
			s.Hard = f.key == "spread"
			c.Spread = append(c.Spread, s)
		case "among":
			c.SpreadSelector = w.selector(f.value)
		}
	}
}

// constraint reads KEY/MAXSKEW/SELECTOR and, behind another slash each, min=N for minDomains,
// all for nodeAffinityPolicy Ignore and bare for nodeTaintsPolicy Honor.
func (w *world) constraint(text string) cluster.SpreadConstraint {
	w.t.Helper()
	parts := strings.Split(text, "/")
	s := cluster.SpreadConstraint{TopologyKey: w.topologyKey(parts[0]), MinDomains: 1, HonorNodeAffinity: true}
	number := func(text string) int32 {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			w.t.Fatal(err)
		}
		return int32(n)
	}
	s.MaxSkew, s.Selector = number(parts[1]), w.selector(parts[2])
	for _, option := range parts[3:] {
		least, isMin := strings.CutPrefix(option, "min=")
		switch {
		case isMin:
			s.MinDomains = number(least)
		case option == "all":
			s.HonorNodeAffinity = false
		case option == "bare":
			s.HonorNodeTaints = true
		default:
			w.t.Fatalf("%s: there is no option %q", text, option)
		}
	}
	return s
}

// withDefaults adds default constraints to the arguments of PodTopologySpread.
func withDefaults(t *testing.T, cfg *worldConfig, arg datadriven.CmdArg) {
	if cfg.vocabulary == nil {
		cfg.vocabulary = cluster.NewVocabulary()
	}
	w := &world{t: t, cl: cluster.New(cfg.vocabulary)}
	args, _ := cfg.args["PodTopologySpread"].(plugins.PodTopologySpreadArgs)
	for _, text := range arg.Vals {
		c := w.constraint(text)
		c.Hard = arg.Key == "hard-default"
		args.Default = append(args.Default, c)
	}
	cfg.args["PodTopologySpread"] = args
}

// topologyKey is the label that a word stands for: host, zone, or itself.
func (w *world) topologyKey(word string) cluster.Symbol {
	switch word {
	case "host":
		return w.cl.Hostname
	case "zone":
		return w.cl.Symbol("topology.kubernetes.io/zone")
	}
	return w.cl.Symbol(word)
}
