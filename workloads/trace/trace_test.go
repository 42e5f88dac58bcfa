package trace_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/berth-sim/berth/workloads/trace"
)

// open opens a reader of any of the formats, with its rows as any.
type open func(in io.Reader, o trace.Options) (rows, error)

type rows interface {
	next() (any, bool, error)
	Skipped() int
	SkippedErrors() []error
}

type anyRows[Row any] struct{ *trace.Reader[Row] }

func (r anyRows[Row]) next() (any, bool, error) { return r.Next() }

func opener[Row any](of func(string, io.Reader, trace.Options) (*trace.Reader[Row], error)) open {
	return func(in io.Reader, o trace.Options) (rows, error) {
		r, err := of("file", in, o)
		return anyRows[Row]{r}, err
	}
}

func openSWF(in io.Reader, o trace.Options) (rows, error) {
	s, err := trace.SWFJobs("file", in, o)
	if err != nil {
		return nil, err
	}
	return anyRows[trace.SWFJob]{s.Reader}, nil
}

var formats = map[string]open{
	"nodes.csv":  opener(trace.OpenbNodes),
	"pods.csv":   opener(trace.OpenbPods),
	"log.swf":    openSWF,
	"philly.csv": opener(trace.PhillyJobs),
}

// readAll is all rows and the text of all errors, line faults and others.
func readAll(of open, in io.Reader, o trace.Options) (got []any, faults string, r rows) {
	r, err := of(in, o)
	if err != nil {
		return nil, err.Error(), nil
	}
	var lines []string
	for {
		row, ok, err := r.next()
		var line *trace.LineError
		switch {
		case ok:
			got = append(got, row)
			continue
		case err == nil:
			return got, strings.Join(lines, "\n"), r
		}
		lines = append(lines, err.Error())
		if !errors.As(err, &line) {
			return got, strings.Join(lines, "\n"), r
		}
	}
}

func example(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func gzipped(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.Bytes()
}

func TestExamples(t *testing.T) {
	want := map[string][]any{
		"nodes.csv": {
			trace.OpenbNode{Line: 2, Name: "n0", MilliCPU: 64000, MemoryMiB: 262144, GPUs: 2, Model: "P100"},
			trace.OpenbNode{Line: 3, Name: "n1", MilliCPU: 96000, MemoryMiB: 393216},
		},
		"pods.csv": {
			trace.OpenbPod{Line: 2, Name: "p0", MilliCPU: 12000, MemoryMiB: 16384, GPUs: 1, MilliGPU: 1000,
				QoS: "LS", Phase: "Running", Timed: true, Deleted: 900, Scheduled: 3},
			trace.OpenbPod{Line: 3, Name: "p1", MilliCPU: 6000, MemoryMiB: 12288, GPUs: 1, MilliGPU: 460,
				Models: []string{"V100M16", "V100M32"}, Spec: "V100M16|V100M32|V100M32", QoS: "BE", Phase: "Pending", Timed: true,
				Created: 10, Deleted: 900, Scheduled: -1},
			trace.OpenbPod{Line: 4, Name: "p2", MilliCPU: 8000, MemoryMiB: 4096, QoS: "Burstable",
				Phase: "Succeeded", Timed: true, Created: 10, Deleted: 10, Scheduled: 10},
			trace.OpenbPod{Line: 5, Name: "p3", MilliCPU: 64000, MemoryMiB: 131072, GPUs: 8, MilliGPU: 1000,
				Models: []string{"G2"}, Spec: "G2", QoS: "Guaranteed", Phase: "Failed", Timed: true,
				Created: 5, Deleted: 70, Scheduled: 6},
		},
		"log.swf": {
			trace.SWFJob{12, 1, 0, -1, 1451, 128, -1, -1, -1, -1, -1, -1, 1, 1, -1, -1, -1, -1, -1},
			trace.SWFJob{14, 2, 12, 30, 7.5, 4, 6.25, 512, 4, 3600, 1024, 1, 2, 1, 7, 0, 1, 1, 5},
			trace.SWFJob{17, 5, 12, -1, 0, 1, -1, -1, 1, 60, -1, 5, 3, 2, -1, 1, -1, -1, -1},
		},
		"philly.csv": {
			trace.PhillyJob{Line: 2, DurationSeconds: 2240194, GPUs: 8, VC: "7f04ca"},
			trace.PhillyJob{Line: 3, ID: 1, SubmitSeconds: 235696, GPUs: 1, VC: "6214e9"},
			trace.PhillyJob{Line: 4, ID: 7, SubmitSeconds: 235696, DurationSeconds: 99, GPUs: 64, VC: "6214e9"},
		},
	}
	for name, of := range formats {
		text := example(t, name)
		for form, in := range map[string]io.Reader{
			"as it is":            strings.NewReader(text),
			"byte by byte":        iotest.OneByteReader(strings.NewReader(text)),
			"gzipped":             bytes.NewReader(gzipped(text)),
			"CRLF":                strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")),
			"byte order mark":     strings.NewReader("\uFEFF" + text),
			"blank lines at end":  strings.NewReader(text + "\n  \n\n"),
			"no newline at end":   strings.NewReader(strings.TrimSuffix(text, "\n")),
			"gzip of two members": bytes.NewReader(append(gzipped(text[:20]), gzipped(text[20:])...)),
		} {
			got, faults, _ := readAll(of, in, trace.Options{})
			if faults != "" || !reflect.DeepEqual(got, want[name]) {
				t.Errorf("%s, %s: got %+v and errors %q, want %+v", name, form, got, faults, want[name])
			}
		}
	}
}

func TestCSVMayEndLinesWithACommaAndOrderColumnsFreely(t *testing.T) {
	for _, text := range []string{
		"sn,cpu_milli,memory_mib,gpu,model,\na,1,2,3,T4,\nb,1,2,0,,\n",
		"sn,cpu_milli,memory_mib,gpu,model\na,1,2,3,T4,\nb,1,2,0,\n",
		"model , gpu,memory_mib,\"cpu_milli\",sn\nT4,3,2,1,a\n, 0 ,2,1,\"b\"\n",
	} {
		got, faults, _ := readAll(formats["nodes.csv"], strings.NewReader(text), trace.Options{})
		want := []any{
			trace.OpenbNode{Line: 2, Name: "a", MilliCPU: 1, MemoryMiB: 2, GPUs: 3, Model: "T4"},
			trace.OpenbNode{Line: 3, Name: "b", MilliCPU: 1, MemoryMiB: 2},
		}
		if faults != "" || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v and errors %q", text, got, faults)
		}
	}
}

