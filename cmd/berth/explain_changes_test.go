package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// object is an API object; the value of a field is changed in place.
type object = map[string]any

// misfit is a small cluster with one pending pod, p, and the configuration it is tried with.
type misfit struct {
	Items  []object
	Policy object
}

func (m *misfit) clone() *misfit {
	data, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	var out misfit
	if err := json.Unmarshal(data, &out); err != nil {
		panic(err)
	}
	return &out
}

func (m *misfit) item(name string) object {
	i := slices.IndexFunc(m.Items, func(o object) bool { return at(o, "metadata")["name"] == name })
	return m.Items[i]
}

func (m *misfit) remove(name string) {
	m.Items = slices.DeleteFunc(m.Items, func(o object) bool { return at(o, "metadata")["name"] == name })
}

// at is the object at a path.
func at(o object, path ...string) object {
	for _, key := range path {
		o, _ = o[key].(object)
	}
	return o
}

// elements are the list at a path.
func elements(o object, path ...string) []any {
	l, _ := at(o, path[:len(path)-1]...)[path[len(path)-1]].([]any)
	return l
}

// tried places p, and shows its first attempt. It writes files where the test is.
func (m *misfit) tried(t *testing.T, see func(*scheduler.Attempt, *scenarios.Placement)) (feasible int) {
	t.Helper()
	items, err := json.Marshal(object{"apiVersion": "v1", "kind": "List", "items": m.Items})
	if err != nil {
		t.Fatal(err)
	}
	policy, err := json.Marshal(m.Policy)
	if err != nil {
		t.Fatal(err)
	}
	write(t, "cluster.json", string(items))
	write(t, "policy.json", string(policy))
	p, err := scenarios.NewPlacement(scenarios.PlaceOptions{
		Files: []string{"cluster.json"}, Recipe: recipe.Recipe{Policy: "policy.json", TieBreak: string(scheduler.TieFirst)},
		Order: place.QueueOrder, Percentage: 100,
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, items)
	}
	p.Attempted = func(a *scheduler.Attempt) {
		if a.Number != 1 || p.Cluster.Pod(a.Pod).Name != "p" {
			return
		}
		if feasible = a.Feasible; see != nil {
			see(a, p)
		}
	}
	if _, err := p.Run(p.Pods); err != nil {
		t.Fatal(err)
	}
	return feasible
}

// explained is nil where p fits.
func (m *misfit) explained(t *testing.T) (e *explain.Explanation) {
	t.Helper()
	m.tried(t, func(a *scheduler.Attempt, p *scenarios.Placement) {
		if a.Feasible > 0 {
			return
		}
		var err error
		before := p.Cluster.Hash()
		if e, err = explain.Attempt(p.Scheduler, p.Cluster, a, explain.Options{Top: 2, Daemons: p.Daemons}); err != nil {
			t.Fatal(err)
		}
		if p.Cluster.Hash() != before {
			t.Fatal("the explanation left a trace in the state of the cluster")
		}
		if err := p.Cluster.Verify(); err != nil {
			t.Fatal(err)
		}
	})
	return e
}

var (
	requestText = regexp.MustCompile(`the effective (\S+) request by \S+, from \S+ to ([^ ,]+)`)
	taintText   = regexp.MustCompile(`([^ =]+)=([^ :]*):(\w+)`)
	labelText   = regexp.MustCompile(`^drop (\S+)=(\S+) from the node selector$`)
	portText    = regexp.MustCompile(`^drop the host port (\d+)/TCP$`)
	spreadText  = regexp.MustCompile(`^(?:lower|raise|set) (\w+) of (the|the policy's) spread over (\S+) (?:from \d+ )?to (\w+)$`)
	termText    = regexp.MustCompile(`^drop the required pod (affinity|anti-affinity) to pods with app=(\w) over (\S+)$`)
	podText     = regexp.MustCompile(`^(?:remove|wait until) pod default/(\S+) `)
	likeText    = regexp.MustCompile(`^add one more node like (\S+) \(`)
)

