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

// step says what changes between the releases, and which rules change it.
func (a *attribution) step(ctx context.Context, renewed *side) (*upgrades.Step, error) {
	s := &upgrades.Step{From: a.from.String(), To: a.to.String(), Change: change(a.old, renewed), Parting: parting(a.old, renewed)}
	differing := release.Differences(&a.fromRules, &a.toRules)
	if firstDifference(a.old, renewed) < 0 {
		s.Idle = differing
		return s, nil
	}
	alone, together, err := a.effective(ctx, differing)
	if err != nil {
		return nil, err
	}
	s.Together = together
	all := slices.Concat(append([][]string{alone}, together...)...)
	for _, rule := range differing {
		if !slices.Contains(all, rule) {
			s.Idle = append(s.Idle, rule)
		}
	}
	s.Rules = make([]upgrades.RuleEffect, len(alone))
	outcomes := make([]*side, len(alone))
	faults := make([]error, len(alone))
	parallel.Each(len(alone), func(i int) { outcomes[i], _, faults[i] = a.play(ctx, a.settings(alone[i:i+1]), nil) })
	for i, rule := range alone {
		if faults[i] != nil {
			return nil, faults[i]
		}
		s.Rules[i] = a.effect(rule, outcomes[i])
	}
	joint := renewed
	switch {
	case len(s.Idle) == 0: // it is the new release
	case len(all) == 1:
		joint = outcomes[0]
	default:
		if joint, _, err = a.play(ctx, a.settings(all), nil); err != nil {
			return nil, err
		}
	}
	s.Rest = firstDifference(joint, renewed) >= 0
	return s, nil
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
	e.Change, e.Parting = change(a.old, outcome), parting(a.old, outcome)
	return e
}
