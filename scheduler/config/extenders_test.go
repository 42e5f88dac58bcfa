package config

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestFilesOfExtenders: the files of a TLS configuration are told, so that a run can note them;
// what is given as data, and what is not looked at, is not a file.
func TestFilesOfExtenders(t *testing.T) {
	dir := t.TempDir()
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	template := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file := func(name, kind string, text []byte) string {
		path := filepath.Join(dir, name)
		if kind != "" {
			text = pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: text})
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	want := []string{
		file("cert.pem", "CERTIFICATE", certificate), file("key.pem", "PRIVATE KEY", secret), file("ca.pem", "CERTIFICATE", certificate),
	}
	policy := file("policy.yaml", "", []byte(header+`
extenders:
  - {urlPrefix: "https://a", filterVerb: f, tlsConfig: {certFile: cert.pem, keyFile: key.pem, caFile: `+want[2]+`}}
  - {urlPrefix: "https://b", filterVerb: f, tlsConfig: {certFile: cert.pem}}
`))
	p, err := testReader().Read(policy)
	if err != nil || !slices.Equal(p.Files, want) {
		t.Errorf("files %v, %v, want %v", p.Files, err, want)
	}
}
