package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/scenarios/schema"
	"github.com/berth-sim/berth/sim/files/atomicfile"
	"github.com/berth-sim/berth/sim/files/document"
)

func newSchemaCommand(s streams) *cobra.Command {
	out := ""
	c := &cobra.Command{
		Use:   "schema [scenario|gate|goal|prices]",
		Short: "Print the JSON Schema of a file, for editors",
		Long: `Print the JSON Schema (draft 2020-12) of scenarios, of the gates of berth
check, or of the goals and price lists of berth plan, so that an editor
completes and checks them. It is made from what berth decodes, the templates of
nodes and pods included. How to set an editor up is in docs/editor.md.`,
		Example: `  berth schema
  berth schema gate
  berth schema scenario --out .berth/scenario.schema.json`,
		ValidArgs: schema.Names,
		RunE: func(c *cobra.Command, args []string) error {
			name := schema.Names[0]
			switch {
			case len(args) > 1:
				return usageError(c, "takes one name, got %d: %q", len(args), args)
			case len(args) == 1:
				name = args[0]
			}
			if !slices.Contains(schema.Names, name) {
				return usageError(c, "unknown schema %q: must be one of %s%s", name, strings.Join(schema.Names, ", "), document.Meant(name, schema.Names))
			}
			text, err := schema.Write(name)
			if err != nil {
				return err
			}
			if out == "" {
				_, err = s.out.Write(text)
				return err
			}
			if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
				return atomicfile.PathFirst(out, err)
			}
			return replaceFile(out, func(w io.Writer) error {
				_, err := w.Write(text)
				return err
			})
		},
	}
	pathFlag(c, &out, "out", "write the schema to `FILE`, over one that is there")
	return c
}