func TestPodListOfFiveColumnsHasNoTimes(t *testing.T) {
	text := "name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1,2,1,300\n"
	got, faults, _ := readAll(formats["pods.csv"], strings.NewReader(text), trace.Options{})
	want := []any{trace.OpenbPod{Line: 2, Name: "p", MilliCPU: 1, MemoryMiB: 2, GPUs: 1, MilliGPU: 300, Scheduled: -1}}
	if faults != "" || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v and errors %q, want %+v", got, faults, want)
	}
}

func TestSWFHeader(t *testing.T) {
	s, err := trace.SWFJobs("log.swf", strings.NewReader(example(t, "log.swf")), trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []trace.HeaderField{
		{"Version", "2.2"}, {"Computer", "test bench"}, {"MaxProcs", "128"},
		{"Note", "submit times are start times, see http://example.org/log"},
		{"Queue", "0 interactive"}, {"Queue", "1 batch"}, {"", "THE LAST COMMENT"},
	}
	if !reflect.DeepEqual(s.Header(), want) {
		t.Errorf("header is %q, want %q", s.Header(), want)
	}
	if v, ok := s.HeaderValue("MaxProcs"); v != "128" || !ok {
		t.Errorf("MaxProcs is %q, %v", v, ok)
	}
	if v, ok := s.HeaderValue("MaxNodes"); ok {
		t.Errorf("MaxNodes is %q, want none", v)
	}
	jobs := 0
	for _, err := range s.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		jobs++
	}
	if jobs != 3 { // the fourth line is a part of a job
		t.Errorf("%d jobs, want 3", jobs)
	}
}

func TestSkippedLinesAreCounted(t *testing.T) {
	var text strings.Builder
	text.WriteString("job_id,submit_s,duration_s,num_gpus,vc\n")
	for i := range 40 {
		vc := "a"
		if i%2 == 1 {
			vc = ""
		}
		fmt.Fprintf(&text, "%d,%d,1,1,%s\n", i, i, vc)
	}
	got, faults, r := readAll(formats["philly.csv"], strings.NewReader(text.String()), trace.Options{SkipBad: true})
	if len(got) != 20 || faults != "" || r.Skipped() != 20 || len(r.SkippedErrors()) != 10 {
		t.Fatalf("%d rows, errors %q, %d skipped, %d kept", len(got), faults, r.Skipped(), len(r.SkippedErrors()))
	}
	if got, want := r.SkippedErrors()[1].Error(), "file:5:9: vc: must not be empty"; got != want {
		t.Errorf("second error is %q, want %q", got, want)
	}
}

