package upgrade

import (
	"context"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/upgrades"
	"github.com/berth-sim/berth/sim/files/parallel"
	"github.com/berth-sim/berth/sim/model/release"
)

// attribution finds out which of the rules that differ between two releases make a difference. It changes rules in the
// old release to their values in the new one. Half of the rules at a time are changed first: if that changes nothing,
// none of them does by itself.
type attribution struct {
	from, to  release.Release
	old       *side
	play      runner
	fromRules release.Rules
	toRules   release.Rules
}

// runner runs the input under settings. If against is not nil, it stops at the first event that differs, and whole is
// false.
type runner func(ctx context.Context, s release.Settings, against *side) (outcome *side, whole bool, err error)

// settings returns the old release with some rules of the new one.
func (a *attribution) settings(rules []string) release.Settings {
	s := release.Settings{Kubernetes: a.from.String(), Rules: map[string]string{}}
	for _, rule := range rules {
		s.Rules[rule] = a.toRules.Value(rule)
	}
	return s
}

// matters reports whether the rules together make a difference.
func (a *attribution) matters(ctx context.Context, rules []string) (bool, error) {
	outcome, whole, err := a.play(ctx, a.settings(rules), a.old)
	return err == nil && (!whole || firstDifference(a.old, outcome) >= 0), err
}

// effective returns those of the rules that make a difference by themselves, and sets of them that do so only together.
func (a *attribution) effective(ctx context.Context, rules []string) (alone []string, together [][]string, err error) {
	if len(rules) == 0 {
		return nil, nil, nil
	}
	does, err := a.matters(ctx, rules)
	switch {
	case err != nil || !does:
		return nil, nil, err
	case len(rules) == 1:
		return rules, nil, nil
	}
	halves := [2][]string{rules[:len(rules)/2], rules[len(rules)/2:]}
	var found [2][]string
	var sets [2][][]string
	var faults [2]error
	parallel.Each(2, func(i int) { found[i], sets[i], faults[i] = a.effective(ctx, halves[i]) })
	for _, err := range faults {
		if err != nil {
			return nil, nil, err
		}
	}
	alone, together = slices.Concat(found[0], found[1]), slices.Concat(sets[0], sets[1])
	if len(alone)+len(together) == 0 {
		set, err := a.smallest(ctx, rules)
		return nil, [][]string{set}, err
	}
	return alone, together, nil
}

// smallest removes rules from a set as long as the rest makes a difference.
func (a *attribution) smallest(ctx context.Context, rules []string) ([]string, error) {
	set := slices.Clone(rules)
	for i := 0; i < len(set); {
		rest := slices.Delete(slices.Clone(set), i, i+1)
		does, err := a.matters(ctx, rest)
		switch {
		case err != nil:
			return nil, err
		case does:
			set = rest
		default:
			i++
		}
	}
	return set, nil
}

// commonRules concern pods without rare fields, those that change decisions first. They are tried one by one.
var commonRules = []string{
	"balance", "backoffCounts", "terminatingEvictedAgain", "nominatedBindWakes", "hopelessFitIsFinal", "taintNamed", "claimsMessage",
}

// step says what changes between the releases, and which rules change it.
func (a *attribution) step(ctx context.Context, renewed *side) (*upgrades.Step, error) {
	s := &upgrades.Step{From: a.from.String(), To: a.to.String(), Change: change(a.old, renewed), Divergence: divergence(a.old, renewed)}
	differing := release.Differences(&a.fromRules, &a.toRules)
	if s.Idle = differing; firstDifference(a.old, renewed) < 0 {
		return s, nil
	}
	explained, left, err := a.common(ctx, s, differing, renewed)
	if err != nil {
		return nil, err
	}
	if !explained {
		if err := a.others(ctx, s, left, renewed); err != nil {
			return nil, err
		}
	}
	s.Idle = slices.DeleteFunc(differing, func(rule string) bool { return slices.Contains(rulesOf(s), rule) })
	return s, nil
}

