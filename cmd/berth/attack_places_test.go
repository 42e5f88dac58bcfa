package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// places put something in the place of a file that is not a file with a text.
var places = map[string]func(path string) error{
	"a directory":          func(path string) error { return os.Mkdir(path, 0o755) },
	"a link to itself":     func(path string) error { return os.Symlink(filepath.Base(path), path) },
	"a link to its folder": func(path string) error { return os.Symlink(".", path) },
	"a link to nothing":    func(path string) error { return os.Symlink("nothing", path) },
	"nothing":              func(string) error { return nil },
	"an unreadable file":   func(path string) error { return os.WriteFile(path, []byte("x"), 0) },
}

// TestBadPlaces puts what is not a file in the place of every file that berth reads, and gives it to every command that reads it.
func TestBadPlaces(t *testing.T) {
	good := t.TempDir()
	all := writeGood(t, good)
	t.Chdir(t.TempDir())
	if err := os.Symlink(good, "good"); err != nil {
		t.Fatal(err)
	}
	for how, put := range places {
		for _, v := range all {
			for _, command := range v.commands {
				a := attack{victim: v, how: how, command: command}
				if err := a.write(); err != nil {
					t.Fatal(err)
				}
				if err := os.Remove(a.path()); err != nil {
					t.Fatal(err)
				}
				if err := put(a.path()); err != nil {
					t.Fatal(err)
				}
				for _, fault := range a.faults(t.Context()) {
					t.Errorf("berth %s, %s in its place: %s", strings.Join(a.args(), " "), how, fault)
				}
				if err := os.RemoveAll("bad"); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