func TestACutOrSpoiledFileIsAnErrorEvenWhenLinesAreSkipped(t *testing.T) {
	whole := gzipped(example(t, "log.swf"))
	spoiled := bytes.Clone(whole)
	spoiled[len(spoiled)-6] ^= 1 // in the checksum
	disk := errors.New("disk on fire")
	for _, c := range []struct {
		name string
		in   io.Reader
		want string
	}{
		{"cut in the data", bytes.NewReader(whole[:len(whole)/2]), "the gzip stream is cut short"},
		{"cut in the checksum", bytes.NewReader(whole[:len(whole)-3]), "the gzip stream is cut short"},
		{"cut in the gzip header", bytes.NewReader(whole[:5]), "file:1:1: the gzip stream is cut short"},
		{"wrong checksum", bytes.NewReader(spoiled), "gzip: invalid checksum"},
		{"not deflate", bytes.NewReader([]byte{0x1f, 0x8b, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}), "file:1:1: gzip: invalid header"},
		{"failing disk", iotest.ErrReader(disk), "file:1:1: disk on fire"},
		{"failing disk later", io.MultiReader(strings.NewReader("; a\n; b\n"), iotest.ErrReader(disk)), "file:3:1: disk on fire"},
		{"directory", iotest.ErrReader(&fs.PathError{Op: "read", Path: "file", Err: errors.New("is a directory")}),
			"file:1:1: is a directory"},
	} {
		_, faults, _ := readAll(openSWF, c.in, trace.Options{SkipBad: true})
		if !strings.Contains(faults, c.want) || strings.Contains(faults, "\n") {
			t.Errorf("%s: got %q, want one error with %q", c.name, faults, c.want)
		}
	}
}

func TestAFatalErrorStays(t *testing.T) {
	s, err := trace.SWFJobs("file", bytes.NewReader(gzipped(example(t, "log.swf"))[:150]), trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var first error
	for first == nil {
		_, _, first = s.Next()
	}
	if _, ok, again := s.Next(); ok || again != first {
		t.Errorf("after %v came %v", first, again)
	}
	n := 0
	for _, err := range s.Rows() {
		if n++; err != first || n > 1 {
			t.Fatalf("Rows yields %v as number %d", err, n)
		}
	}
}

func TestLinesThatAreTooLong(t *testing.T) {
	long := strings.Repeat("1 ", trace.MaxLineBytes)
	text := example(t, "log.swf") + long + "\n9 20" + strings.Repeat(" -1", 16)
	got, faults, _ := readAll(openSWF, strings.NewReader(text), trace.Options{})
	if len(got) != 4 || !strings.HasPrefix(faults, `file:18:1: "1 1 `) || !strings.HasSuffix(faults, "is longer than 65536 bytes") {
		t.Errorf("%d rows and errors %q", len(got), faults)
	}
	got, _, r := readAll(openSWF, strings.NewReader(long), trace.Options{SkipBad: true})
	if len(got) != 0 || r.Skipped() != 1 {
		t.Errorf("%d rows, %d skipped; want 0 and 1", len(got), r.Skipped())
	}
	comments := strings.Repeat("; "+strings.Repeat("x", 1000)+"\n", 2000)
	if _, faults, _ := readAll(openSWF, strings.NewReader(comments), trace.Options{}); !strings.Contains(faults, "header comments are longer") {
		t.Errorf("two megabytes of header: errors %q", faults)
	}
}

// BenchmarkSWFJobs reads a log that does not fit into any buffer; the bytes per
// operation show whether memory grows with it.
func BenchmarkSWFJobs(b *testing.B) {
	const jobs = 100_000
	var text strings.Builder
	for i := range jobs {
		fmt.Fprintf(&text, "%6d %9d -1 %7d 1 -1 -1 -1 1200 -1 -1 1 1 -1 -1 1 -1 -1\n", i+1, 5*i, i%5000)
	}
	b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s, err := trace.SWFJobs("log", strings.NewReader(text.String()), trace.Options{})
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			for _, err := range s.Rows() {
				if err != nil {
					b.Fatal(err)
				}
				n++
			}
			if n != jobs {
				b.Fatalf("%d jobs, want %d", n, jobs)
			}
		}
		b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
	})
}
