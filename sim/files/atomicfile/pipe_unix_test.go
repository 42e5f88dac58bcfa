//go:build unix

package atomicfile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"github.com/berth-sim/berth/sim/files/atomicfile"
)

// A pipe is written to, directly and through a link, and stays a pipe.
func TestPipes(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("pipe", "link"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"pipe", "link"} {
		read := make(chan string)
		go func() {
			text, err := os.ReadFile("pipe")
			if err != nil {
				t.Error(err)
			}
			read <- string(text)
		}()
		if err := atomicfile.Write(path, text("one")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Lstat("pipe"); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
			t.Fatalf("the pipe became %v, %v", info, err)
		}
		if have := <-read; have != "one" {
			t.Errorf("through %s came %q", path, have)
		}
	}
	only(t, ".", "link", "pipe")
}

// A pipe that nobody reads any more is an error of the path.
func TestBrokenPipe(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Skip(err)
	}
	opened := make(chan struct{})
	go func() {
		defer close(opened)
		if reader, err := os.Open("pipe"); err == nil {
			_ = reader.Close()
		}
	}()
	err := atomicfile.Write("pipe", func(w io.Writer) error {
		<-opened
		return text("one")(w)
	})
	var at *fs.PathError
	if !errors.As(err, &at) || at.Path != "pipe" || !errors.Is(err, syscall.EPIPE) {
		t.Errorf("the error is %v", err)
	}
}
