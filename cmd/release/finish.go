package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"text/template"
)

// Names of files that a release has once.
const (
	checksumsFile = "checksums.txt" // as sha256sum -c reads it
	krewFile      = "berth.yaml"    // krew wants the name of the plugin
)

//go:embed krew.yaml.tmpl
var krewText string

var krewTemplate = template.Must(template.New(krewFile).Option("missingkey=error").Parse(krewText))

// finish writes what is about all platforms together.
func (r *release) finish() error {
	if err := r.write(krewFile, r.writeKrew); err != nil {
		return err
	}
	r.others = append(r.others, krewFile)
	files := r.files()
	if err := r.write(checksumsFile, func(f *os.File) error { return writeSums(f, r.dir, files) }); err != nil {
		return err
	}
	r.others = append(r.others, checksumsFile)
	return nil
}

// files returns the names of the files of the release, sorted.
func (r *release) files() []string {
	list := slices.Clone(r.others)
	for _, a := range r.artifacts {
		list = append(list, a.archive, a.bill)
	}
	slices.Sort(list)
	return list
}

// writeKrew writes the manifest of the plugin.
func (r *release) writeKrew(to *os.File) error {
	type download struct{ OS, Arch, Archive, Sum, Binary string }
	var list []download
	for _, a := range r.artifacts {
		list = append(list, download{a.os, a.arch, a.archive, a.sum, a.binary()})
	}
	return krewTemplate.Execute(to, map[string]any{"Version": r.version, "Artifacts": list})
}

// writeSums writes the checksums of files in a directory.
func writeSums(to *os.File, dir string, files []string) error {
	for _, name := range files {
		sum, err := sumOf(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(to, "%s  %s\n", sum, name); err != nil {
			return err
		}
	}
	return nil
}
