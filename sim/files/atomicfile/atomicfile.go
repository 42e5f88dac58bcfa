// Package atomicfile writes files that are whole or not there: under a temporary name beside the
// file, renamed when all is written. A symbolic link stays one, and what it leads to is replaced. A
// pipe or a device is written to: there is nothing to replace.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// temporary is what the names of unfinished files begin with.
const temporary = ".berth-unfinished-"

// The errors of files that cannot be replaced.
var (
	errDirectory = errors.New("is a directory")
	errLinks     = errors.New("too many symbolic links")
	errNames     = errors.New("too many unfinished files are beside it")
)

// File is a file that is being written. All of its errors are of type *fs.PathError and name the
// path that Create was given.
type File struct {
	path   string
	target string // what Commit renames to; empty: out is the target
	out    *os.File
	err    error // the first one of Write
}

// Write replaces the file at path by what content writes. After an error nothing has changed, but
// that a pipe or a device has what was written.
func Write(path string, content func(io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	buffer := bufio.NewWriter(f)
	if err := errors.Join(content(buffer), buffer.Flush()); err != nil {
		return err
	}
	return f.Commit()
}

// Create begins to replace the file at path, which need not exist. Commit or Abort must follow.
func Create(path string) (*File, error) {
	f := &File{path: path}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, f.named(errDirectory)
	case err == nil && !info.Mode().IsRegular():
		f.out, err = os.OpenFile(path, os.O_WRONLY, 0)
	case err == nil:
		if err = f.begin(); err == nil {
			err = f.out.Chmod(info.Mode().Perm())
		}
	case errors.Is(err, fs.ErrNotExist):
		err = f.begin()
	}
	if err != nil {
		f.Abort()
		return nil, f.named(err)
	}
	return f, nil
}

// begin opens a temporary file beside the target.
func (f *File) begin() error {
	target, err := resolve(f.path)
	if err != nil {
		return err
	}
	dir, name := filepath.Split(target)
	const most = 1000 // left behind by processes that were killed, or written to by others now
	for n := range most {
		f.out, err = os.OpenFile(fmt.Sprintf("%s%s%s-%d", dir, temporary, name, n), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			f.target = target
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return errNames
}

// resolve follows symbolic links from the path to a name that is none, which need not exist.
func resolve(path string) (string, error) {
	const most = 255
	for range most {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, err
		}
		link, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(link) {
			dir, _ := filepath.Split(path)
			link = dir + link // not cleaned: .. behind a link is not the directory before it
		}
		path = link
	}
	return "", errLinks
}

// Chmod gives the file a mode of its own in place of that of the file that it replaces, or 0644.
func (f *File) Chmod(mode fs.FileMode) error {
	if f.target == "" {
		return nil
	}
	if err := f.out.Chmod(mode); err != nil {
		return f.named(err)
	}
	return nil
}

// Write writes to the file. After an error, Commit fails too.
func (f *File) Write(text []byte) (int, error) {
	n, err := f.out.Write(text)
	if err != nil && f.err == nil {
		f.err = f.named(err)
	}
	return n, f.err
}

// Commit gives the file its name.
func (f *File) Commit() error {
	defer f.Abort()
	if f.err != nil {
		return f.err
	}
	name := f.out.Name()
	err := f.out.Close()
	if err == nil && f.target != "" {
		err = os.Rename(name, f.target)
	}
	if err != nil {
		return f.named(err)
	}
	f.target = ""
	return nil
}

// Abort leaves everything as it was before Create; after Commit, and of a nil file, it does nothing.
func (f *File) Abort() {
	if f == nil || f.out == nil {
		return
	}
	_ = f.out.Close() // what it holds is not wanted, or it is closed already
	if f.target != "" {
		_ = os.Remove(f.out.Name())
	}
	f.out = nil
}

// named returns the error with the path as it was given.
func (f *File) named(err error) error {
	return &fs.PathError{Op: "write", Path: f.path, Err: cause(err)}
}

// PathFirst returns an error that begins with path, as messages about files do. If err is an error of the file system, it
// goes on with the cause, without the operation and the paths that err names.
func PathFirst(path string, err error) error { return fmt.Errorf("%s: %w", path, cause(err)) }

// cause returns the cause of an error of the file system, or err.
func cause(err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return at.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