// changed returns the cluster after the change that the text describes.
func (m *misfit) changed(c *explain.Change) *misfit {
	m = m.clone()
	spec := at(m.item("p"), "spec")
	container := spec["containers"].([]any)[0].(object)
	found := func(re *regexp.Regexp) []string { return re.FindStringSubmatch(c.Text) }
	switch c.Kind {
	case "request":
		for _, match := range requestText.FindAllStringSubmatch(c.Text, -1) {
			at(container, "resources", "requests")[match[1]] = match[2]
		}
	case "toleration":
		for _, match := range taintText.FindAllStringSubmatch(c.Text, -1) {
			spec["tolerations"] = append(elements(spec, "tolerations"), object{"key": match[1], "value": match[2], "effect": match[3]})
		}
	case "uncordon":
		uncordoned(m.item(strings.TrimPrefix(c.Text, "uncordon ")))
	case "nodeSelector":
		if match := found(labelText); match != nil {
			delete(at(spec, "nodeSelector"), match[1])
			break
		}
		delete(spec, "nodeSelector")
		if strings.HasSuffix(c.Text, "and the required node affinity") {
			delete(at(spec, "affinity"), "nodeAffinity")
		}
	case "nodeAffinity":
		delete(at(spec, "affinity"), "nodeAffinity")
	case "hostPort":
		container["ports"] = slices.DeleteFunc(elements(container, "ports"), func(p any) bool {
			return fmt.Sprint(p.(object)["hostPort"]) == found(portText)[1]
		})
	case "minDomains", "maxSkew", "nodeTaintsPolicy", "spread":
		match := found(spreadText)
		m.spreads(match[2] != "the", match[3])[match[1]] = number(match[4])
		if c.Kind == "spread" {
			delete(m.spreads(match[2] != "the", match[3]), "minDomains")
		}
	case "podAffinity", "podAntiAffinity":
		match, key := found(termText), "requiredDuringSchedulingIgnoredDuringExecution"
		rules := at(spec, "affinity", c.Kind)
		rules[key] = slices.DeleteFunc(elements(rules, key), func(term any) bool {
			return term.(object)["topologyKey"] == match[3] && at(term.(object), "labelSelector", "matchLabels")["app"] == match[2]
		})
	case "removePod":
		m.remove(found(podText)[1])
	case "addNode":
		m.Items = append(m.Items, m.clone().item(found(likeText)[1]))
		node := m.Items[len(m.Items)-1]
		at(node, "metadata")["name"] = "one-more"
		at(node, "metadata", "labels")["kubernetes.io/hostname"] = "one-more"
		uncordoned(node)
	default:
		panic("nobody knows how to do: " + c.Kind + ": " + c.Text)
	}
	return m
}

func uncordoned(node object) {
	delete(at(node, "spec"), "unschedulable")
	at(node, "spec")["taints"] = slices.DeleteFunc(elements(node, "spec", "taints"), func(t any) bool {
		return t.(object)["key"] == "node.kubernetes.io/unschedulable"
	})
}

// spreads is the constraint over a topology key with DoNotSchedule.
func (m *misfit) spreads(policy bool, key string) object {
	constraints := elements(m.item("p"), "spec", "topologySpreadConstraints")
	if policy {
		profile := m.Policy["profiles"].([]any)[0].(object)
		constraints = elements(profile["pluginConfig"].([]any)[0].(object), "args", "defaultConstraints")
	}
	i := slices.IndexFunc(constraints, func(c any) bool { return c.(object)["topologyKey"] == key })
	return constraints[i].(object)
}

// number is the number that a text is, or the text.
func number(text string) any {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return text
}

// oneLess is a smaller change of the same kind, nil where there is none.
func oneLess(c *explain.Change) *explain.Change {
	words := strings.Fields(c.Text)
	last := &words[len(words)-1]
	from, _ := strconv.Atoi(words[max(len(words)-3, 0)])
	to, _ := strconv.Atoi(*last)
	switch {
	case c.Kind == "maxSkew" && to-1 > from:
		*last = strconv.Itoa(to - 1)
	case c.Kind == "minDomains" && to+1 < from:
		*last = strconv.Itoa(to + 1)
	case c.Kind == "request" && strings.HasSuffix(*last, "m"):
		milli, _ := strconv.Atoi(strings.TrimSuffix(*last, "m"))
		*last = fmt.Sprintf("%dm", milli+1)
	case c.Kind == "request" && strings.HasPrefix(c.Text, "lower the effective cpu") && !strings.Contains(c.Text, " and "):
		*last = fmt.Sprintf("%dm", to*1000+1)
	default:
		return nil
	}
	return &explain.Change{Kind: c.Kind, Text: strings.Join(words, " ")}
}

// faults are what is wrong with the changes that an explanation proposes: those that do not
// do what they say when they are made, that a smaller one would do for, or that are
// not there.
func (m *misfit) faults(t *testing.T, e *explain.Explanation) (faults []string) {
	t.Helper()
	kinds := map[string]*explain.Change{}
	for i := range e.Changes {
		c := &e.Changes[i]
		kinds[c.Kind] = c
		if n := m.changed(c).tried(t, nil); n != c.Nodes {
			faults = append(faults, fmt.Sprintf("%s: it fits on %d nodes then, not %d", c.Text, n, c.Nodes))
		}
		if less := oneLess(c); less != nil && m.changed(less).tried(t, nil) > 0 {
			faults = append(faults, fmt.Sprintf("%s: %s does", c.Text, less.Text))
		}
	}
	least := map[string]int{} // by kind, the lowest priority of a pod that helps, or 0
	for _, o := range m.Items {
		name := at(o, "metadata")["name"].(string)
		c := explain.Change{Kind: "uncordon", Text: "uncordon " + name}
		priority := 0
		switch {
		case o["kind"] == "Pod" && name != "p" && e.Preemption == nil:
			c = explain.Change{Kind: "removePod", Text: "remove pod default/" + name + " "}
			if at(o, "spec")["priorityClassName"] == "low" {
				priority = -5
			}
		case o["kind"] != "Node" || at(o, "spec")["unschedulable"] != true:
			continue
		}
		if m.changed(&c).tried(t, nil) > 0 {
			least[c.Kind] = min(least[c.Kind], priority)
			if kinds[c.Kind] == nil {
				faults = append(faults, c.Text+": it helps, and is not proposed")
			}
		}
	}
	if c := kinds["removePod"]; c != nil && least[c.Kind] < 0 && strings.HasPrefix(c.Text, "remove") && !strings.Contains(c.Text, "(priority -5)") {
		faults = append(faults, c.Text+": one of lower priority does")
	}
	return faults
}

