package output

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
)

// WriteJSON writes a value as indented JSON. It does not escape HTML.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Number is a number that JSON encodes as FormatNumber does, or as null if it is not finite.
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

// String returns the number for CSV. It is empty if the number is not finite.
func (n Number) String() string {
	if v := float64(n); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return FormatNumber(v)
	}
	return ""
}

// FormatNumber returns the shortest text that parses to the same number.
func FormatNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
