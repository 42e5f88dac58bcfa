package document

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestScripts runs the scripts in testdata/scripts. Commands:
//
//	parse                       the documents: position, then the JSON form
//	decode into=KIND [at=PATH]  every document (or the part of it at PATH) as a KIND, as JSON
//	errorf path=PATH            the fault "must be positive" reported at PATH
//	marshal into=KIND           every document as a KIND, written as YAML
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			docs, err := Parse("in.yaml", []byte(d.Input))
			if err != nil {
				return err.Error() + "\n"
			}
			var out strings.Builder
			for _, doc := range docs {
				out.WriteString(runCommand(t, d, doc.Root()))
			}
			return out.String()
		})
	})
}

func runCommand(t *testing.T, d *datadriven.TestData, v Value) string {
	switch d.Cmd {
	case "parse":
		data, err := v.MarshalJSON()
		if err != nil {
			return err.Error() + "\n"
		}
		return fmt.Sprintf("%d:%d %v %s\n", v.Line(), v.Col(), v.Kind(), data)
	case "errorf":
		var path string
		d.ScanArgs(t, "path", &path)
		return v.Errorf(path, "must be positive").Error() + "\n"
	case "decode", "marshal":
		into := newKind(t, d)
		if path := ""; d.MaybeScanArgs(t, "at", &path) {
			v = v.Find(path)
		}
		if err := Decode(v, into); err != nil {
			return err.Error() + "\n"
		}
		write := json.Marshal
		if d.Cmd == "marshal" {
			write = Marshal
		}
		data, err := write(into)
		if err != nil {
			return err.Error() + "\n"
		}
		return strings.TrimSuffix(string(data), "\n") + "\n"
	}
	t.Fatalf("no such command: %s", d.Cmd)
	return ""
}

func newKind(t *testing.T, d *datadriven.TestData) any {
	var kind string
	d.ScanArgs(t, "into", &kind)
	switch kind {
	case "pod":
		return new(pod)
	case "scenario":
		return new(scenario)
	case "any":
		return new(any)
	}
	t.Fatalf("no such kind: %s", kind)
	return nil
}
