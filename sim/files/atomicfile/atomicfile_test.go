package atomicfile_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/berth-sim/berth/sim/files/atomicfile"
)

// text writes a text.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// put writes a file as a test begins.
func put(t *testing.T, path, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// holds fails the test unless the file has the content.
func holds(t *testing.T, path, content string) {
	t.Helper()
	if have, err := os.ReadFile(path); err != nil || string(have) != content {
		t.Errorf("%s holds %q, %v, and not %q", path, have, err, content)
	}
}

// only fails the test unless the directory has these files and no others.
func only(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, e := range entries {
		have = append(have, e.Name())
	}
	if strings.Join(have, " ") != strings.Join(names, " ") {
		t.Errorf("the directory has %q, and not %q", have, names)
	}
}

func TestWrite(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := atomicfile.Write("new", text("one")); err != nil {
		t.Fatal(err)
	}
	put(t, "old", "zero", 0o600)
	if err := atomicfile.Write("old", text("one")); err != nil {
		t.Fatal(err)
	}
	holds(t, "new", "one")
	holds(t, "old", "one")
	if info, err := os.Stat("old"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode became %v, %v", info.Mode(), err)
	}
	only(t, ".", "new", "old")
}

// A link stays a link, whether what it leads to is there or not.
func TestLinks(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"real", "far/away"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(t, "real/file", "zero", 0o644)
	for link, to := range map[string]string{
		"link": "real/file", "chain": "link", "dangling": "real/none", "dir": "far/away", "far/away/up": "../none",
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for link, real := range map[string]string{"chain": "real/file", "dangling": "real/none", "dir/up": "far/none"} {
		if err := atomicfile.Write(link, text("one")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is a link no more: %v, %v", link, info.Mode(), err)
		}
		holds(t, real, "one")
	}
	only(t, "real", "file", "none")
	only(t, "far", "away", "none")
}

// After an error everything is as it was.
func TestErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "file", "zero", 0o644)
	if err := os.Mkdir("dir", 0o755); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"around": "about", "about": "around"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	broken := errors.New("broken")
	half := func(w io.Writer) error {
		return errors.Join(text("half of it")(w), broken)
	}
	if err := atomicfile.Write("file", half); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	for path, want := range map[string]string{
		"dir": "is a directory", "none/file": "no such file or directory", "file/file": "not a directory", "around": "too many levels of symbolic links",
	} {
		err := atomicfile.Write(path, text("one"))
		var at *fs.PathError
		if !errors.As(err, &at) || at.Path != path || at.Err.Error() != want {
			t.Errorf("%s: the error is %v, and not %s", path, err, want)
		}
		if got := atomicfile.PathFirst("shown", err).Error(); got != "shown: "+want {
			t.Errorf("with the path first the error is %q", got)
		}
	}
	if got := atomicfile.PathFirst("shown", broken); got.Error() != "shown: broken" || !errors.Is(got, broken) {
		t.Errorf("with the path first another error is %v", got)
	}
	holds(t, "file", "zero")
	only(t, ".", "about", "around", "dir", "file")
}

// Those who write the same file at once do not get in each other's way: one of them is last.
func TestWritersAtOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".berth-unfinished-file-0", "of one that was killed", 0o644)
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			content := strings.Repeat(fmt.Sprintln(n), 10_000)
			if err := atomicfile.Write("file", text(content)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	have, err := os.ReadFile("file")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(string(have), "\n"); string(have) != strings.Repeat(lines[0]+"\n", 10_000) {
		t.Error("the file is of more than one writer")
	}
	only(t, ".", ".berth-unfinished-file-0", "file")
}

// Several files can be made ready, and given their names when all are.
func TestCommitAndAbort(t *testing.T) {
	t.Chdir(t.TempDir())
	var files []*atomicfile.File
	for _, name := range []string{"a", "b"} {
		f, err := atomicfile.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Abort()
		if _, err := io.WriteString(f, name); err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if _, err := os.Stat("a"); err == nil {
		t.Error("a is there before it is committed")
	}
	if err := files[0].Chmod(0o600); err != nil {
		t.Fatal(err)
	}
	if err := files[0].Commit(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat("a"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode of a is %v, %v", info.Mode(), err)
	}
	files[0].Abort()
	files[1].Abort()
	holds(t, "a", "a")
	only(t, ".", "a")
}

// Directories above the file are looked up, not made.
func TestRelativePath(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("sub", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(filepath.Join("sub", "..", "sub", "file"), text("one")); err != nil {
		t.Fatal(err)
	}
	holds(t, filepath.Join(dir, "sub", "file"), "one")
}
