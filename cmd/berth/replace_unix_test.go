//go:build unix

package main

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
)

// writers are the verbs that write a file, and how that file begins.
var writers = []struct {
	name, file, begins string
	args               []string
}{
	{"check", "base.json", `{`, []string{"check", "gated.yaml", "--seeds", "2", "--update", "--baseline", "base.json"}},
	{"schema", "schema.json", `{`, []string{"schema", "gate", "--out", "schema.json"}},
	{"init", "starter.yaml", `#`, []string{"init", "--force", "--out", "starter.yaml"}},
	{"import", "openb/scenario.yaml", `apiVersion`, []string{
		"import", "openb", "--nodes", "nodes.csv", "--pods", "pods.csv", "--force", "--out", "openb",
	}},
	{"import of manifests", "openb/manifests.yaml", `apiVersion`, []string{
		"import", "openb", "--nodes", "nodes.csv", "--pods", "pods.csv", "--force", "--manifests", "--out", "openb",
	}},
	{"report", "page.html", `<!doctype html>`, []string{"report", "run", "--out", "page.html"}},
	{"report in Markdown", "page.md", ``, []string{"report", "run", "-o", "markdown", "--out", "page.md"}},
}

// beforeWriting makes the working directory one with what the writers read.
func beforeWriting(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"gated.yaml": gated,
		"nodes.csv":  "sn,cpu_milli,memory_mib,gpu,model\nnode-0,64000,262144,2,P100\n",
		"pods.csv": "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n" +
			"pod-0,12000,16384,1,1000,,LS,Running,0,600,0\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("openb", 0o755); err != nil {
		t.Fatal(err)
	}
	if r := berth(t.Context(), 80, "run", "gated.yaml", "--out", "run"); r.code != exitDone {
		t.Fatalf("no run: %+v", r)
	}
}

// What is written to is what a link leads to; the link stays.
func TestWritersFollowLinks(t *testing.T) {
	beforeWriting(t)
	for _, w := range writers {
		t.Run(w.name, func(t *testing.T) {
			_ = os.RemoveAll("openb/scenario.yaml") // of another import
			real := strings.ReplaceAll(w.name, " ", "-")
			if err := os.Symlink(strings.Repeat("../", strings.Count(w.file, "/"))+real, w.file); err != nil {
				t.Fatal(err)
			}
			if r := berth(t.Context(), 80, w.args...); r.code != exitDone {
				t.Fatalf("%+v", r)
			}
			if info, err := os.Lstat(w.file); err != nil || info.Mode()&fs.ModeSymlink == 0 {
				t.Errorf("the link became %v, %v", info, err)
			}
			if text, err := os.ReadFile(real); err != nil || !strings.HasPrefix(strings.TrimSpace(string(text)), w.begins) || len(text) == 0 {
				t.Errorf("what it leads to is %q, %v", text[:min(40, len(text))], err)
			}
		})
	}
}

// A pipe is written to, and stays one.
func TestWritersWriteToPipes(t *testing.T) {
	beforeWriting(t)
	for _, w := range writers {
		t.Run(w.name, func(t *testing.T) {
			_ = os.RemoveAll("openb/scenario.yaml")
			if err := syscall.Mkfifo(w.file, 0o600); errors.Is(err, errors.ErrUnsupported) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			read := make(chan string, 1)
			go func() {
				text, _ := os.ReadFile(w.file)
				read <- string(text)
			}()
			r := berth(t.Context(), 80, w.args...)
			if info, err := os.Lstat(w.file); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
				t.Fatalf("the pipe became %v, %v: %+v", info, err, r)
			}
			if text := <-read; r.code != exitDone || !strings.HasPrefix(strings.TrimSpace(text), w.begins) || text == "" {
				t.Errorf("%q came through the pipe: %+v", text[:min(40, len(text))], r)
			}
		})
	}
}
