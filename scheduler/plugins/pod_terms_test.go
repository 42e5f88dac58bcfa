package plugins_test

import (
	"strconv"
	"strings"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// podTerm reads a term of pod affinity: a topology key (host, zone or a label), a selector
// of pods and, after an @, the namespaces, by name or by a selector in braces:
//
//	zone/app:web,tier!db    pods with these labels and not that one, in the pod's own namespace
//	host/app@a,b            pods with the label app in two namespaces
//	zone/!app@{team:x}      pods without it in the namespaces of that label
//	zone/*@{}               all pods
//	zone/-                  no pods
func (w *world) podTerm(own cluster.Symbol, text string) *cluster.PodTerm {
	key, rest, _ := strings.Cut(text, "/")
	pods, spaces, scoped := strings.Cut(rest, "@")
	t := cluster.PodTerm{Selector: w.selector(pods), Namespaces: []cluster.Symbol{own}, NamespaceSelector: cluster.SelectsNothing()}
	switch {
	case strings.HasPrefix(spaces, "{"):
		t.Namespaces, t.NamespaceSelector = nil, w.selector(strings.Trim(spaces, "{}"))
	case scoped:
		t.Namespaces = nil
		for _, name := range strings.Split(spaces, ",") {
			t.Namespaces = append(t.Namespaces, w.cl.Symbol(name))
		}
	}
	switch key {
	case "host":
		t.TopologyKey = w.cl.Hostname
	case "zone":
		t.TopologyKey = w.cl.Symbol("topology.kubernetes.io/zone")
	default:
		t.TopologyKey = w.cl.Symbol(key)
	}
	return w.cl.AddPodTerm(t)
}

// selector reads "app:web,tier!db,app,!tier", "*" or nothing for all, "-" for none.
func (w *world) selector(text string) cluster.LabelSelector {
	switch text {
	case "-":
		return cluster.SelectsNothing()
	case "*", "":
		return cluster.LabelSelector{}
	}
	var s cluster.LabelSelector
	for _, part := range strings.Split(text, ",") {
		r := cluster.Requirement{Op: cluster.Exists}
		i := strings.IndexAny(part, ":!")
		switch {
		case i == 0:
			part, r.Op = part[1:], cluster.DoesNotExist
		case i > 0:
			r.Values = []cluster.Symbol{w.cl.Symbol(part[i+1:])}
			r.Op = map[byte]cluster.Operator{':': cluster.In, '!': cluster.NotIn}[part[i]]
			part = part[:i]
		}
		r.Key = w.cl.Symbol(part)
		s.Requirements = append(s.Requirements, r)
	}
	return s
}

// readTerms puts the terms of a pod's line into its class.
func (w *world) readTerms(fields []field, c *cluster.Class) {
	w.t.Helper()
	for _, f := range fields {
		weight, rest, _ := strings.Cut(f.value, "*")
		weighted := func() cluster.WeightedPodTerm {
			n, err := strconv.ParseInt(weight, 10, 64)
			if err != nil {
				w.t.Fatalf("%s: %v", f.key, err)
			}
			return cluster.WeightedPodTerm{Weight: n, Term: w.podTerm(c.Namespace, rest)}
		}
		switch f.key {
		case "near":
			c.Affinity = append(c.Affinity, w.podTerm(c.Namespace, f.value))
		case "apart":
			c.AntiAffinity = append(c.AntiAffinity, w.podTerm(c.Namespace, f.value))
		case "likes":
			c.PreferredAffinity = append(c.PreferredAffinity, weighted())
		case "dislikes":
			c.PreferredAntiAffinity = append(c.PreferredAntiAffinity, weighted())
		}
	}
}

// readMeta puts namespace and labels of a pod's line into its class.
func (w *world) readMeta(fields []field, c *cluster.Class) {
	labels := map[string]string{}
	c.Namespace = w.cl.Symbol("default")
	for _, f := range fields {
		switch f.key {
		case "with":
			key, value, _ := strings.Cut(f.value, ":")
			labels[key] = value
		case "ns":
			c.Namespace = w.cl.Symbol(f.value)
		}
	}
	c.Labels = w.cl.NewLabelSet(labels)
}

// setNamespace declares a namespace and its labels: "a team:x tier:y".
func (w *world) setNamespace(line string) {
	words := strings.Fields(line)
	labels := map[string]string{"kubernetes.io/metadata.name": words[0]}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, ":")
		labels[key] = value
	}
	w.cl.SetNamespaceLabels(w.cl.Symbol(words[0]), w.cl.NewLabelSet(labels))
}
