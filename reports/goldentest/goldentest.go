// Package goldentest compares what tests make with files. It writes the files in place of that when a test is run with
// -rewrite, a flag that datadriven registers: a test that uses this package must import datadriven.
package goldentest

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

// Compare fails the test if the file has not just these bytes, or writes them under -rewrite.
func Compare(t *testing.T, file string, got []byte) {
	t.Helper()
	if flag.Lookup("rewrite").Value.String() == "true" {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is out of date; rewrite it with -rewrite. It should be\n%s", file, got)
	}
}