// common tries the common rules one by one, until those that make a difference explain the new outcome. left are the rules
// that have not been tried.
func (a *attribution) common(ctx context.Context, s *upgrades.Step, differing []string, renewed *side) (explained bool, left []string, err error) {
	left = slices.Clone(differing)
	for _, rule := range commonRules {
		at := slices.Index(left, rule)
		if at < 0 {
			continue
		}
		left = slices.Delete(left, at, at+1)
		outcome, _, err := a.play(ctx, a.settings([]string{rule}), nil)
		if err != nil {
			return false, nil, err
		}
		if firstDifference(a.old, outcome) < 0 {
			continue
		}
		s.Rules = append(s.Rules, a.effect(rule, outcome))
		if explained, err = a.explains(ctx, s, outcome, renewed); explained || err != nil {
			return explained, left, err
		}
	}
	return false, left, nil
}

// others finds the rules that make a difference among those that have not been tried.
func (a *attribution) others(ctx context.Context, s *upgrades.Step, left []string, renewed *side) error {
	alone, together, err := a.effective(ctx, left)
	if err != nil {
		return err
	}
	s.Together = together
	var last *side
	for _, rule := range alone {
		if last, _, err = a.play(ctx, a.settings([]string{rule}), nil); err != nil {
			return err
		}
		s.Rules = append(s.Rules, a.effect(rule, last))
	}
	explained, err := a.explains(ctx, s, last, renewed)
	if !explained && err == nil && len(together) == 0 {
		err = a.amongTried(ctx, s, renewed)
		return err
	}
	s.Rest = !explained
	return err
}

// amongTried looks for sets of all rules that make a difference only together, where single rules do not explain the whole.
func (a *attribution) amongTried(ctx context.Context, s *upgrades.Step, renewed *side) error {
	differing := release.Differences(&a.fromRules, &a.toRules)
	idle := slices.DeleteFunc(slices.Clone(differing), func(rule string) bool { return slices.Contains(rulesOf(s), rule) })
	does, err := a.matters(ctx, idle)
	if err != nil {
		return err
	}
	if does {
		set, err := a.smallest(ctx, idle)
		if err != nil {
			return err
		}
		s.Together = append(s.Together, set)
	}
	explained, err := a.explains(ctx, s, nil, renewed)
	s.Rest = !explained
	return err
}

// explains reports whether the rules that are known to make a difference give the new outcome. only is the outcome of a
// single one of them; it may be nil.
func (a *attribution) explains(ctx context.Context, s *upgrades.Step, only, renewed *side) (bool, error) {
	rules := rulesOf(s)
	joint := only
	if len(rules) != 1 || only == nil {
		var err error
		if joint, _, err = a.play(ctx, a.settings(rules), renewed); err != nil {
			return false, err
		}
	}
	return firstDifference(joint, renewed) < 0, nil
}

// rulesOf returns the rules that are known to make a difference, alone or together.
func rulesOf(s *upgrades.Step) []string {
	all := slices.Concat(s.Together...)
	for i := range s.Rules {
		all = append(all, s.Rules[i].Rule)
	}
	return all
}

// effect describes what one rule changes by itself.
func (a *attribution) effect(rule string, outcome *side) upgrades.RuleEffect {
	e := upgrades.RuleEffect{Rule: rule, Values: [2]string{a.fromRules.Value(rule), a.toRules.Value(rule)}}
	for _, row := range release.Table() {
		if row.Name != rule {
			continue
		}
		e.Meaning = strings.TrimSuffix(row.Meaning, ".")
		for _, v := range row.Values {
			for k := range e.Values {
				if v.Name == e.Values[k] {
					e.Meanings[k] = v.Meaning
				}
			}
		}
	}
	e.Change, e.Divergence = change(a.old, outcome), divergence(a.old, outcome)
	return e
}
