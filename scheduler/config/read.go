package config

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

// Reader reads configurations of schedulers that have the plugins of Registry.
type Reader struct {
	// Registry decides which plugins exist. The factory of each plugin that is
	// enabled is called once while reading, to learn its extension points.
	Registry scheduler.Registry
	// Affinity compiles a Kubernetes NodeAffinity, for the addedAffinity of
	// NodeAffinity, against the vocabulary of the cluster that the policy is for. It refuses
	// terms that cannot be evaluated. Without it an addedAffinity is an error.
	Affinity func(document.Value) (cluster.NodeSelector, []cluster.PreferredTerm, error)
	// Vocabulary is that of the cluster that the policy is for. Without it default spread
	// constraints are an error.
	Vocabulary *cluster.Vocabulary
	// Rules are those of the Kubernetes release that the policy is for; nil: of the newest.
	Rules *release.Rules
	// Drop names plugins that every profile goes without, and Unknown for all that do not exist here. What is left out
	// is a warning of the policy.
	Drop []string
}

// Read reads the KubeSchedulerConfiguration or Policy that name chooses: FILE or FILE#CHOICE. It may be the whole file,
// a document among others, or a text in a ConfigMap. CHOICE is the name of one of its profiles, the key of the ConfigMap,
// or its number in the file, from 1. The error is a *document.Error or document.Errors and names every fault.
func (r Reader) Read(name string) (Policy, error) {
	file, choice := Split(name)
	data, err := os.ReadFile(file)
	if err != nil {
		return Policy{}, document.ReadError(file, err)
	}
	docs, err := document.Parse(file, data)
	if err != nil {
		return Policy{}, err
	}
	if len(docs) == 0 {
		return Policy{}, &document.Error{File: file, What: "is empty, not a " + kind}
	}
	found := search(docs, data)
	if err := found.faults.Err(); err != nil {
		return Policy{}, err
	}
	if len(found.found) == 0 {
		if _, err := r.Parse(docs[0]); len(docs) == 1 && found.others[0] != "ConfigMap" && !found.foreign() {
			return Policy{}, err
		}
		return Policy{}, &document.Error{File: file, What: fmt.Sprintf("holds no %s, but %s", kind, strings.Join(found.others, ", "))}
	}
	chosen, err := found.choose(file, choice)
	if err != nil {
		return Policy{}, err
	}
	policy, err := r.Parse(chosen.doc)
	if err != nil {
		return Policy{}, err
	}
	policy.Name, policy.File, policy.Source, policy.Skipped = name, file, data, found.skipped(file)
	return policy, nil
}

// Parse is like Read, for a document that has been read already; Source stays nil.
func (r Reader) Parse(doc *document.Document) (Policy, error) {
	if read := legacyForm(doc.Root()); read != nil {
		return r.legacy(doc.Root(), read)
	}
	f := reading{reader: r, rules: new(release.OrNewest(r.Rules)), root: doc.Root(), met: map[string]bool{}}
	if !f.header() {
		return Policy{}, f.errors.Err()
	}
	c := f.configuration()
	f.policy.Name = f.root.File()
	f.profiles(c)
	f.backoff(c)
	if c.Parallelism != nil && *c.Parallelism <= 0 {
		f.errors.Add(f.root, "parallelism", "must be greater than 0")
	}
	f.extenders(c.Extenders)
	f.forgotten(c)
	f.converted()
	f.neverMet()
	if err := f.errors.Err(); err != nil {
		return Policy{}, err
	}
	f.policy.Warnings = inOrder(f.policy.Warnings)
	return f.policy, nil
}

// configuration decodes the file.
func (f *reading) configuration() *configuration {
	if f.version.isCurrent() {
		var c configuration
		f.errors.Append(document.Decode(f.root, &c))
		return &c
	}
	var beta betaConfiguration
	f.errors.Append(document.Decode(f.root, &beta))
	return &beta.configuration
}

// inOrder sorts warnings as errors are sorted.
func inOrder(warnings document.Errors) document.Errors {
	var sorted document.Errors
	sorted.Append(warnings.Err())
	return sorted
}

// reading is one configuration being read.
type reading struct {
	reader Reader
	root   document.Value
	policy Policy
	errors document.Errors
	first  *profile // that the queueSort of the others is held against

	rules   *release.Rules
	version *version // of the file
	lost    []string // plugins of that version that are not carried over

	met map[string]bool // plugins that are left out
}