// TestDomainRulesAgreeWithFilters: a filter rejects a node when one of the rules about
// topology domains that it names is broken there.
func TestDomainRulesAgreeWithFilters(t *testing.T) {
	t.Chdir(t.TempDir())
	agree, against := 0, map[string]int{}
	for seed := range uint64(200) {
		newMisfit(seed).tried(t, func(a *scheduler.Attempt, p *scenarios.Placement) {
			in := p.Scheduler.Inspect(a.Pod, p.Cluster.Pod(a.Pod).Class)
			if _, st := in.Rejected(); st.Code != scheduler.Success {
				return
			}
			for _, node := range p.Cluster.Order() {
				broken, rejected := map[string]bool{}, map[string]bool{}
				in.EachDomainRule(func(plugin string, r scheduler.DomainRule) {
					broken[plugin] = broken[plugin] || r.Breaks(node)
				})
				for _, v := range in.Verdicts(node, nil) {
					rejected[in.Plugin(v)] = true
				}
				for _, plugin := range []string{"PodTopologySpread", "InterPodAffinity"} {
					if broken[plugin] != rejected[plugin] {
						t.Errorf("seed %d: node %s breaks a rule of %s: %v, and is rejected: %v", seed, p.Cluster.Node(node).Name, plugin, broken[plugin], rejected[plugin])
					}
					agree++
					if broken[plugin] {
						against[plugin]++
					}
				}
			}
		})
	}
	if against["PodTopologySpread"] < 50 || against["InterPodAffinity"] < 50 {
		t.Errorf("of %d verdicts few are against: %v", agree, against)
	}
}

// TestChangesDoWhatTheySay makes every change that is proposed for random pods, and looks on
// how many nodes they fit then.
func TestChangesDoWhatTheySay(t *testing.T) {
	t.Chdir(t.TempDir())
	kinds := map[string]int{}
	for seed := range uint64(250) {
		m := newMisfit(seed).clone()
		e := m.explained(t)
		if e == nil {
			continue
		}
		for _, fault := range m.faults(t, e) {
			items, _ := json.Marshal(m)
			t.Errorf("seed %d: %s\n%s", seed, fault, items)
		}
		for _, c := range e.Changes {
			kinds[c.Kind]++
		}
	}
	for _, kind := range []string{
		"request", "toleration", "uncordon", "nodeSelector", "nodeAffinity", "hostPort", "minDomains", "maxSkew", "nodeTaintsPolicy",
		"spread", "podAffinity", "podAntiAffinity", "removePod", "addNode",
	} {
		if kinds[kind] == 0 {
			t.Errorf("%s is never proposed", kind)
		}
	}
	t.Log(kinds)
}

// TestChangesThatLie plants wrong changes, all of which must be found out.
func TestChangesThatLie(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, lie := range map[string]func(*explain.Change) (lies bool){
		"another number of nodes": func(c *explain.Change) bool { c.Nodes++; return true },
		"a pod that does not help": func(c *explain.Change) bool {
			c.Kind, c.Text = "removePod", "remove pod default/none from nowhere"
			return true
		},
		"more than is needed": func(c *explain.Change) bool {
			match := regexp.MustCompile(`^(raise maxSkew .* to )(\d+)$`).FindStringSubmatch(c.Text)
			if match == nil {
				return false
			}
			skew, _ := strconv.Atoi(match[2])
			c.Text = match[1] + strconv.Itoa(skew+1)
			return true
		},
		"nothing": func(c *explain.Change) bool {
			helps := c.Kind == "removePod" || c.Kind == "uncordon"
			*c = explain.Change{Kind: "toleration", Text: "tolerate nothing"}
			return helps
		},
	} {
		told := 0
		for seed := uint64(0); told < 5 && seed < 250; seed++ {
			m := newMisfit(seed).clone()
			e := m.explained(t)
			for i := 0; e != nil && i < len(e.Changes); i++ {
				if lie(&e.Changes[i]) {
					if told++; len(m.faults(t, e)) == 0 {
						t.Errorf("seed %d: %s: it is not found out", seed, name)
					}
					break
				}
			}
		}
		if told < 5 {
			t.Errorf("%s: the lie was told %d times", name, told)
		}
	}
}
