package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"sync"

	"github.com/berth-sim/berth/sim/files/document"
)

// fileCache has the contents of the files that a scenario refers to. Each file is read once, also if several runs are
// built concurrently.
type fileCache struct {
	objects, sums sync.Map // by path; values of sync.OnceValues
}

// readObjects is ReadObjects with the cache.
func (c *fileCache) readObjects(paths ...string) ([]*document.Document, error) {
	return readObjects(func(file string) ([]*document.Document, error) { return readOnce(&c.objects, file, readObjectFile) }, paths)
}

// sum returns the SHA-256 of a file in hexadecimal digits.
func (c *fileCache) sum(path string) (string, error) { return readOnce(&c.sums, path, sumOf) }

// readOnce returns the result of read for a path. It calls read once for each path.
func readOnce[T any](known *sync.Map, path string, read func(path string) (T, error)) (T, error) {
	once, _ := known.LoadOrStore(path, sync.OnceValues(func() (T, error) { return read(path) }))
	return once.(func() (T, error))()
}

func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", document.FileError(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", document.FileError(err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
