package jsontext

import (
	"encoding/json"
	"testing"
)

func TestAppendInts(t *testing.T) {
	for _, c := range []struct {
		list []int32
		want string
	}{{nil, "x[]"}, {[]int32{7}, "x[7]"}, {[]int32{1, -2, 3}, "x[1,-2,3]"}} {
		if got := string(AppendInts([]byte("x"), c.list)); got != c.want {
			t.Errorf("AppendInts(%v) = %s, want %s", c.list, got, c.want)
		}
	}
}

func TestStringsReadBackAsWritten(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `""`}, {"plain", `"plain"`}, {"<a&b>", `"<a&b>"`}, {"é", `"é"`}, {"a\"b\\c\n", `"a\"b\\c\n"`}, {"\x01", `"\u0001"`},
	} {
		got := Quote(c.text)
		var back string
		if err := json.Unmarshal([]byte(got), &back); err != nil || back != c.text || got != c.want {
			t.Errorf("Quote(%q) = %s, want %s; it reads back as %q (%v)", c.text, got, c.want, back, err)
		}
	}
}
