package rundir

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"
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

// position is a place in a text.
type position struct {
	line, col int // 1-based; the line is 0 for what is not there
}

func (p position) String() string { return fmt.Sprintf("%d:%d", p.line, p.col) }

// savedValue is a value of a JSON file.
type savedValue struct {
	text string // as it is written; strings without quotes
	position
}

// readJSON reads the plain values of an object, each by the path of its keys. The value
// of one key must be the schema.
func readJSON(path string, text []byte, key, schema string) (map[string]savedValue, error) {
	w := jsonWalk{d: json.NewDecoder(bytes.NewReader(text)), text: text, values: map[string]savedValue{}}
	w.d.UseNumber()
	if err := w.value("", 0); err != nil {
		at := w.d.InputOffset()
		if wrong := new(json.SyntaxError); errors.As(err, &wrong) {
			at = max(at, wrong.Offset-1)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			at, err = int64(len(bytes.TrimRight(text, " \n"))), errors.New("the file is truncated")
		}
		return nil, fmt.Errorf("%s:%v: %w", path, w.position(at), err)
	}
	switch is, ok := w.values[key]; {
	case !ok:
		return nil, fmt.Errorf("%s:1:1: %s is missing", path, key)
	case is.text != schema:
		return nil, fmt.Errorf("%s:%v: %s: %q is not %q, which this berth reads", path, is.position, key, is.text, schema)
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
	start   int64 // of the line that was counted last
}

// position is the place of an offset, which must not be before that of an earlier call.
func (w *jsonWalk) position(at int64) position {
	at = min(max(at, w.counted), int64(len(w.text)))
	passed := w.text[w.counted:at]
	w.lines += bytes.Count(passed, []byte("\n"))
	if i := bytes.LastIndexByte(passed, '\n'); i >= 0 {
		w.start = w.counted + int64(i) + 1
	}
	w.counted = at
	return position{1 + w.lines, 1 + utf8.RuneCount(w.text[w.start:at])}
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
	before := w.d.InputOffset()
	token, err := w.d.Token()
	if err != nil {
		return err
	}
	open, nested := token.(json.Delim)
	if !nested {
		before += int64(len(w.text[before:]) - len(bytes.TrimLeft(w.text[before:], ": ,\t\r\n")))
		w.values[path] = savedValue{fmt.Sprint(token), w.position(before)}
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
