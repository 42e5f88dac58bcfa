package main

import (
	"encoding/json"
	"os"
	"runtime/debug"
	"strings"
	"time"
)

// bill is a bill of materials in the format of CycloneDX 1.6: which modules a binary was made of. It has no serial number
// and no time but that of the commit, so that the same binary has the same bill.
type bill struct {
	Schema      string       `json:"$schema"`
	Format      string       `json:"bomFormat"`
	SpecVersion string       `json:"specVersion"`
	Version     int          `json:"version"`
	Metadata    billMetadata `json:"metadata"`
	Components  []component  `json:"components"`
	// Dependencies says that the program depends on every module. Which module needs which, a binary does not know.
	Dependencies []dependency `json:"dependencies"`
}

type billMetadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

// component is the program, a module or the standard library.
type component struct {
	Ref        string     `json:"bom-ref"`
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Licenses   []license  `json:"licenses,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type license struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// newBill returns the bill of materials of a binary.
func newBill(id identity, binary string) (*bill, error) {
	sum, err := sumOf(binary)
	if err != nil {
		return nil, err
	}
	program := moduleComponent("application", &id.Main)
	program.Hashes = []hash{{"SHA-256", sum}}
	program.Licenses = make([]license, 1)
	program.Licenses[0].License.ID = "Apache-2.0"
	program.Properties = []property{{"vcs.revision", id.commit}}
	for _, s := range id.Settings {
		switch s.Key {
		case "GOOS", "GOARCH", "CGO_ENABLED":
			program.Properties = append(program.Properties, property{s.Key, s.Value})
		}
	}
	b := &bill{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata: billMetadata{id.time.UTC().Format(time.RFC3339), program},
	}
	standard := &debug.Module{Path: "std", Version: strings.TrimPrefix(id.GoVersion, "go")}
	uses := dependency{Ref: program.Ref}
	for _, m := range append([]*debug.Module{standard}, id.Deps...) {
		c := moduleComponent("library", m)
		b.Components = append(b.Components, c)
		uses.DependsOn = append(uses.DependsOn, c.Ref)
	}
	b.Dependencies = []dependency{uses}
	return b, nil
}

// moduleComponent returns a module as it was built: its replacement where it has one.
func moduleComponent(kind string, m *debug.Module) component {
	if m.Replace != nil {
		m = m.Replace
	}
	name := "pkg:golang/" + m.Path + "@" + strings.ReplaceAll(m.Version, "+", "%2B")
	c := component{Ref: name, Type: kind, Name: m.Path, Version: m.Version, PURL: name}
	if m.Sum != "" {
		c.Properties = []property{{"go.sum", m.Sum}}
	}
	return c
}

// write writes the bill as JSON.
func (b *bill) write(to *os.File) error {
	out := json.NewEncoder(to)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(b)
}
