package main

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// platform is what a binary runs on.
type platform struct{ os, arch string }

// String returns the platform as Go writes it.
func (p platform) String() string { return p.os + "/" + p.arch }

// binary returns the name of the file that is run.
func (p platform) binary() string {
	if p.os == "windows" {
		return "berth.exe"
	}
	return "berth"
}

// build compiles berth for a platform. Only the sources, the commit and the version of Go decide what comes out.
func build(ctx context.Context, p platform, to string) error {
	c := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", to, "./cmd/berth")
	c.Env = append(c.Environ(), "GOOS="+p.os, "GOARCH="+p.arch, "CGO_ENABLED=0",
		"GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off")
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	return nil
}

// identity is what a binary says of its own making.
type identity struct {
	*buildinfo.BuildInfo
	commit string
	time   time.Time // of the commit
	dirty  bool
}

// version is that of the tag on the commit, or made of the commit where there is none.
func (i identity) version() string { return i.Main.Version }

// identify reads what a binary says of its own making.
func identify(binary string) (out identity, err error) {
	if out.BuildInfo, err = buildinfo.ReadFile(binary); err != nil {
		return out, err
	}
	for _, s := range out.Settings {
		switch s.Key {
		case "vcs.revision":
			out.commit = s.Value
		case "vcs.time":
			out.time, err = time.Parse(time.RFC3339, s.Value)
		case "vcs.modified":
			out.dirty = s.Value == "true"
		}
	}
	switch {
	case err != nil:
		return out, fmt.Errorf("vcs.time: %w", err)
	case out.commit == "" || !strings.HasPrefix(out.version(), "v"):
		return out, errors.New("the binary does not know its commit: build in a clone of the repository, with git installed")
	}
	return out, nil
}

// release is a release in the making.
type release struct {
	dir       string
	dirty     bool // allowed
	version   string
	artifacts []artifact
	others    []string // names of more files
}

// artifact is what there is for one platform.
type artifact struct {
	platform
	archive, bill string // names of files
	sum           string // SHA-256 of the archive
}

// add builds the archive and the bill of materials for a platform.
func (r *release) add(ctx context.Context, p platform) error {
	work, err := os.MkdirTemp("", "berth-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	binary := filepath.Join(work, p.binary())
	if err := build(ctx, p, binary); err != nil {
		return err
	}
	id, err := identify(binary)
	switch {
	case err != nil:
		return err
	case id.dirty && !r.dirty:
		return errors.New("files have changed since the last commit: commit them, or build with -dirty")
	case r.version != "" && r.version != id.version():
		return fmt.Errorf("is version %s, the platform before it was %s: the repository changed while it was built", id.version(), r.version)
	}
	r.version = id.version()
	base := fmt.Sprintf("berth_%s_%s_%s", id.version(), p.os, p.arch)
	a := artifact{platform: p, archive: base + ".tar.gz", bill: base + ".cdx.json"}
	pack := writeTar
	if p.os == "windows" {
		a.archive, pack = base+".zip", writeZip
	}
	content := []string{binary, "LICENSE", "README.md"}
	if err := r.write(a.archive, func(f *os.File) error { return pack(f, content, id.time) }); err != nil {
		return err
	}
	bill, err := newBill(id, binary)
	if err != nil {
		return err
	}
	if err := r.write(a.bill, bill.write); err != nil {
		return err
	}
	a.sum, err = sumOf(filepath.Join(r.dir, a.archive))
	r.artifacts = append(r.artifacts, a)
	return err
}

// write writes a file of the release.
func (r *release) write(name string, content func(*os.File) error) error {
	f, err := os.Create(filepath.Join(r.dir, name))
	if err != nil {
		return err
	}
	return errors.Join(content(f), f.Close())
}
