package record_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/model/record/recordtest"
)

// linesOf are the lines of a log.
func linesOf(t testing.TB, log []record.Record) []string {
	t.Helper()
	var file bytes.Buffer
	w := record.NewWriter(&file)
	for i := range log {
		if err := w.Write(&log[i]); err != nil {
			t.Fatal(err)
		}
	}
	return strings.Split(strings.TrimSuffix(file.String(), "\n"), "\n")
}

// compareParsers parses a line in both ways.
func compareParsers(t *testing.T, p *record.Parser, line string) {
	t.Helper()
	want, wantErr := record.Decode([]byte(line))
	got, err := p.Parse([]byte(line))
	if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
		t.Fatalf("%s: error is %v, want %v", line, err, wantErr)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: scanned as\n%+v, want\n%+v", line, got, want)
	}
}

func TestScannedRecordsAreParsedOnes(t *testing.T) {
	var log []record.Record
	recordtest.Random(3, 2_000, 20, func(r *record.Record) { log = append(log, *r) })
	lines := append(linesOf(t, log), linesOf(t, oneOfEach())...)
	var p record.Parser
	scanned := 0
	for _, line := range lines {
		compareParsers(t, &p, line)
		var r record.Record
		if (&record.Parser{}).Scan([]byte(line), &r) {
			scanned++
		}
	}
	if scanned*10 < len(lines)*8 {
		t.Errorf("%d of %d lines were scanned, want most", scanned, len(lines))
	}
	for _, line := range []string{
		`{"t":0,"kind":"bind","pod":1,"pod":2,"node":3}`,
		`{"t":0,"kind":"bind","pod":01,"node":3}`,
		`{"t":0,"kind":"bind","pod":1,"node":3000000000}`,
		`{"t":0,"kind":"bind","pod":-0,"node":-1}`,
		`{"t":0,"kind":"bind","pod":1,"node":3,"text":"x"}`,
		`{"t":0, "kind":"bind","pod":1,"node":3}`,
		`{"t":0,"kind":"gate","pod":1,"text":"a\u00e9\"b"}`,
		`{"t":0,"kind":"gate","pod":1,"text":"é"}`,
		`{"t":99999999999999999999,"kind":"end"}`,
		`{"t":1,"kind":"end"`, `{"t":1,"kind":"end"}}`, `{"t":1,"kind":"end",}`, `{"t":-,"kind":"end"}`, ``,
	} {
		compareParsers(t, &p, line)
	}
}

func FuzzScannedRecords(f *testing.F) {
	for _, line := range linesOf(f, oneOfEach()) {
		f.Add(line)
	}
	var p record.Parser
	f.Fuzz(func(t *testing.T, line string) { compareParsers(t, &p, line) })
}

func BenchmarkRead(b *testing.B) {
	var log []record.Record
	recordtest.Random(1, 20_000, 200, func(r *record.Record) { log = append(log, *r) })
	text := strings.Join(linesOf(b, log), "\n")
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, err := range record.Read("f", strings.NewReader(text)) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != len(log) {
			b.Fatalf("%d records were read, want %d", n, len(log))
		}
	}
	b.ReportMetric(float64(len(log)*b.N)/b.Elapsed().Seconds(), "records/s")
}
