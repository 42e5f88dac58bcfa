package conformance

import (
	"os"
	"strings"
	"testing"
)

func TestZZOne(t *testing.T) {
	for _, f := range strings.Fields(os.Getenv("CASES")) {
		c, err := ReadCase(f)
		if err != nil {
			t.Fatal(err)
		}
		what, _ := c.finding()
		t.Log(f, what.kind, what.text)
	}
}
