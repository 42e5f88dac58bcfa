package trace

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"unicode/utf8"
)

var errTooLong = errors.New("line too long")

const byteOrderMark = "\uFEFF"

// lines splits a file, gzipped or not, into lines of limited length.
type lines struct {
	file   string
	in     *bufio.Reader
	number int // of the line that next returned last

	text  string
	err   error
	again bool
}

func openLines(file string, in io.Reader) (*lines, error) {
	l := &lines{file: file, in: bufio.NewReaderSize(in, MaxLineBytes)}
	magic, err := l.in.Peek(2)
	if err != nil && err != io.EOF {
		return nil, l.fault(err)
	}
	if bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(l.in)
		if err != nil {
			return nil, l.fault(err)
		}
		l.in = bufio.NewReaderSize(unzipped, MaxLineBytes)
	}
	return l, nil
}

// next is the next line without its end. The error is errTooLong, with the
// beginning of the line, io.EOF after the last one, or a fault of the file.
func (l *lines) next() (string, error) {
	if l.again {
		l.again = false
		return l.text, l.err
	}
	l.text, l.err = l.read()
	return l.text, l.err
}

// unread makes next return the same line once more.
func (l *lines) unread() { l.again = true }

func (l *lines) read() (string, error) {
	l.number++
	b, err := l.in.ReadSlice('\n')
	switch {
	case err == bufio.ErrBufferFull:
		return l.discard(string(b[:100]))
	case err == io.EOF && len(b) == 0:
		return "", io.EOF
	case err != nil && err != io.EOF:
		return "", l.fault(err)
	}
	b = bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
	if l.number == 1 {
		b = bytes.TrimPrefix(b, []byte(byteOrderMark))
	}
	return string(b), nil
}

// discard reads to the end of a line that is too long.
func (l *lines) discard(beginning string) (string, error) {
	for {
		_, err := l.in.ReadSlice('\n')
		switch err {
		case bufio.ErrBufferFull:
		case nil, io.EOF:
			return beginning, errTooLong
		default:
			return "", l.fault(err)
		}
	}
}

// fault says in which line of which file reading failed, and names the file once.
func (l *lines) fault(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) && path.Path == l.file {
		err = path.Err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("the gzip stream is cut short: %w", err)
	}
	return fmt.Errorf("%s:%d:1: %w", l.file, max(1, l.number), err)
}

// checkText adds a fault when the line is not text.
func checkText(line string, f *faults) bool {
	if !utf8.ValidString(line) {
		f.add("", line, "is not UTF-8 text")
		return false
	}
	return true
}
