package release

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Settings choose the rules of a run.
type Settings struct {
	Kubernetes   string            // a release; empty for the newest
	FeatureGates map[string]bool   // those that are not at their defaults
	Rules        map[string]string // values of single rules, over all else
}

// The settings by their names in files.
const (
	KubernetesSetting   = "kubernetes"
	FeatureGatesSetting = "featureGates"
	RulesSetting        = "rules"
)

// SettingError is the error of one setting.
type SettingError struct {
	Setting string // one of the names above
	Key     string // the gate or the rule
	err     error
}

// Error returns what is wrong, without the setting.
func (e *SettingError) Error() string { return e.err.Error() }

// Resolve returns the release and its rules with the gates and the single rules of the settings. The error is a
// *SettingError; the release is then still the one that is named, or the newest.
func (s Settings) Resolve() (Release, *Rules, error) {
	r := Newest()
	if s.Kubernetes != "" {
		parsed, err := Parse(s.Kubernetes)
		if err != nil {
			return r, nil, &SettingError{KubernetesSetting, "", err}
		}
		r = parsed
	}
	rules := r.Rules()
	for _, gate := range slices.Sorted(maps.Keys(s.FeatureGates)) {
		on := s.FeatureGates[gate]
		if err := r.CheckGate(gate, on); err != nil {
			return r, nil, &SettingError{FeatureGatesSetting, gate, err}
		}
		if g, _ := r.Gate(gate); on != g.Default && switches[gate] != nil {
			switches[gate](&rules, r, on)
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(s.Rules)) {
		if err := rules.Set(rule, s.Rules[rule]); err != nil {
			return r, nil, &SettingError{RulesSetting, rule, err}
		}
	}
	return r, &rules, nil
}

// String returns the release with the gates and the rules that are set: 1.37 with StorageCapacityScoring=false.
func (s Settings) String() string {
	var set []string
	for _, text := range []string{s.Gates(), s.SingleRules()} {
		if text != "" {
			set = append(set, text)
		}
	}
	if len(set) == 0 {
		return s.Kubernetes
	}
	return s.Kubernetes + " with " + strings.Join(set, ",")
}

// Gates returns the feature gates as text: Name=true,Other=false.
func (s Settings) Gates() string { return pairs(s.FeatureGates) }

// SingleRules returns the single rules as text: name=value,other=value.
func (s Settings) SingleRules() string { return pairs(s.Rules) }

func pairs[V any](of map[string]V) string {
	var words []string
	for _, key := range slices.Sorted(maps.Keys(of)) {
		words = append(words, fmt.Sprintf("%s=%v", key, of[key]))
	}
	return strings.Join(words, ",")
}

// WithoutEffect returns the gates that are not at their defaults and change nothing that is modeled.
func (s Settings) WithoutEffect(r Release) []string {
	var names []string
	for _, gate := range slices.Sorted(maps.Keys(s.FeatureGates)) {
		if g, exists := r.Gate(gate); exists && g.Default != s.FeatureGates[gate] && switches[gate] == nil {
			names = append(names, fmt.Sprintf("%s=%t", gate, s.FeatureGates[gate]))
		}
	}
	return names
}
