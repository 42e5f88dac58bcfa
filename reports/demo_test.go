package reports

import (
	"os"
	"strconv"
	"testing"
)

func TestDemo(t *testing.T) {
	w, _ := strconv.Atoi(os.Getenv("W"))
	if w == 0 {
		t.Skip()
	}
	l := NewLedger()
	randomLog(1, 4000, 24, l.Observe)
	if err := l.Err(); err != nil {
		t.Log(err)
	}
	s := l.Summary(Facts{Policy: "default", Seed: 7})
	f, _ := os.Create("/tmp/f-work/out.txt")
	if err := s.Render(f, View{Format: Format(os.Getenv("F")), Width: w, All: os.Getenv("ALL") != ""}); err != nil {
		t.Fatal(err)
	}
}
