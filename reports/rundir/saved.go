package rundir

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Bounds of the files of a run directory, so that a file which berth has not written costs little before it is refused.
const (
	maxJSON   = 64 << 20 // bytes of manifest.json and of summary.json
	maxSeries = 1 << 30  // bytes of timeseries.csv
	maxDepth  = 16       // levels of JSON
	maxPath   = 4096     // bytes of the keys that lead to a value
	maxValues = 1_000_000
)

// readFile reads a file of at most that many bytes.
func readFile(path string, limit int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s: is larger than %d MiB: berth has not written it", path, limit>>20)
	}
	return text, nil
}

// savedValue is a value of a JSON file.
type savedValue struct {
	text string // as it is written; strings without quotes
	line int
}

// readJSON reads the plain values of an object, each by the path of its keys. The value
// of one key must be the schema.
func readJSON(path string, text []byte, key, schema string) (map[string]savedValue, error) {
	w := jsonWalk{d: json.NewDecoder(bytes.NewReader(text)), text: text, values: map[string]savedValue{}}
	w.d.UseNumber()
	if err := w.value("", 0); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the file is truncated")
		}
		return nil, fmt.Errorf("%s:%d: %w", path, w.line(), err)
	}
	switch is, ok := w.values[key]; {
	case !ok:
		return nil, fmt.Errorf("%s:1: %s is missing", path, key)
	case is.text != schema:
		return nil, fmt.Errorf("%s:%d: %s: %q is not %q, which this berth reads", path, is.line, key, is.text, schema)
	}
	return w.values, nil
}

// jsonWalk gathers the plain values of a JSON text.
type jsonWalk struct {
	d      *json.Decoder
	text   []byte
	values map[string]savedValue

	counted int64 // how far newlines have been counted
	lines   int
}

// line is the line that was read last.
func (w *jsonWalk) line() int {
	at := w.d.InputOffset()
	w.lines += bytes.Count(w.text[w.counted:at], []byte("\n"))
	w.counted = at
	return 1 + w.lines
}

// value reads a value, of an object or a list all that is in it.
func (w *jsonWalk) value(path string, depth int) error {
	switch {
	case depth > maxDepth:
		return fmt.Errorf("is nested more than %d levels deep: berth has not written it", maxDepth)
	case len(path) > maxPath:
		return fmt.Errorf("has keys of more than %d bytes: berth has not written it", maxPath)
	case len(w.values) > maxValues:
		return fmt.Errorf("has more than %d values: berth has not written it", maxValues)
	}
	token, err := w.d.Token()
	if err != nil {
		return err
	}
	open, nested := token.(json.Delim)
	if !nested {
		w.values[path] = savedValue{text: fmt.Sprint(token), line: w.line()}
		return nil
	}
	for i := 0; w.d.More(); i++ {
		key := fmt.Sprint(i)
		if open == '{' {
			name, err := w.d.Token()
			if err != nil {
				return err
			}
			key = name.(string)
		}
		if path != "" {
			key = path + "." + key
		}
		if err := w.value(key, depth+1); err != nil {
			return err
		}
	}
	_, err = w.d.Token()
	return err
}
