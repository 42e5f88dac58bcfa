package document

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ReadError returns the error of a file that cannot be read: its path, the cause, and for a file that does not exist the one
// that was probably meant.
func ReadError(path string, err error) *Error {
	what := err.Error()
	var cause *fs.PathError
	if errors.As(err, &cause) {
		what = cause.Err.Error()
	}
	if errors.Is(err, fs.ErrNotExist) {
		if why := otherThanPath(path); why != "" {
			return &Error{File: path, What: what + ": " + why, Err: err}
		}
		if found := similarFile(path); found != "" {
			what += fmt.Sprintf("; did you mean %q?", found)
		}
	}
	return &Error{File: path, What: what, Err: err}
}

// otherThanPath says what a path is that does not exist and looks like something else; empty: it looks like a path.
func otherThanPath(path string) string {
	switch {
	case strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://"):
		return "only files are read: save the page first, or read it from standard input"
	case strings.HasPrefix(path, "~"):
		return "the shell replaces ~ only where a word begins with it, without quotes"
	case strings.ContainsAny(path, "*?["):
		return "the shell replaces a pattern only without quotes, and if a file matches it"
	}
	return ""
}

// FileError returns ReadError for an error of the file system, and other errors as they are.
func FileError(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return ReadError(e.Path, err)
	}
	return err
}

// Limits of the search for a file in folders below the one that was named.
const (
	searchDepth   = 2     // folders
	searchEntries = 5_000 // files and folders
)

// similarFile returns an existing path that path was most likely meant to be, or "": of the same name with another ending,
// of a similar name, in a folder of a similar name, or of the same name in a folder below.
func similarFile(path string) string {
	dir, name := filepath.Dir(path), filepath.Base(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		better := ""
		if errors.Is(err, fs.ErrNotExist) {
			better = similarFile(dir)
		}
		if better == "" {
			return ""
		}
		if there := filepath.Join(better, name); exists(there) {
			return there
		}
		return similarFile(filepath.Join(better, name))
	}
	var stems []string
	files := map[string]string{} // by stem
	for _, e := range entries {
		if e.Name() == name {
			return "" // a link that leads nowhere
		}
		if sameName(e.Name(), name) {
			return filepath.Join(dir, e.Name())
		}
		if !isHidden(e.Name()) || isHidden(name) {
			stems = append(stems, stem(e.Name()))
			files[stem(e.Name())] = e.Name()
		}
	}
	if best, ok := nearest(stem(name), stems); ok {
		return filepath.Join(dir, files[best])
	}
	return below(dir, name)
}

// below returns the first file of the name in a folder below dir, or "".
func below(dir, name string) string {
	found, seen := "", 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > searchEntries:
			return fs.SkipAll
		case path == dir:
			return err
		case err != nil || e.IsDir() && isHidden(e.Name()):
			return fs.SkipDir
		case !e.IsDir() && sameName(e.Name(), name):
			found = path
			return fs.SkipAll
		}
		if inside, err := filepath.Rel(dir, path); e.IsDir() && (err != nil || strings.Count(inside, string(filepath.Separator)) >= searchDepth) {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		return ""
	}
	return found
}

// sameName reports whether an existing name is that which was wanted, except for case and an ending that one of both lacks.
func sameName(existing, wanted string) bool {
	return strings.EqualFold(existing, wanted) || strings.EqualFold(stem(existing), wanted) || strings.EqualFold(existing, stem(wanted))
}

// stem returns the name of a file without its ending.
func stem(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func isHidden(name string) bool { return strings.HasPrefix(name, ".") }
