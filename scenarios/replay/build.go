// Package replay runs a saved run again from its manifest, to check that it comes out the same. It also makes runs to
// explain an attempt in detail, which a log does not hold: of a saved run, or of a scenario.
package replay

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/scenarios"
)

// Build builds a saved run again from its manifest. Paths of inputs are relative to the directory that the run was
// made in. An input that does not exist or has changed is an error, and so is one that the saved run did not have.
func Build(m *rundir.Manifest) (*scenarios.Run, error) {
	if err := m.CheckComplete(); err != nil {
		return nil, fmt.Errorf("its manifest %w", err)
	}
	if len(m.Inputs) == 0 {
		return nil, errors.New("its manifest names no inputs")
	}
	for _, in := range m.Inputs {
		if err := checkInput(in); err != nil {
			return nil, err
		}
	}
	scenario, err := scenarios.Load(m.Inputs[0].Path)
	if err != nil {
		return nil, err
	}
	run, err := scenario.Build(scenarios.Options{Recipe: m.Recipe})
	if err != nil {
		return nil, err
	}
	for _, in := range run.Inputs {
		if !slices.Contains(m.Inputs, rundir.Input(in)) {
			run.Close()
			return nil, fmt.Errorf("%s is an input now and was not an input of the run: remove it", in.Path)
		}
	}
	return run, nil
}

// checkInput returns an error if an input does not exist, or is not what it was.
func checkInput(in rundir.Input) error {
	sum := sha256.New()
	if name, is := strings.CutPrefix(in.Path, scenarios.EnvironmentInput); is {
		io.WriteString(sum, os.Getenv(name)) // a hash takes everything
	} else {
		file, err := os.Open(in.Path)
		if errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s does not exist", in.Path)
		}
		if err != nil {
			return err
		}
		defer file.Close()
		if _, err := io.Copy(sum, file); err != nil {
			return err
		}
	}
	if hex.EncodeToString(sum.Sum(nil)) != in.SHA256 {
		return fmt.Errorf("%s has changed since the run", in.Path)
	}
	return nil
}
