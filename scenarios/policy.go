package scenarios

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/sim/files/document"
)

// policyReader reads the policy.
type policyReader struct{ *buildState }

// read reads the policy that the options name, or else the scenario, or else kube-scheduler's defaults.
func (b policyReader) read() config.Policy {
	path := b.o.Policy
	if v := b.s.root.Get("policy"); path == "" && v.Exists() && v.Kind() == document.String && v.Text() == "" {
		b.faults.Add(v, "", "must be the path of a policy; without the field it is kube-scheduler's defaults")
		return config.Policy{}
	}
	if path == "" && b.s.File.Policy != "" {
		if path = b.s.resolve(b.s.File.Policy); path == DefaultPolicy {
			path = "." + string(filepath.Separator) + path // a file, whatever its name
		}
	}
	if path == "" || b.o.Policy == DefaultPolicy {
		policy, err := b.reader().Default()
		b.faults.Append(err)
		b.warnOf(policy)
		return policy
	}
	file, _ := config.Split(path)
	if _, err := os.Stat(file); err != nil && b.o.Policy == "" {
		b.faults.Add(b.s.root, "policy", "cannot be read: %v", document.FileError(err))
		return config.Policy{}
	}
	policy, err := b.reader().Read(path)
	if err != nil {
		b.faults.Append(err)
		return policy
	}
	for _, file := range slices.Concat([]string{policy.File}, policy.Files) {
		b.faults.Append(b.inputs.add(file))
	}
	for _, setting := range policy.Environment {
		b.inputs.addSetting(setting)
	}
	b.warnOf(policy)
	return policy
}

func (b policyReader) warnOf(policy config.Policy) {
	for _, w := range policy.Warnings {
		b.warnings = append(b.warnings, w.Error())
	}
}

func (b policyReader) reader() config.Reader {
	return config.Reader{Registry: b.registry, Affinity: b.loader.NodeAffinity, Vocabulary: b.cluster.Vocabulary, Drop: b.drop(), Rules: b.rules}
}

// drop returns the plugins that the options leave out, or else the scenario.
func (b policyReader) drop() []string {
	if b.o.DropPlugins != nil {
		return b.o.DropPlugins
	}
	return b.s.File.DropPlugins
}
