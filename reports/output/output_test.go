package output

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"math"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	forms := Forms{
		Table: func(width int) (string, error) {
			if width < minWidth {
				return "", errors.New("too narrow")
			}
			return "table", nil
		},
		JSON: func() any { return []Number{1, 0.5, Number(math.NaN()), Number(math.Inf(1))} },
		CSV:  func() [][]string { return [][]string{{"a", "b,c"}} },
		JUnit: func() any {
			return struct {
				XMLName xml.Name `xml:"a"`
				B       string   `xml:"b,attr"`
			}{B: "<"}
		},
		SARIF:  func() any { return "<" },
		GitHub: func() string { return "::notice::" },
	}
	for _, tt := range []struct {
		format Format
		want   string
	}{
		{Table, "table"}, {JSON, "[\n  1,\n  0.5,\n  null,\n  null\n]\n"}, {CSV, "a,\"b,c\"\n"},
		{JUnit, xml.Header + "<a b=\"&lt;\"></a>\n"}, {SARIF, "\"<\"\n"}, {GitHub, "::notice::"},
	} {
		var b strings.Builder
		if err := (View{Format: tt.format, Width: 10}).Write(&b, forms); err != nil || b.String() != tt.want {
			t.Errorf("%s: %q, %v", tt.format, b.String(), err)
		}
	}
	var read []Number
	if err := json.Unmarshal([]byte("[1, null, 2.5]"), &read); err != nil || len(read) != 3 || read[0] != 1 || !math.IsNaN(float64(read[1])) || read[2] != 2.5 {
		t.Errorf("numbers are read as %v, %v", read, err)
	}
	if err := json.Unmarshal([]byte(`["1"]`), &read); err == nil {
		t.Error("a string is read as a number")
	}
	for _, format := range []Format{Markdown, JSONL, "html"} {
		if err := (View{Format: format}).Write(&strings.Builder{}, forms); err == nil {
			t.Errorf("%s is not refused", format)
		}
	}
}
