package conformance

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Directed is where the main module keeps cases that releases decide differently: a rule that changed each. Beside the
// case is what kube-scheduler decides of it, in a file for the oldest release and for each that decides otherwise than
// the one before it. The case says in a comment which these are, as in "# Changes: 1.34, 1.37".
const Directed = "../cmd/berth/testdata/releases"

// WriteDirected writes the decisions of all releases on the directed cases.
func WriteDirected(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return err
	}
	for _, file := range old {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	before := map[string]string{} // by case
	for _, release := range Releases {
		if err := writeDecisions(release, files, before); err != nil {
			return fmt.Errorf("kube-scheduler %s: %w", release, err)
		}
	}
	var faults []error
	for _, file := range files {
		faults = append(faults, checkChanges(file))
	}
	return errors.Join(faults...)
}

// writeDecisions writes what a release decides otherwise than before.
func writeDecisions(release string, files []string, before map[string]string) error {
	k, err := StartKube(release)
	if err != nil {
		return err
	}
	for _, file := range files {
		c, err := ReadCase(file)
		if err != nil {
			return err
		}
		decisions, err := c.Decisions(k)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if decisions == before[file] {
			continue
		}
		before[file] = decisions
		if err := os.WriteFile(decisionsFile(file, release), []byte(decisions), 0o644); err != nil {
			return err
		}
	}
	return k.Close()
}

func decisionsFile(file, release string) string {
	return strings.TrimSuffix(file, ".yaml") + "." + release + ".txt"
}

// checkChanges compares the releases that decide a case otherwise with those that the case says.
func checkChanges(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	_, line, _ := strings.Cut(string(text), "\n# Changes: ")
	line, _, _ = strings.Cut(line, "\n")
	var found []string
	for _, release := range Releases[1:] {
		if _, err := os.Stat(decisionsFile(file, release)); err == nil {
			found = append(found, release)
		}
	}
	if says := strings.Split(line, ", "); !slices.Equal(says, found) {
		return fmt.Errorf("%s says that releases %v decide otherwise than the one before; %v do", file, says, found)
	}
	return nil
}

// decisionsOf are the recorded decisions of a release on a directed case.
func decisionsOf(file, release string) (string, error) {
	for i := slices.Index(Releases, release); i >= 0; i-- {
		text, err := os.ReadFile(decisionsFile(file, Releases[i]))
		if !errors.Is(err, os.ErrNotExist) {
			return string(text), err
		}
	}
	return "", fmt.Errorf("%s: there are no decisions; make conformance-goldens writes them", file)
}
