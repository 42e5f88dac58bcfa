package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestColor: colors are for terminals, or for who asks for them.
func TestColor(t *testing.T) {
	for _, c := range []struct {
		args     string
		terminal bool
		want     bool
	}{
		{"", false, false}, {"", true, true}, {"--color auto", false, false}, {"--color always", false, true},
		{"--color never", true, false}, {"--color always --format json", true, false}, {"--color always --format csv", true, false},
	} {
		var out, err bytes.Buffer
		args := append([]string{"metrics"}, strings.Fields(c.args)...)
		if code := execute(t.Context(), args, streams{out: &out, err: &err, width: 80, isColored: c.terminal}); code != exitDone {
			t.Fatalf("%q: exit %d: %s", args, code, &err)
		}
		if got := strings.Contains(out.String(), "\x1b["); got != c.want {
			t.Errorf("%q, terminal: %v; colors: %v", args, c.terminal, got)
		}
	}
}

// TestNoColor: the variable takes effect, whatever it is set to.
func TestNoColor(t *testing.T) {
	t.Setenv("NO_COLOR", "0")
	if systemStreams().isColored {
		t.Error("NO_COLOR changes nothing")
	}
}
