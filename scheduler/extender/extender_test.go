package extender

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// TestCalls runs testdata/calls.txt: VERB POD [names] [one] [quiet] has an extender, which
// keeps nodes itself with names, asked about both nodes, or the first one; the input is the
// answer. It prints the request, unless it is quiet, and what is made of the answer.
func TestCalls(t *testing.T) {
	datadriven.RunTest(t, "testdata/calls.txt", func(t *testing.T, d *datadriven.TestData) string {
		f := newFixture(t)
		f.says(d.Input)
		x := f.extender(t, Config{NodeCacheCapable: d.HasArg("names")})
		pod := f.pods[d.CmdArgs[0].Key]
		nodes := []cluster.NodeID{f.node(t, "n1"), f.node(t, "n2")}
		if d.HasArg("one") {
			nodes = nodes[:1]
		}
		var out strings.Builder
		var err error
		switch d.Cmd {
		case "filter":
			var got scheduler.Filtered
			got, err = x.Filter(context.Background(), pod, nodes)
			f.show(&out, got)
		case "prioritize":
			var scores []scheduler.NodeScore
			scores, err = x.Prioritize(context.Background(), pod, nodes)
			for _, s := range scores {
				fmt.Fprintf(&out, "%s %d\n", f.c.Node(s.Node).Name, s.Score)
			}
		case "preempt":
			var left []scheduler.Candidate
			left, err = x.Preempt(context.Background(), pod, []scheduler.Candidate{{Node: nodes[0], Victims: []cluster.PodID{f.pods["old"]}, Violations: 3}})
			for _, k := range left {
				fmt.Fprintf(&out, "%s, %d violations:", f.c.Node(k.Node).Name, k.Violations)
				for _, v := range k.Victims {
					out.WriteString(" " + f.c.Pod(v).Name)
				}
				out.WriteString("\n")
			}
		case "bind":
			err = x.Bind(context.Background(), pod, nodes[0])
		default:
			t.Fatalf("unknown command %s", d.Cmd)
		}
		if err != nil {
			fmt.Fprintf(&out, "error: %v\n", strings.ReplaceAll(err.Error(), f.url, "URL"))
		}
		if d.HasArg("quiet") {
			return out.String()
		}
		return f.asked + "\n" + out.String()
	})
}

func (f *fixture) show(out *strings.Builder, got scheduler.Filtered) {
	out.WriteString("passed:")
	for _, n := range got.Nodes {
		out.WriteString(" " + f.c.Node(n).Name)
	}
	if got.ReturnedObjects {
		out.WriteString(" (as objects)")
	}
	out.WriteString("\n")
	for _, n := range got.Failed {
		fmt.Fprintf(out, "%s (%d, code %d): %s\n", n.Name, n.Node, n.Code, n.Message)
	}
}

func TestFailures(t *testing.T) {
	release := make(chan struct{})
	hang := func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	}
	defer close(release)
	tests := []struct {
		name   string
		cfg    Config
		answer http.HandlerFunc
		want   string
	}{
		{"not 200", Config{}, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) },
			"failed filter with extender at URL URL/x/filter, code 418"},
		{"201 is not 200", Config{}, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated) }, "code 201"},
		{"nonsense", Config{}, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
			"invalid character '<' looking for beginning of value"},
		{"nothing", Config{}, func(http.ResponseWriter, *http.Request) {}, "EOF"},
		{"cut off", Config{}, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"Nodes`) }, "unexpected EOF"},
		{"hangs up", Config{}, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, `Post "URL/x/filter": EOF`},
		{"hangs", Config{Timeout: 50 * time.Millisecond}, hang, "(Client.Timeout exceeded while awaiting headers)"},
		{"hangs in its answer", Config{Timeout: 50 * time.Millisecond}, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, `{"NodeNames":`)
			w.(http.Flusher).Flush()
			hang(w, r)
		}, "(Client.Timeout or context cancellation while reading body)"},
		{"huge", Config{Timeout: time.Minute}, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"Error":"`)
			for range maxAnswer >> 20 {
				_, _ = io.WriteString(w, strings.Repeat("a", 1<<20))
			}
			_, _ = io.WriteString(w, `"}`)
		}, "the answer of the extender at URL URL/x/filter is larger than 64 MiB"},
		{"no URL", Config{URLPrefix: "nowhere"}, nil, `Post "nowhere/filter": unsupported protocol scheme ""`},
		{"no server", Config{URLPrefix: "http://127.0.0.1:1"}, nil, "connect: connection refused"},
		{"broken URL", Config{URLPrefix: "http://a b"}, nil, "invalid character"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.answer = tt.answer
			_, err := f.extender(t, tt.cfg).Filter(context.Background(), f.pods["web"], []cluster.NodeID{0})
			if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), f.url, "URL"), tt.want) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
}

// An answer of the largest size is read.
func TestLargestAnswer(t *testing.T) {
	f := newFixture(t)
	const frame = len(`{"Error":""}`)
	f.says(`{"Error":"` + strings.Repeat("a", maxAnswer-frame) + `"}`)
	_, err := f.extender(t, Config{Timeout: time.Minute}).Filter(context.Background(), f.pods["web"], []cluster.NodeID{0})
	if err == nil || len(err.Error()) != maxAnswer-frame {
		t.Error("an answer of the largest size is not read to its end")
	}
}

