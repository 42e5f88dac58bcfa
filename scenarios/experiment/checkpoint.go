package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/sim/files/atomicfile"
)

// Checkpoint is a file with the result of one run. A study that was interrupted loads the results of the runs that it
// has finished and makes only the others.
type Checkpoint struct {
	Path   string
	Schema string // version of the result's type; a file of another version is not loaded
	Inputs string // Fingerprint of the run
}

// checkpointFile is the content of the file.
type checkpointFile struct {
	Schema string          `json:"schema"`
	Inputs string          `json:"inputs"`
	Result json.RawMessage `json:"result"`
}

// Fingerprint returns a hash of everything that the result of a run depends on: its recipe, the content of its input
// files, and others, such as the version of the program. The paths of the files do not count.
func Fingerprint(run *scenarios.Run, inputs []scenarios.Input, others ...any) string {
	sum := sha256.New()
	settings := run.Recipe
	_, settings.Policy = config.Split(settings.Policy) // the policy's file is among the inputs
	text, err := json.Marshal(settings)
	if err != nil {
		panic(err) // every field of a recipe can be encoded
	}
	fmt.Fprintln(sum, string(text))
	fmt.Fprintln(sum, others...)
	for _, in := range inputs {
		fmt.Fprintln(sum, in.SHA256)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Load decodes the stored result into result. It reports false if there is no result of this run: the file does not
// exist, has another schema or other inputs, or is damaged.
func (c Checkpoint) Load(result any) (bool, error) {
	text, err := os.ReadFile(c.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var file checkpointFile
	if err := json.Unmarshal(text, &file); err != nil || file.Schema != c.Schema || file.Inputs != c.Inputs {
		return false, nil
	}
	return json.Unmarshal(file.Result, result) == nil, nil
}

// Save writes the result to the file, and creates its directory if need be.
func (c Checkpoint) Save(result any) error {
	value, err := json.Marshal(result)
	if err != nil {
		return err
	}
	text, err := json.Marshal(checkpointFile{c.Schema, c.Inputs, value})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.Path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(c.Path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
