package document

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSimilarFile: what a person meant who mistyped a name, left its ending out, or was in another folder.
func TestSimilarFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, file := range []string{
		"dump.yaml", ".hidden.yaml", "scenarios/quickstart.yaml", "scenarios/policies/most-allocated.yaml", "scenarios/a/b/c/deep.yaml", ".git/config.yaml",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"dmp.yaml":                          "dump.yaml",
		"./dump.yml":                        "dump.yaml",
		"DUMP.yaml":                         "dump.yaml",
		"dump":                              "dump.yaml",
		"scenarios/quikstart.yaml":          "scenarios/quickstart.yaml",
		"scenaros/quickstart.yaml":          "scenarios/quickstart.yaml",
		"scenaros/quikstart.yaml":           "scenarios/quickstart.yaml",
		"scenarios/polices/most-alocated":   "scenarios/policies/most-allocated.yaml",
		"quickstart":                        "scenarios/quickstart.yaml",
		"most-allocated.yaml":               "scenarios/policies/most-allocated.yaml",
		"scenario":                          "scenarios",
		"deep.yaml":                         "",
		"config.yaml":                       "",
		"hidden.yaml":                       "",
		"something-else.yaml":               "",
		"no/such/folder/at/all.yaml":        "",
		"dump.yaml/below":                   "",
		strings.Repeat("long", 1000) + ".y": "",
	} {
		_, err := os.Stat(path)
		if err == nil {
			t.Fatalf("%s exists", path)
		}
		if got := similarFile(path); got != want {
			t.Errorf("%.40s: %q, want %q", path, got, want)
		}
	}
}

// TestReadError: the path first, then the cause, then the suggestion; only what does not exist was mistyped.
func TestReadError(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("dump.yaml", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, missing := os.Stat("dmp.yaml")
	err := ReadError("dmp.yaml", missing)
	if want := `dmp.yaml: no such file or directory; did you mean "dump.yaml"?`; err.Error() != want || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want %s", err, want)
	}
	if err := ReadError("dmp.yaml", fs.ErrPermission); err.Error() != "dmp.yaml: permission denied" {
		t.Errorf("%v", err)
	}
}
