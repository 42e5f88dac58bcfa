package config

import (
	"os"
	"path/filepath"
	"time"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/extender"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
)

type extenderSection struct {
	URLPrefix        string            `json:"urlPrefix"`
	FilterVerb       string            `json:"filterVerb"`
	PreemptVerb      string            `json:"preemptVerb"`
	PrioritizeVerb   string            `json:"prioritizeVerb"`
	Weight           int64             `json:"weight"`
	BindVerb         string            `json:"bindVerb"`
	EnableHTTPS      bool              `json:"enableHTTPS"`
	TLSConfig        *tlsSection       `json:"tlsConfig"`
	HTTPTimeout      span              `json:"httpTimeout"`
	NodeCacheCapable bool              `json:"nodeCacheCapable"`
	ManagedResources []managedResource `json:"managedResources"`
	Ignorable        bool              `json:"ignorable"`
}

type managedResource struct {
	Name               string `json:"name"`
	IgnoredByScheduler bool   `json:"ignoredByScheduler"`
}

type tlsSection struct {
	Insecure   bool   `json:"insecure"`
	ServerName string `json:"serverName"`
	CertFile   string `json:"certFile"`
	KeyFile    string `json:"keyFile"`
	CAFile     string `json:"caFile"`
	CertData   []byte `json:"certData"`
	KeyData    []byte `json:"keyData"`
	CAData     []byte `json:"caData"`
}

// extenders reads the extenders, and has NodeResourcesFit ignore what they manage and say
// that it should.
//
// Upstream: validateExtenders in pkg/scheduler/apis/config/validation/validation.go and buildExtenders in
// pkg/scheduler/scheduler.go, v1.36.3.
func (f *reading) extenders(sections []document.Value) {
	ignored := f.extenderList(sections, func(v document.Value) extenderSection {
		var s extenderSection
		f.errors.Append(document.Decode(v, &s))
		return s
	})
	if len(ignored) > 0 {
		f.ignoreResources(ignored)
	}
}

// extenderList checks the extenders that decode reads, and returns the resources that the
// scheduler should ignore.
func (f *reading) extenderList(sections []document.Value, decode func(document.Value) extenderSection) []string {
	managed := map[string]bool{}
	var ignored []string
	binder := document.Value{}
	for _, v := range sections {
		s := decode(v)
		if s.PrioritizeVerb != "" && s.Weight <= 0 {
			f.errors.Add(v, "weight", "must be greater than 0 where there is a prioritizeVerb")
		}
		if s.BindVerb != "" && binder.Exists() {
			f.errors.Add(v, "bindVerb", "is set for %s already: only one extender can bind", binder.Path())
		} else if s.BindVerb != "" {
			binder = v
		}
		for i, r := range s.ManagedResources {
			path := document.Path("managedResources", i, "name")
			switch {
			case !isExtendedResource(r.Name):
				f.errors.Add(v, path, "is not the name of an extended resource")
			case managed[r.Name]:
				f.errors.Add(v, path, "is listed twice among the extenders")
			}
			managed[r.Name] = true
			if r.IgnoredByScheduler {
				ignored = append(ignored, r.Name)
			}
		}
		f.policy.Extenders = append(f.policy.Extenders, f.extender(v, &s))
	}
	return ignored
}

func (f *reading) extender(v document.Value, s *extenderSection) extender.Config {
	cfg := extender.Config{
		URLPrefix: s.URLPrefix, FilterVerb: s.FilterVerb, PrioritizeVerb: s.PrioritizeVerb, PreemptVerb: s.PreemptVerb,
		BindVerb: s.BindVerb, Weight: s.Weight, EnableHTTPS: s.EnableHTTPS, Timeout: time.Duration(s.HTTPTimeout),
		NodeCacheCapable: s.NodeCacheCapable, Ignorable: s.Ignorable,
	}
	for _, r := range s.ManagedResources {
		cfg.Managed = append(cfg.Managed, r.Name)
	}
	if s.HTTPTimeout < 0 {
		f.errors.Add(v, "httpTimeout", "must not be negative: kube-scheduler would wait forever")
	}
	if field, what := cfg.Misconfiguration(); what != "" {
		f.policy.Warnings.Add(v, field, "%s", what)
	}
	faults := len(f.errors)
	cfg.TLS = f.tls(v.Get("tlsConfig"), s)
	if len(f.errors) > faults {
		return cfg
	}
	if err := cfg.Check(); err != nil {
		f.errors.Add(v, "tlsConfig", "cannot be used: %v", err)
	}
	return cfg
}

// tls reads the files of a TLS configuration, nil if TLS is not configured. Data overrides
// a file, whose path is relative to the configuration.
func (f *reading) tls(v document.Value, x *extenderSection) *extender.TLS {
	s := x.TLSConfig
	if s == nil {
		return nil
	}
	given := func(path string, data []byte) bool { return path != "" || len(data) > 0 }
	pair := given(s.CertFile, s.CertData) && given(s.KeyFile, s.KeyData)
	if !x.EnableHTTPS && !s.Insecure && s.ServerName == "" && !pair && !given(s.CAFile, s.CAData) {
		return nil
	}
	read := func(field, path string, data []byte) []byte {
		if len(data) > 0 || path == "" {
			return data
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(f.root.File()), path)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			f.errors.Add(v, field, "cannot be read: %s", document.ReadError(path, err).What)
			return nil
		}
		f.policy.Files = append(f.policy.Files, path)
		return data
	}
	return &extender.TLS{
		Insecure: s.Insecure, ServerName: s.ServerName,
		Cert: read("certFile", s.CertFile, s.CertData), Key: read("keyFile", s.KeyFile, s.KeyData), CA: read("caFile", s.CAFile, s.CAData),
	}
}

// ignoreResources puts these resources in the place of those that the arguments of
// NodeResourcesFit ignore.
func (f *reading) ignoreResources(names []string) {
	for i := range f.policy.Profiles {
		p := &f.policy.Profiles[i]
		args, given := p.Args[fit].(plugins.FitArgs)
		if !given {
			if !runs(p, fit) {
				f.errors.Add(f.root, "extenders", "have resources ignored by the scheduler, which needs %s in profile %q", fit, p.SchedulerName)
				continue
			}
			args = plugins.FitArgs{Strategy: plugins.DefaultStrategy()}
		}
		args.IgnoredResources = names
		p.Args[fit] = args
	}
}

// runs reports whether the profile has the plugin.
func runs(p *scheduler.ProfileConfig, plugin string) bool {
	for _, refs := range p.Points {
		for _, ref := range refs {
			if ref.Name == plugin {
				return true
			}
		}
	}
	return false
}
