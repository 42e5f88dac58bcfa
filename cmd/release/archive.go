package main

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Modes of the files in an archive, whatever those of the sources are.
const (
	modeProgram = 0o755
	modeText    = 0o644
)

// modeOf returns the mode of a file in an archive: the program is the one whose name is that of the command.
func modeOf(name string) int64 {
	if strings.TrimSuffix(name, ".exe") == "berth" {
		return modeProgram
	}
	return modeText
}

// writeTar writes files to a compressed archive, without folders. Nothing but their names, their content and the time
// given decides its bytes.
func writeTar(to *os.File, files []string, at time.Time) error {
	compressed, err := gzip.NewWriterLevel(to, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	for _, file := range files {
		name := filepath.Base(file)
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		head := &tar.Header{Name: name, Mode: modeOf(name), Size: int64(len(content)), ModTime: at.UTC(), Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(head); err != nil {
			return err
		}
		if _, err := archive.Write(content); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), compressed.Close())
}

// writeZip is writeTar for systems without tar.
func writeZip(to *os.File, files []string, at time.Time) error {
	archive := zip.NewWriter(to)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, file := range files {
		name := filepath.Base(file)
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		head := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at.UTC()}
		head.SetMode(os.FileMode(modeOf(name)))
		entry, err := archive.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := entry.Write(content); err != nil {
			return err
		}
	}
	return archive.Close()
}

// sumOf returns the SHA-256 checksum of a file.
func sumOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