// The client does not wait for what comes behind an answer.
func TestAnswerThatGoesOn(t *testing.T) {
	for _, length := range []string{"", "2000000"} {
		f := newFixture(t)
		f.answer = func(w http.ResponseWriter, r *http.Request) {
			if length != "" {
				w.Header().Set("Content-Length", length)
			}
			_, _ = io.WriteString(w, `{"NodeNames":["n1"]}`)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}
		x := f.extender(t, Config{Timeout: time.Hour, NodeCacheCapable: true})
		got, err := x.Filter(context.Background(), f.pods["web"], []cluster.NodeID{0})
		if err != nil || len(got.Nodes) != 1 {
			t.Errorf("length %q: %v, %v", length, got, err)
		}
	}
}

// A connection serves several calls, whether or not an answer says how long it is.
func TestConnectionsAreUsedAgain(t *testing.T) {
	f := newFixture(t)
	connections := map[string]bool{}
	f.answer = func(w http.ResponseWriter, r *http.Request) {
		connections[r.RemoteAddr] = true
		_, _ = io.WriteString(w, `{"NodeNames":["n1"]`)
		w.(http.Flusher).Flush()
		_, _ = io.WriteString(w, "}\n"+strings.Repeat(" ", 1000))
	}
	x := f.extender(t, Config{NodeCacheCapable: true})
	for range 5 {
		if _, err := x.Filter(context.Background(), f.pods["web"], []cluster.NodeID{0}); err != nil {
			t.Fatal(err)
		}
	}
	if len(connections) != 1 {
		t.Errorf("%d connections for 5 calls", len(connections))
	}
}

func TestCanceled(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithCancel(context.Background())
	f.answer = func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() }
	if err := f.extender(t, Config{}).Bind(ctx, f.pods["web"], 0); err == nil || !strings.Contains(err.Error(), "context canceled") {
		t.Errorf("error = %v", err)
	}
}

func TestIsInterested(t *testing.T) {
	f := newFixture(t)
	tests := []struct {
		managed []string
		pod     string
		want    bool
	}{
		{nil, "web", true},
		{[]string{"example.com/gpu"}, "web", false},
		{[]string{"example.com/fpga", "example.com/gpu"}, "gpu", true},
		{[]string{"example.com/fpga"}, "gpu", false},
	}
	for _, tt := range tests {
		x := f.extender(t, Config{Managed: tt.managed})
		for range 2 { // the second answer is remembered
			if got := x.IsInterested(f.c.Pod(f.pods[tt.pod]).Class); got != tt.want {
				t.Errorf("manages %v, pod %s: interested %v", tt.managed, tt.pod, got)
			}
		}
	}
}

// A node is sent as it is now.
func TestNodeChanges(t *testing.T) {
	f := newFixture(t)
	f.says(`{}`)
	x := f.extender(t, Config{})
	for _, cordoned := range []bool{false, true, false} {
		spec := f.c.Node(0).NodeSpec
		spec.Unschedulable = cordoned
		f.c.UpdateNode(0, spec)
		if _, err := x.Filter(context.Background(), f.pods["web"], []cluster.NodeID{0}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(f.asked, `"unschedulable": true`) != cordoned {
			t.Errorf("cordoned %v, sent %s", cordoned, f.asked)
		}
	}
}

func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"NodeNames":["n1"]}`) }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	ca := pemOf(server.Certificate().Raw)
	tests := []struct {
		name string
		cfg  Config
		want string // part of the error; empty: none
	}{
		{"nobody vouches", Config{}, "certificate signed by unknown authority"},
		{"HTTPS without a CA does not verify", Config{EnableHTTPS: true}, ""},
		{"insecure", Config{TLS: &TLS{Insecure: true}}, ""},
		{"a CA", Config{EnableHTTPS: true, TLS: &TLS{CA: ca}}, ""},
		{"a CA and its name", Config{TLS: &TLS{CA: ca, ServerName: "example.com"}}, ""},
		{"another name", Config{TLS: &TLS{CA: ca, ServerName: "elsewhere.org"}}, "certificate is valid for"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			tt.cfg.URLPrefix, tt.cfg.NodeCacheCapable = server.URL, true
			_, err := f.extender(t, tt.cfg).Filter(context.Background(), f.pods["web"], []cluster.NodeID{0})
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
}

func TestUnusableTLS(t *testing.T) {
	ca := pemOf([]byte{1})
	tests := []struct {
		cfg  Config
		want string
	}{
		{Config{TLS: &TLS{CA: ca, Insecure: true}}, "specifying a root certificates file with the insecure flag is not allowed"},
		{Config{TLS: &TLS{CA: []byte("no PEM")}}, "unable to load root certificates"},
		{Config{TLS: &TLS{Cert: ca, Key: ca}}, "tls: "},
	}
	for _, tt := range tests {
		if err := tt.cfg.Check(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error = %v, want %q", tt.cfg.TLS, err, tt.want)
		}
		if _, err := New([]Config{tt.cfg}, nil, nil); err == nil {
			t.Errorf("%+v: an extender is made", tt.cfg.TLS)
		}
	}
	for _, fine := range []Config{{}, {TLS: &TLS{}}, {TLS: &TLS{Cert: ca}}} {
		if err := fine.Check(); err != nil {
			t.Errorf("%+v: %v", fine.TLS, err)
		}
	}
}
