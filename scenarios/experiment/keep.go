package experiment

import (
	"context"
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
	"github.com/berth-sim/berth/sim/files/atomicfile"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

// Keep is a file that keeps the result of a run, so that a study can go on where it was
// interrupted.
type Keep struct {
	Path   string
	Schema string // goes up when results of older files are worth nothing
	Inputs string // Fingerprint of what the run is made from
}

// kept is the file as it is written.
type kept struct {
	Schema string          `json:"schema"`
	Inputs string          `json:"inputs"`
	Result json.RawMessage `json:"result"`
}

// Fingerprint is a hash of the recipe of a run, of the files that it was read from, and of what else its result
// depends on, the version of the program among it. Where the files are does not matter.
func Fingerprint(run *scenarios.Run, inputs []scenarios.Input, others ...any) string {
	sum := sha256.New()
	settings := run.Recipe
	settings.Policy = "" // a path; the policy's file is among the inputs
	if err := json.NewEncoder(sum).Encode(settings); err != nil {
		panic(err) // a recipe has nothing that JSON lacks
	}
	fmt.Fprintln(sum, others...)
	for _, in := range inputs {
		fmt.Fprintln(sum, in.SHA256)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Read fills in the result that is kept. It says false where there is none of this run: no
// file, one of other inputs, or one that was cut.
func (k Keep) Read(result any) (bool, error) {
	text, err := os.ReadFile(k.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var file kept
	if err := json.Unmarshal(text, &file); err != nil || file.Schema != k.Schema || file.Inputs != k.Inputs {
		return false, nil
	}
	return json.Unmarshal(file.Result, result) == nil, nil
}

// Write keeps a result.
func (k Keep) Write(result any) error {
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(k.Path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(k.Path, func(w io.Writer) error {
		return json.NewEncoder(w).Encode(kept{k.Schema, k.Inputs, text})
	})
}

// Follow plays a run to its end for somebody who observes its records and nothing else: without
// samples, ledger and files. It closes nothing. An interrupted run is an error, the cause.
func Follow(ctx context.Context, run *scenarios.Run, observe func(*record.Record)) error {
	cfg := run.Config
	cfg.SampleEvery, cfg.Probe, cfg.Record = 0, nil, observe
	ended, err := world.New(cfg).Run(ctx)
	if err == nil && ended == "interrupted" {
		err = context.Cause(ctx)
	}
	return err
}
