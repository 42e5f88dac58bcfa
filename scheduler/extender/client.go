package extender

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// maxAnswer is the largest answer that is read, in bytes.
const maxAnswer = 64 << 20

// What is read after what counts, so that the connection can be used again: at most so many
// bytes, for as long as that. A new connection costs less.
const (
	maxRest     = 64 << 10
	maxRestTime = 20 * time.Millisecond
)

// TLS is how to talk to an extender over TLS; Cert, Key and CA are PEM.
type TLS struct {
	Insecure      bool   // certificates are not verified
	ServerName    string // that certificates are verified for; empty: that of the URL
	Cert, Key, CA []byte
}

// Check says what keeps the extender from being called at all; nil if nothing does.
func (c Config) Check() error {
	_, err := newClient(c)
	return err
}

func newClient(c Config) (*http.Client, error) {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}
	var err error
	if transport.TLSClientConfig, err = c.tls(); err != nil {
		return nil, err
	}
	return &http.Client{Transport: transport, Timeout: cmp.Or(c.Timeout, DefaultTimeout)}, nil
}

// tls is nil where nothing is configured.
//
// Upstream: makeTransport, pkg/scheduler/extender.go, v1.36.3, and TLSConfigFor,
// k8s.io/client-go/transport/transport.go, v0.36.3.
func (c Config) tls() (*tls.Config, error) {
	var t TLS
	if c.TLS != nil {
		t = *c.TLS
	}
	if c.EnableHTTPS && len(t.CA) == 0 {
		t.Insecure = true
	}
	hasCert := len(t.Cert) > 0 && len(t.Key) > 0
	if len(t.CA) == 0 && !hasCert && !t.Insecure && t.ServerName == "" {
		return nil, nil
	}
	if len(t.CA) > 0 && t.Insecure {
		return nil, errors.New("specifying a root certificates file with the insecure flag is not allowed")
	}
	out := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: t.Insecure, ServerName: t.ServerName}
	if len(t.CA) > 0 {
		out.RootCAs = x509.NewCertPool()
		if !out.RootCAs.AppendCertsFromPEM(t.CA) {
			return nil, errors.New("unable to load root certificates: there is none")
		}
	}
	if hasCert {
		pair, err := tls.X509KeyPair(t.Cert, t.Key)
		if err != nil {
			return nil, err
		}
		out.Certificates = []tls.Certificate{pair}
	}
	return out, nil
}

// url is where the calls of a verb go.
func (c Config) url(verb string) string { return strings.TrimRight(c.URLPrefix, "/") + "/" + verb }

// Misconfiguration says why no call of the extender can succeed, or why there is none, and which field
// is to blame; empty where nothing is known against it.
func (c Config) Misconfiguration() (field, what string) {
	verb := cmp.Or(c.FilterVerb, c.PrioritizeVerb, c.PreemptVerb, c.BindVerb)
	if verb == "" {
		return "", "has no verb, so this extender is never called"
	}
	u, err := url.Parse(c.url(verb))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "urlPrefix", "is not a URL of http or https, so every call of this extender fails"
	}
	return "", ""
}

// send posts args and reads the answer, of which what follows the first JSON value is
// ignored.
//
// Upstream: send, pkg/scheduler/extender.go, v1.36.3.
func (x *Extender) send(ctx context.Context, verb string, args, answer any) error {
	text, err := json.Marshal(args)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	to := x.url(verb)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := x.client.Do(req)
	if err != nil {
		return err
	}
	defer func() {
		enough, done := context.WithTimeout(ctx, maxRestTime)
		defer done()
		context.AfterFunc(enough, cancel)
		_, _ = io.CopyN(io.Discard, resp.Body, maxRest)
		_ = resp.Body.Close()
	}()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("failed %v with extender at URL %v, code %v", verb, to, resp.StatusCode)
	}
	return json.NewDecoder(&bounded{resp.Body, maxAnswer, to}).Decode(answer)
}

// bounded reads so many bytes and then fails, unless there are no more.
type bounded struct {
	from io.Reader
	left int64
	url  string
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		if n, err := b.from.Read(make([]byte, 1)); n == 0 {
			return 0, err
		}
		return 0, fmt.Errorf("the answer of the extender at URL %v is larger than %d MiB", b.url, maxAnswer>>20)
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
