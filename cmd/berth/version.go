package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the release build; else it is what the module says of itself.
var version = ""

// schedulerRelease is the release of kube-scheduler whose decisions berth makes.
const schedulerRelease = "v1.36.3"

func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "0.1.0-dev"
}

func newVersionCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of berth, and of the kube-scheduler it follows",
		Example: "  berth version",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(s.out, versionLine())
			return err
		},
	}
}

func versionLine() string {
	return fmt.Sprintf("berth %s (decides as kube-scheduler %s; %s %s/%s)\n",
		versionText(), schedulerRelease, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
