package scenarios

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
)

// exclusion leaves out files and directories that match one of several patterns, and counts them. A nil exclusion leaves
// nothing out.
type exclusion struct {
	patterns []string
	counts   []int // of the files and directories that each pattern has left out
}

// newExclusion reads patterns, as filepath.Match takes them.
func newExclusion(patterns []string) (*exclusion, error) {
	for _, pattern := range patterns {
		if _, err := filepath.Match(pattern, ""); err != nil || pattern == "" {
			return nil, fmt.Errorf("--exclude: %q is not a pattern of file names: give a name, a path or a pattern such as *.json", pattern)
		}
	}
	return &exclusion{patterns, make([]int, len(patterns))}, nil
}

// matches reports whether a file or directory is left out: its path matches a pattern, or its name does.
func (x *exclusion) matches(path string) bool {
	if x == nil {
		return false
	}
	path = filepath.Clean(path)
	for i, pattern := range x.patterns {
		pattern = filepath.Clean(strings.TrimPrefix(pattern, "**/"))
		for _, text := range []string{path, filepath.Base(path)} {
			if matched, err := filepath.Match(pattern, text); err == nil && matched {
				x.counts[i]++
				return true
			}
		}
	}
	return false
}

// unused reports whether nothing is left out.
func (x *exclusion) unused() bool {
	return x == nil || !slices.ContainsFunc(x.counts, func(n int) bool { return n > 0 })
}

// warnings returns a line for each pattern.
func (x *exclusion) warnings() []string {
	var out []string
	for i, pattern := range x.patterns {
		if x.counts[i] == 0 {
			out = append(out, fmt.Sprintf("exclude: no file or directory matches %q", pattern))
			continue
		}
		out = append(out, fmt.Sprintf("left out, as asked: %s matching %q", human.Counted(x.counts[i], "path"), pattern))
	}
	return out
}
