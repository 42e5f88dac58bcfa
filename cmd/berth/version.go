package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/answers"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/model/release"
)

// version is for who builds from sources without a repository: go build -ldflags "-X main.version=v1.2.3". Else the
// version is what Go writes into the binary: the tag of the commit or of the module.
var version = ""

// buildReport is what a binary knows of its own making.
type buildReport struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`     // of a binary that was built in a repository
	Time    string `json:"commitTime,omitempty"` // RFC 3339
	Changed bool   `json:"changed,omitempty"`    // files differed from the commit
	Sum     string `json:"moduleSum,omitempty"`  // as in go.sum: of a binary that go install made
	Go      string `json:"go"`
	System  string `json:"platform"`
	// Follows are the releases of kube-scheduler whose decisions berth makes, the oldest first.
	Follows []string `json:"kubeScheduler"`
}

// newBuildReport returns what a build says of itself. info may be nil.
func newBuildReport(info *debug.BuildInfo) buildReport {
	r := buildReport{Version: version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	for _, followed := range release.All() {
		r.Follows = append(r.Follows, followed.Version)
	}
	if info != nil {
		if r.Version == "" && info.Main.Version != "(devel)" {
			r.Version = info.Main.Version
		}
		r.Sum = info.Main.Sum
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				r.Commit = s.Value
			case "vcs.time":
				r.Time = s.Value
			case "vcs.modified":
				r.Changed = s.Value == "true"
			}
		}
	}
	if r.Version == "" {
		r.Version = "0.1.0-dev"
	}
	return r
}

// ownBuild returns what this binary says of itself.
func ownBuild() buildReport {
	info, _ := debug.ReadBuildInfo()
	return newBuildReport(info)
}

func versionText() string { return ownBuild().Version }

// commitText says which sources the binary was built from.
func (r buildReport) commitText() string {
	switch {
	case r.Commit != "" && r.Changed:
		return fmt.Sprintf("%s of %s, with changes that are not committed", r.Commit, r.Time)
	case r.Commit != "":
		return fmt.Sprintf("%s of %s", r.Commit, r.Time)
	case r.Sum != "":
		return "not known: built from the module, " + r.Sum
	}
	return "not known: built without a repository"
}

// text returns the report for people.
func (r buildReport) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "berth %s\n", r.Version)
	for _, row := range [][2]string{
		{"commit", r.commitText()}, {"build", r.Go + " for " + r.System}, {"decides as", "kube-scheduler " + strings.Join(r.Follows, ", ")},
	} {
		fmt.Fprintf(&b, "  %-10s  %s\n", row[0], row[1])
	}
	return b.String()
}

func newVersionCommand(s streams) *cobra.Command {
	view := output.View{Width: s.width}
	var rules bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version of berth, its build, and the Kubernetes releases it follows",
		Long: `Print the version of berth, its build, and the Kubernetes releases it follows.

--rules lists every rule by which these releases decide differently: what the
rule says, and which release has which value. Each can be set with --rule by the
verbs that schedule.`,
		Example: `  berth version
  berth version -o json
  berth version --rules`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if rules {
				return answers.WriteRules(s.out, view)
			}
			return view.Write(s.out, output.Forms{
				Table: func(int) (string, error) { return ownBuild().text(), nil }, JSON: func() any { return ownBuild() },
			})
		},
	}
	c.Flags().BoolVar(&rules, "rules", false, "list the rules by which the releases decide differently")
	formatFlag(c, &view.Format, []output.Format{output.Table, output.JSON, output.Markdown})
	return c
}
