package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

// sources writes the files of an archive to a folder of its own, with a mode and a time.
func sources(t *testing.T, mode os.FileMode, at time.Time) []string {
	t.Helper()
	dir := t.TempDir()
	var list []string
	for name, content := range map[string]string{"berth.exe": "program", "LICENSE": "license"} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(file, []byte(content), mode), os.Chtimes(file, at, at)); err != nil {
			t.Fatal(err)
		}
		list = append(list, file)
	}
	slices.Sort(list)
	return list
}

// packed returns the bytes of an archive.
func packed(t *testing.T, pack func(*os.File, []string, time.Time) error, files []string, at time.Time) []byte {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "archive"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(pack(f, files, at), f.Close()); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestArchivesAreReproducible: where, when and with which rights the files were written makes no difference; the time of
// the commit and the content do.
func TestArchivesAreReproducible(t *testing.T) {
	commit := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	early, late := sources(t, 0o600, commit.Add(-time.Hour)), sources(t, 0o755, commit.Add(time.Hour))
	elsewhere := commit.In(time.FixedZone("elsewhere", 5*60*60))
	for name, pack := range map[string]func(*os.File, []string, time.Time) error{"tar": writeTar, "zip": writeZip} {
		first := packed(t, pack, early, commit)
		if !bytes.Equal(first, packed(t, pack, late, elsewhere)) {
			t.Errorf("%s: the same files make two archives", name)
		}
		if bytes.Equal(first, packed(t, pack, early, commit.Add(time.Minute))) {
			t.Errorf("%s: the time of the commit makes no difference", name)
		}
	}
}

// TestArchivesUnpack: the program can be run, and no folder is in the way.
func TestArchivesUnpack(t *testing.T) {
	at := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	files := sources(t, 0o600, at)
	unzipped, err := gzip.NewReader(bytes.NewReader(packed(t, writeTar, files, at)))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]os.FileMode{}
	archive := tar.NewReader(unzipped)
	for {
		head, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		found[head.Name] = head.FileInfo().Mode()
	}
	if len(found) != 2 || found["berth.exe"] != 0o755 || found["LICENSE"] != 0o644 {
		t.Errorf("tar: %v", found)
	}
	content := packed(t, writeZip, files, at)
	zipped, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	clear(found)
	for _, f := range zipped.File {
		found[f.Name] = f.Mode()
	}
	if len(found) != 2 || found["berth.exe"] != 0o755 || found["LICENSE"] != 0o644 {
		t.Errorf("zip: %v", found)
	}
}

// TestFinish: the manifest for krew and the checksums name every archive.
func TestFinish(t *testing.T) {
	r := release{dir: t.TempDir(), version: "v1.2.3", artifacts: []artifact{
		{platform{"linux", "arm64"}, "l.tar.gz", "l.cdx.json", "5eed"},
		{platform{"windows", "amd64"}, "w.zip", "w.cdx.json", "feed"},
	}}
	for _, name := range r.files() {
		if err := os.WriteFile(filepath.Join(r.dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.finish(); err != nil {
		t.Fatal(err)
	}
	for file, parts := range map[string][]string{
		krewFile: {
			"  version: v1.2.3\n",
			"        os: linux\n        arch: arm64\n    uri: https://github.com/berth-sim/berth/releases/download/v1.2.3/l.tar.gz\n    sha256: 5eed\n",
			"/w.zip\n    sha256: feed\n    files:\n    - from: berth.exe\n      to: .\n    - from: LICENSE\n      to: .\n    bin: berth.exe\n",
		},
		checksumsFile: {"  berth.yaml\n", "  l.cdx.json\n", "  l.tar.gz\n", "  w.cdx.json\n", "  w.zip\n"},
	} {
		text, err := os.ReadFile(filepath.Join(r.dir, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s has no %q:\n%s", file, part, text)
			}
		}
	}
}

// TestBill: the bill of materials names the standard library and the modules as they were built.
func TestBill(t *testing.T) {
	id := identity{&buildinfo.BuildInfo{
		GoVersion: "go1.26.8", Main: debug.Module{Path: "example.com/berth", Version: "v1.2.3+dirty"},
		Deps: []*debug.Module{
			{Path: "example.com/plain", Version: "v1.0.0", Sum: "h1:plain="},
			{Path: "example.com/old", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/new", Version: "v2.0.0"}},
		},
	}, "c0ffee", time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC), false}
	b, err := newBill(id, sources(t, 0o600, id.time)[0])
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range b.Components {
		names = append(names, c.PURL)
	}
	want := []string{"pkg:golang/std@1.26.8", "pkg:golang/example.com/plain@v1.0.0", "pkg:golang/example.com/new@v2.0.0"}
	if !slices.Equal(names, want) || !slices.Equal(b.Dependencies[0].DependsOn, want) {
		t.Errorf("components %q, want %q", names, want)
	}
	if got := b.Metadata.Component.PURL; got != "pkg:golang/example.com/berth@v1.2.3%2Bdirty" {
		t.Errorf("the program is %s", got)
	}
}

// TestIdentify: a binary that does not know its commit is no release.
func TestIdentify(t *testing.T) {
	if _, err := identify(os.Args[0]); err == nil || !strings.Contains(err.Error(), "does not know its commit") {
		t.Errorf("a test binary: %v", err)
	}
}

func TestRunRefuses(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "old.zip"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"must be os/arch":   {"-out", t.TempDir(), "-platforms", "linux"},
		"names no platform": {"-out", t.TempDir(), "-platforms", " "},
		"is not empty":      {"-out", full},
	} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}
