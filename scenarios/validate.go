package scenarios

import (
	"fmt"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/legacy"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// Report describes a valid file.
type Report struct {
	What     string
	Details  []string // lines
	Warnings []string
	Skipped  []string // a line on the objects that do not affect scheduling; none if there are none
}

// Validate checks a scenario or a scheduler configuration, and the files that it refers to.
// o has the release and the plugins that the profiles go without, in place of the scenario's.
func Validate(path string, o recipe.Recipe) (Report, error) {
	file, choice := config.Split(path)
	docs, err := readFile(file)
	if err != nil {
		return Report{}, err
	}
	root := docs[0].Root()
	switch kind := root.Get("kind"); {
	case choice != "" || kind.Text() != Kind && config.Holds(docs):
		return validatePolicy(path, o)
	case root.Kind() == document.Map && !kind.Exists():
		return Report{}, root.Errorf("kind", "is missing: a scenario has kind: %s, a policy %s", Kind, strings.Join(config.Kinds(), " or "))
	}
	s, err := Load(path)
	if err != nil {
		return Report{}, err
	}
	run, err := s.Build(Options{Recipe: o, checkTraces: true})
	if err != nil {
		return Report{}, err
	}
	run.Close()
	return Report{
		What: fmt.Sprintf("scenario %s: %s, %s, policy %s, Kubernetes %s, seed %d", run.Config.Name,
			human.Counted(run.Config.Cluster.NumNodes(), "node"), human.Counted(len(run.Config.Workloads), "workload"), run.Policy.Name, run.Recipe.Kubernetes, *run.Recipe.Seed),
		Warnings: run.Warnings, Skipped: run.Skipped,
	}, nil
}

func validatePolicy(path string, o recipe.Recipe) (Report, error) {
	settings := o.Release()
	followed, rules, err := settings.Resolve()
	if err != nil {
		return Report{}, releaseFlag(err)
	}
	vocabulary := cluster.NewVocabulary()
	loader := manifest.New(vocabulary)
	policy, err := config.Reader{Registry: plugins.Registry(), Affinity: loader.NodeAffinity, Vocabulary: vocabulary, Drop: o.DropPlugins, Rules: rules}.Read(path)
	if err != nil {
		return Report{}, err
	}
	r := Report{
		What:     fmt.Sprintf("scheduler configuration with %s, for Kubernetes %s", human.Counted(len(policy.Profiles), "profile"), followed),
		Warnings: withoutEffect(settings, followed),
	}
	for _, row := range policy.Rows() {
		r.Details = append(r.Details, describeRow(row))
	}
	for _, profile := range policy.Profiles {
		if all, has := profile.Args[legacy.AlwaysCheckAllPredicates]; has {
			r.Details = append(r.Details, fmt.Sprintf("%s %s: %v", profile.SchedulerName, legacy.AlwaysCheckAllPredicates, all))
		}
	}
	for _, x := range policy.Extenders {
		r.Details = append(r.Details, describeExtender(x))
	}
	for _, w := range policy.Warnings {
		r.Warnings = append(r.Warnings, w.Error())
	}
	if policy.Skipped != "" {
		r.Skipped = []string{policy.Skipped}
	}
	return r, nil
}

// describeRow returns the plugins of one extension point as text, with the weights of score plugins.
func describeRow(row config.Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s:", row.Profile, row.Point)
	for i, ref := range row.Plugins {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(" " + ref.Name)
		if ref.Weight > 0 {
			fmt.Fprintf(&b, " %d", ref.Weight)
		}
	}
	return b.String()
}
