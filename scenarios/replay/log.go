package replay

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"os"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/record"
)

// savedLog is the log of a saved run. What is written to it, a line at a time, is compared with it.
type savedLog struct {
	file    *os.File
	in      *bufio.Reader
	line    []byte // buffer
	compare int64  // how many lines to compare
	equal   int64  // how many were equal
	differs int64  // number of the first line that differs; 0: none so far
	err     error  // of reading
}

// logBuffer is the size of the buffer in front of the log.
const logBuffer = 1 << 20

// openLog opens a log. Of an interrupted run the sample and the end that the interruption made are not compared.
func openLog(path string, interrupted bool) (*savedLog, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, document.FileError(err)
	}
	l := &savedLog{file: file, in: bufio.NewReaderSize(file, logBuffer), compare: math.MaxInt64}
	if interrupted {
		l.compare, err = linesBeforeInterruption(l.in)
		if err == nil {
			_, err = file.Seek(0, io.SeekStart)
			l.in.Reset(file)
		}
	}
	if err != nil {
		file.Close()
		return nil, document.FileError(err)
	}
	return l, nil
}

// linesBeforeInterruption counts the lines of an interrupted log without its end and a sample before that.
func linesBeforeInterruption(log *bufio.Reader) (int64, error) {
	sample := []byte(`"kind":"` + record.Sampled.String() + `"`)
	var lines int64
	var sampled [2]bool // whether the last two lines are samples
	for {
		line, err := log.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, err
		}
		lines++
		sampled = [2]bool{sampled[1], bytes.Contains(line, sample)}
	}
	if sampled[0] {
		lines--
	}
	return max(lines-1, 0), nil
}

// Write compares the next line.
func (l *savedLog) Write(line []byte) (int, error) {
	if l.differs > 0 || l.equal == l.compare {
		return len(line), nil
	}
	l.line = append(l.line[:0], line...) // for its length
	_, err := io.ReadFull(l.in, l.line)
	switch {
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return 0, err
	case err != nil || !bytes.Equal(line, l.line):
		l.differs = l.equal + 1
	default:
		l.equal++
	}
	return len(line), nil
}

// finish ends the comparison. A saved log that goes on after the end of the replay differs.
func (l *savedLog) finish() error {
	if l.err != nil || l.differs > 0 || l.equal == l.compare {
		return l.err
	}
	_, err := l.in.ReadByte()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err == nil:
		l.differs = l.equal + 1
	}
	return err
}

// Close closes the log.
func (l *savedLog) Close() { _ = l.file.Close() } // it was only read
