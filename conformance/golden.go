package conformance

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/conformance/protocol"
)

// Goldens is where the main module keeps what kube-scheduler decided of some cases, to
// be compared without kube-scheduler.
const Goldens = "../cmd/berth/testdata/conformance"

// goldenFamily makes a family's cases small.
func goldenFamily(f family) *family {
	if f.minNodes >= 100 { // fewer are always looked at in full
		f.minNodes, f.maxNodes, f.pods, f.runningPerNode = 102, 102, 4, -1
	} else {
		f.minNodes, f.maxNodes, f.pods, f.runningPerNode = 3, 7, 8, 2
	}
	return &f
}

const (
	goldenSeeds = 30 // of each family are looked through
	goldenCases = 44 // are kept, at most
)

// WriteGoldens chooses small cases that together show all that any of them shows, and
// writes them and the cases of found with kube-scheduler's decisions to a directory.
func WriteGoldens(k *Kube, found, dir string) error {
	cases, err := chooseGoldens(k)
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(found, "*.yaml"))
	if err != nil {
		return err
	}
	for _, file := range files {
		c, err := ReadCase(file)
		if err != nil {
			return err
		}
		cases[strings.TrimSuffix(filepath.Base(file), ".yaml")] = c
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		if err := writeGolden(k, filepath.Join(dir, name), cases[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func writeGolden(k *Kube, path string, c *Case) error {
	input, err := c.YAML()
	if err != nil {
		return err
	}
	decisions, err := c.Decisions(k)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".yaml", input, 0o644); err != nil {
		return err
	}
	return os.WriteFile(path+".txt", []byte(decisions), 0o644)
}

// chooseGoldens takes cases until everything is shown twice, the ones that show most first.
func chooseGoldens(k *Kube) (map[string]*Case, error) {
	type candidate struct {
		*Case
		shows map[string]bool
	}
	var left []candidate
	for i := range families {
		for seed := range uint64(goldenSeeds) {
			c := generate(goldenFamily(families[i]), seed)
			attempts, err := k.Decide(c)
			if err != nil {
				return nil, err
			}
			shows := shown(attempts)
			shows["family "+c.Family] = true
			left = append(left, candidate{c, shows})
		}
	}
	chosen, seen := map[string]*Case{}, map[string]int{}
	for len(chosen) < goldenCases {
		best, most := 0, 0
		for i := range left {
			fresh := 0
			for what := range left[i].shows {
				if seen[what] < 2 {
					fresh++
				}
			}
			if fresh > most {
				best, most = i, fresh
			}
		}
		if most == 0 {
			break
		}
		for what := range left[best].shows {
			seen[what]++
		}
		c := left[best].Case
		left = slices.Delete(left, best, best+1)
		chosen[fmt.Sprintf("%s-%d", strings.ReplaceAll(c.Family, " ", "-"), c.Seed)] = c
	}
	return chosen, nil
}

// shown is what can be learned from attempts: which plugin rejected for which reason,
// which plugin gave nodes different scores, what failed as a whole, and how preemption went.
func shown(attempts []Attempt) map[string]bool {
	out := map[string]bool{}
	for i := range attempts {
		a := &attempts[i]
		for _, v := range a.Rejected {
			for _, reason := range v.Reasons {
				out[fmt.Sprintf("%s %v %s", v.Plugin, v.Unresolvable, reason)] = true
			}
		}
		first := map[string]int64{}
		for _, node := range slices.Sorted(maps.Keys(a.Scores)) {
			for plugin, score := range a.Scores[node] {
				if before, has := first[plugin]; has && before != score {
					out["score "+plugin] = true
				}
				first[plugin] = score
			}
		}
		if a.Message != "" && len(a.Rejected) == 0 {
			out["message "+unnamed.ReplaceAllString(a.Message, "")] = true
		}
		out[fmt.Sprintf("victims %d", min(len(a.Victims), 3))] = true
		out[fmt.Sprintf("from elsewhere %v", a.Start > 0)] = true
		out[fmt.Sprintf("cleared %d", min(len(a.Cleared), 1))] = true
	}
	return out
}

// unnamed leaves out of a message what differs from case to case.
var unnamed = regexp.MustCompile(`[0-9]+|"[^"]*"|\[[^]]*\]`)

// Decisions are what kube-scheduler decides of the case, as text. Where it would choose
// among equals by chance, the smallest name is taken, unless the case leaves the choice to
// its heap.
func (c *Case) Decisions(k *Kube) (string, error) {
	attempts, err := k.Decide(c)
	if err != nil {
		return "", err
	}
	tie, order := "first", "document"
	if c.Heap {
		tie = "upstream"
	}
	if c.Queue {
		order = "queue"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "tie %s order %s\n", tie, order)
	for i := range attempts {
		write(&b, &attempts[i])
	}
	return b.String(), nil
}

// write writes an attempt: the pod, where the search began and what it chose; then the
// nodes of each verdict, the weighted scores of each node, and what else there is.
func write(b *strings.Builder, a *Attempt) {
	fmt.Fprintf(b, "\npod %s from %d", a.Pod, a.Start)
	if a.Node != "" {
		fmt.Fprintf(b, " to %s of %s", a.Node, strings.Join(a.Ties, " "))
	}
	b.WriteString("\n")
	verdicts := map[string][]string{}
	for _, node := range slices.Sorted(maps.Keys(a.Rejected)) {
		v := a.Rejected[node]
		code := "unschedulable"
		if v.Unresolvable {
			code = "unresolvable"
		}
		text := fmt.Sprintf("%s %s %q", v.Plugin, code, v.Reasons)
		verdicts[text] = append(verdicts[text], node)
	}
	for _, verdict := range slices.Sorted(maps.Keys(verdicts)) {
		fmt.Fprintf(b, "  no %s: %s\n", verdict, strings.Join(verdicts[verdict], " "))
	}
	writeScores(b, a)
	if a.Nominated != "" {
		fmt.Fprintf(b, "  %s\n", strings.Join(append([]string{"nominated", a.Nominated, "victims"}, a.Victims...), " "))
	}
	if len(a.Cleared) > 0 {
		fmt.Fprintf(b, "  cleared %s\n", strings.Join(a.Cleared, " "))
	}
	if a.Message != "" {
		fmt.Fprintf(b, "  message %s\n", a.Message)
	}
}

// writeScores writes the names of the plugins, then a line of scores for each node.
func writeScores(b *strings.Builder, a *Attempt) {
	nodes := slices.Sorted(maps.Keys(a.Scores))
	if len(nodes) == 0 {
		return
	}
	plugins := slices.Sorted(maps.Keys(a.Scores[nodes[0]]))
	plugins = slices.DeleteFunc(plugins, func(p string) bool { return p == protocol.TotalScore })
	fmt.Fprintf(b, "  score %s\n", strings.Join(plugins, " "))
	for _, node := range nodes {
		fmt.Fprintf(b, "    %s", node)
		for _, plugin := range plugins {
			fmt.Fprintf(b, " %d", a.Scores[node][plugin])
		}
		fmt.Fprintf(b, " = %d\n", a.Scores[node][protocol.TotalScore])
	}
}
