// Command release builds what a release of berth consists of, for every platform: a static binary in an archive, a bill
// of materials, checksums, and the manifest of a plugin for krew.
//
//	release -out dist -platforms "linux/amd64 darwin/arm64"
//
// The same commit and the same version of Go give the same bytes, wherever and whenever they are built.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

const allPlatforms = "linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(2)
	}
}

// run builds a release of the repository in the current directory. It prints the names of the files.
func run(ctx context.Context, args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(log)
	dir := flags.String("out", "dist", "`directory` to write to; it must be empty, or not exist")
	names := flags.String("platforms", allPlatforms, "`platforms`, each as os/arch")
	dirty := flags.Bool("dirty", false, "build although files have changed since the last commit")
	if err := flags.Parse(args); err != nil {
		return err
	}
	platforms, err := parsePlatforms(*names)
	if err != nil {
		return err
	}
	if err := makeEmpty(*dir); err != nil {
		return err
	}
	r := release{dir: *dir, dirty: *dirty}
	for _, p := range platforms {
		if err := r.add(ctx, p); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	if err := r.finish(); err != nil {
		return err
	}
	for _, name := range r.files() {
		fmt.Fprintln(out, filepath.Join(*dir, name))
	}
	return nil
}

func parsePlatforms(names string) (list []platform, err error) {
	for _, name := range strings.Fields(names) {
		system, arch, ok := strings.Cut(name, "/")
		if !ok {
			return nil, fmt.Errorf("-platforms: %q must be os/arch, such as linux/amd64", name)
		}
		list = append(list, platform{system, arch})
	}
	if len(list) == 0 {
		return nil, errors.New("-platforms: names no platform")
	}
	return list, nil
}

// makeEmpty makes a directory. What an earlier release left there would be taken for a part of this one.
func makeEmpty(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	found, err := os.ReadDir(dir)
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("%s: is not empty: remove it first", dir)
	}
	return err
}