// header returns whether the document is of the kind that is read.
func (f *reading) header() bool {
	if f.root.Kind() != document.Map {
		f.errors.Add(f.root, "", "is %s, not a %s", f.root.Kind(), kind)
		return false
	}
	// The kind comes first: it says best what the file is.
	for _, field := range []struct {
		name string
		ok   func(string) bool
	}{
		{"kind", func(text string) bool { return text == kind }},
		{"apiVersion", func(text string) bool { f.version = versionOf(text); return f.version != nil }},
	} {
		v := f.root.Get(field.name)
		switch {
		case !v.Exists():
			f.errors.Add(f.root, field.name, "is missing; a policy is a %s of %s", kind, apiVersion)
			return false
		case v.Kind() != document.String || !field.ok(v.Text()):
			f.errors.Add(v, "", "is not supported; a policy is a %s of %s", kind, apiVersion)
			return false
		}
	}
	return true
}

// backoff reads the two bounds.
//
// Upstream: ValidateKubeSchedulerConfiguration in pkg/scheduler/apis/config/validation/validation.go, v1.36.3.
func (f *reading) backoff(c *configuration) {
	const initial, most = "podInitialBackoffSeconds", "podMaxBackoffSeconds"
	f.policy.InitialBackoff = f.seconds(initial, c.PodInitialBackoffSeconds, scheduler.DefaultInitialBackoff)
	f.policy.MaxBackoff = f.seconds(most, c.PodMaxBackoffSeconds, scheduler.DefaultMaxBackoff)
	if f.policy.InitialBackoff <= 0 {
		f.errors.Add(f.root, initial, "must be greater than 0")
	}
	switch {
	case f.policy.MaxBackoff < f.policy.InitialBackoff && c.PodMaxBackoffSeconds == nil:
		f.errors.Add(f.root, most, "is %v by default and must not be below %s", f.policy.MaxBackoff, initial)
	case f.policy.MaxBackoff < f.policy.InitialBackoff:
		f.errors.Add(f.root, most, "must not be below %s", initial)
	}
}

func (f *reading) seconds(path string, given *int64, absent clock.Time) clock.Time {
	switch {
	case given == nil:
		return absent
	case *given > math.MaxInt64/int64(clock.Second):
		f.errors.Add(f.root, path, "is longer than virtual time")
		return absent
	}
	return clock.Time(max(*given, -1)) * clock.Second // one negative is as wrong as another
}

// forgotten checks what cannot matter here.
//
// Upstream: ValidateClientConnectionConfiguration and ValidateLeaderElectionConfiguration in
// k8s.io/component-base/config/validation/validation.go, v0.36.3, with the defaults of kube-scheduler. The locks of the
// beta versions: New in k8s.io/client-go/tools/leaderelection/resourcelock/interface.go, v0.22.17.
func (f *reading) forgotten(c *configuration) {
	if c.ClientConnection.Burst < 0 {
		f.errors.Add(f.root, "clientConnection.burst", "must not be negative")
	}
	e := &c.LeaderElection
	if e.LeaderElect != nil && !*e.LeaderElect {
		return
	}
	lease, renew := cmp.Or(e.LeaseDuration, span(15*time.Second)), cmp.Or(e.RenewDeadline, span(10*time.Second))
	for _, d := range []struct {
		field string
		value span
	}{{"leaseDuration", lease}, {"renewDeadline", renew}, {"retryPeriod", e.RetryPeriod}} {
		if d.value < 0 {
			f.errors.Add(f.root, "leaderElection."+d.field, "must be greater than 0")
		}
	}
	if lease <= renew {
		f.errors.Add(f.root, "leaderElection.leaseDuration", "must be longer than renewDeadline, which is %v", time.Duration(renew))
	}
	locks := []string{"leases"}
	if !f.version.isCurrent() {
		locks = append(locks, "endpoints", "configmaps", "endpointsleases", "configmapsleases")
	}
	if e.ResourceLock != "" && !slices.Contains(locks, e.ResourceLock) {
		f.errors.Add(f.root, "leaderElection.resourceLock", "must be %s", strings.Join(locks, ", "))
	}
}

// percentage checks a percentageOfNodesToScore of v.
func (f *reading) percentage(v document.Value, given *int32) {
	if given != nil && (*given < 0 || *given > 100) {
		f.errors.Add(v, "percentageOfNodesToScore", "must be from 0 to 100")
	}
}
