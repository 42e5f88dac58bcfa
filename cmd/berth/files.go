package main

import (
	"github.com/spf13/cobra"
)

// filesFlags adds the flags for manifests, and for files and directories among them that are left out. what begins the usage.
func filesFlags(c *cobra.Command, files, exclude *[]string, what string) {
	flags := c.Flags()
	flags.StringSliceVarP(files, "filename", "f", nil, what+": a `FILE_OR_DIR` with .yaml, .yml and .json files (repeatable)")
	flags.StringSliceVar(exclude, "exclude", nil, "leave out files and directories whose name or path matches `PATTERN`, such as *.json (repeatable)")
}

// needsFiles returns an error if files are to be left out of manifests that are not given.
func needsFiles(c *cobra.Command, files []string) error {
	if len(files) == 0 && c.Flags().Changed("exclude") {
		return usageError(c, "--exclude needs manifests: -f FILE_OR_DIR")
	}
	return nil
}

// standardInput is the path of standard input.
const standardInput = "/dev/stdin"

// fromStandardInput replaces "-" by the path of standard input.
func fromStandardInput(files []string) []string {
	for i, file := range files {
		if file == "-" {
			files[i] = standardInput
		}
	}
	return files
}
