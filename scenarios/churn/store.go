package churn

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

	"github.com/berth-sim/berth/reports/steady"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/atomicfile"
)

// store is the file that keeps the result of a run.
type store struct {
	path        string
	fingerprint string // of what the run is made from
}

// storeSchema goes up when results of older files are worth nothing.
const storeSchema = "berth/fgd-dynamic/v1"

// fingerprint is that of the seed, of all that the run was read from, and of the warm-up.
func fingerprint(run *scenarios.Run, warmUp scenarios.Duration) string {
	sum := sha256.New()
	fmt.Fprintln(sum, storeSchema, run.Seed, int64(warmUp))
	for _, in := range run.Inputs {
		fmt.Fprintln(sum, in.SHA256)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// kept is the file as it is written.
type kept struct {
	Schema string         `json:"schema"`
	Inputs string         `json:"inputs"` // fingerprint
	Result *steady.Result `json:"result"`
}

// read returns the result that is kept, nil if there is none of this run.
func (s store) read() (*steady.Result, error) {
	text, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var k kept
	if err := json.Unmarshal(text, &k); err != nil || k.Schema != storeSchema || k.Inputs != s.fingerprint {
		return nil, nil // of other inputs, or cut: it is played again
	}
	return k.Result, nil
}

func (s store) write(r *steady.Result) error {
	text, err := json.Marshal(kept{Schema: storeSchema, Inputs: s.fingerprint, Result: r})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o755); err != nil {
		return err
	}
	return writeFile(s.path, string(text)+"\n")
}

func writeFile(path, text string) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}
