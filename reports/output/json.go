package output

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
)

// WriteJSON writes a value as indented JSON, as all of berth's documents are written.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Number is a number in JSON: null where it is not finite, and with no more digits than it takes to read it back.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if text := n.String(); text != "" {
		return []byte(text), nil
	}
	return []byte("null"), nil
}

// UnmarshalJSON implements json.Unmarshaler: null is read as NaN.
func (n *Number) UnmarshalJSON(text []byte) error {
	v := math.NaN()
	if string(text) != "null" {
		if err := json.Unmarshal(text, &v); err != nil {
			return err
		}
	}
	*n = Number(v)
	return nil
}

// String is the number as CSV has it; empty where it is not finite.
func (n Number) String() string {
	if v := float64(n); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return FormatNumber(v)
	}
	return ""
}

// FormatNumber writes the shortest text that reads back as the same number.
func FormatNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
