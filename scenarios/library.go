package scenarios

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"

	"github.com/berth-sim/berth/sim/files/document"
)

// library has what the files hold that a scenario refers to. Each is read once, whatever number
// of runs is made, one after the other or side by side.
type library struct {
	objects, sums sync.Map // by path, functions that read it once
}

// readObjects is ReadObjects.
func (l *library) readObjects(paths ...string) ([]*document.Document, error) {
	return readObjects(func(file string) ([]*document.Document, error) { return readOnce(&l.objects, file, readObjectFile) }, paths)
}

// sum is the SHA-256 of a file in hexadecimal digits.
func (l *library) sum(path string) (string, error) { return readOnce(&l.sums, path, sumOf) }

// readOnce is what read makes of a file, which it is asked for once.
func readOnce[T any](known *sync.Map, path string, read func(path string) (T, error)) (T, error) {
	once, _ := known.LoadOrStore(path, sync.OnceValues(func() (T, error) { return read(path) }))
	return once.(func() (T, error))()
}

func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", plainPathError(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", plainPathError(err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// UnlessDone is what work comes to, or the error of ctx when that is done first: then the work,
// which must write nothing, is left to itself. It is for reading large files, which looks at no
// context.
func UnlessDone[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		got   T
		err   error
		fault string // of a panic
	}
	if err := ctx.Err(); err != nil {
		return *new(T), err
	}
	ended := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if r := recover(); r != nil {
				o.fault = fmt.Sprintf("%v\n%s", r, debug.Stack())
			}
			ended <- o
		}()
		o.got, o.err = work()
	}()
	select {
	case <-ctx.Done():
		return *new(T), ctx.Err()
	case o := <-ended:
		if o.fault != "" {
			panic(o.fault)
		}
		return o.got, o.err
	}
}
