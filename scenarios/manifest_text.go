package scenarios

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"

	"github.com/berth-sim/berth/sim/files/document"
)

// message matches a line that kubectl has written to standard error.
var message = regexp.MustCompile(`^([EWIF]\d{4} \d\d:\d\d:\d\d|Error from server|error: |Warning: |Unable to connect)`)

// otherThanYAML returns the error of a file that cannot be parsed. If its text shows why, the error says that alone.
func otherThanYAML(file string, err error) error {
	var faults document.Errors
	info, failed := os.Stat(file)
	if !errors.As(err, &faults) || failed != nil || !info.Mode().IsRegular() {
		return err
	}
	text, failed := os.ReadFile(file)
	if failed != nil {
		return err
	}
	first := document.Error{File: file, Line: 1, Col: 1}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	switch at := bytes.Index(text, []byte("{{")); {
	case message.Match(line):
		first.What = "is a message of kubectl, not YAML: write standard output alone to the file"
	case bytes.Contains(text, []byte("==== START logs for container")):
		first.What = "has logs among the objects: give kubectl cluster-info dump the flag --output-directory DIR, and berth that directory"
	case at >= 0:
		before := text[:at]
		first.Line = 1 + bytes.Count(before, []byte("\n"))
		first.Col = at - bytes.LastIndexByte(before, '\n')
		first.What = "is a template, whose {{ … }} must be filled in first"
		if chart := chartOf(file); chart != "" {
			first.What += ": helm template " + chart + " | berth place -f - reads what it makes"
		}
	default:
		return err
	}
	return &first
}

// chartOf returns the directory of the Helm chart that a template belongs to; empty: it is in no directory of templates.
func chartOf(file string) string {
	for dir := filepath.Dir(file); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "templates" {
			return filepath.Dir(dir)
		}
	}
	return ""
}
