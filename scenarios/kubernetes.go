package scenarios

import (
	"fmt"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/release"
)

// follow chooses the rules by the options, or else by the scenario. What the options leave out and the scenario gives wrongly is an
// error of its field.
func (b *buildState) follow() {
	settings, file := b.o.Release(), b.s.File
	given := settings
	if settings.Kubernetes == "" && file.Kubernetes != nil {
		settings.Kubernetes = file.Kubernetes.String()
	}
	if settings.FeatureGates == nil {
		settings.FeatureGates = file.FeatureGates
	}
	if settings.Rules == nil {
		settings.Rules = file.Rules
	}
	var err error
	if b.release, b.rules, err = settings.Resolve(); err != nil {
		b.rules = new(b.release.Rules())
		if at := b.releaseField(err, given); at.Exists() {
			if !b.reported(at) {
				b.faults.Add(at, "", "%v", err)
			}
		} else {
			b.faults.Append(releaseFlag(err))
		}
	}
	b.o.Kubernetes, b.o.FeatureGates, b.o.Rules = b.release.String(), settings.FeatureGates, settings.Rules
	b.warnings = append(b.warnings, withoutEffect(settings, b.release)...)
	b.loader.Follow(b.release, b.rules)
}

// follow chooses the rules by the options.
func (s *Snapshot) follow() error {
	settings := s.options.Release()
	followed, rules, err := settings.Resolve()
	if err != nil {
		return releaseFlag(err)
	}
	s.rules, s.warnings = rules, withoutEffect(settings, followed)
	s.loader.Follow(followed, rules)
	return nil
}

// NewestKubelet returns the minor release of the newest kubelet, and false if no node says its own. The control plane is of
// that release or a newer one.
func NewestKubelet(nodes []manifest.Node) (minor int, said bool) {
	minor = -1
	for _, n := range nodes {
		text := n.At.Get("status").Get("nodeInfo").Get("kubeletVersion")
		if of, ok := release.OfKubelet(text.Text()); text.Exists() && ok {
			minor = max(minor, of)
		}
	}
	return minor, minor >= 0
}

// releaseField returns the field of the scenario that the error is about. It does not exist if the options gave the value.
func (b *buildState) releaseField(err error, given release.Settings) document.Value {
	wrong, ok := err.(*release.SettingError)
	if !ok {
		return document.Value{}
	}
	if wrong.Setting == release.FeatureGatesSetting && given.FeatureGates == nil || wrong.Setting == release.RulesSetting && given.Rules == nil {
		return b.s.root.Get(wrong.Setting).Get(wrong.Key)
	}
	return document.Value{} // the release of a scenario is checked when it is decoded
}

// releaseFlag returns the error with the flag that it is about.
func releaseFlag(err error) error {
	if wrong, ok := err.(*release.SettingError); ok {
		flag := map[string]string{
			release.KubernetesSetting: "kubernetes", release.FeatureGatesSetting: "feature-gates", release.RulesSetting: "rule",
		}[wrong.Setting]
		return fmt.Errorf("--%s: %w", flag, err)
	}
	return err
}

// withoutEffect returns a warning of the feature gates that change nothing here.
func withoutEffect(settings release.Settings, r release.Release) []string {
	if gates := settings.WithoutEffect(r); len(gates) > 0 {
		return []string{fmt.Sprintf("feature gates that change nothing that berth models: %s", strings.Join(gates, ", "))}
	}
	return nil
}
