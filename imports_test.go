package berth_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// imports are the import paths of one package: those of its code and those of its tests.
type imports struct{ code, tests []string }

// readImports parses the imports of every package below root, by package directory. The tests of the root itself
// watch over the whole project and are free.
func readImports(root string) (map[string]imports, error) {
	packages := map[string]imports{}
	err := walkFiles(root, func(file string) error {
		pkg, test := path.Dir(file), strings.HasSuffix(file, "_test.go")
		if path.Ext(file) != ".go" || pkg == "." && test {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		of := packages[pkg]
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if test {
				of.tests = append(of.tests, imported)
			} else {
				of.code = append(of.code, imported)
			}
		}
		packages[pkg] = of
		return nil
	})
	return packages, err
}

// walkFiles calls visit with the slash-separated path below root of every file of the project, in lexical order.
// It leaves out what "./..." leaves out: testdata, hidden directories, and modules of their own.
func walkFiles(root string, visit func(file string) error) error {
	tree := os.DirFS(root)
	return fs.WalkDir(tree, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || file == "." {
			return err
		}
		if !entry.IsDir() {
			return visit(file)
		}
		_, err = fs.Stat(tree, path.Join(file, "go.mod"))
		if err == nil || isSkipped(entry.Name()) {
			return fs.SkipDir
		}
		return nil
	})
}

// isSkipped reports whether "./..." leaves out folders of that name. Packages in them can be imported nevertheless.
func isSkipped(folder string) bool { return folder == "testdata" || strings.HasPrefix(folder, ".") }

// nestedModules returns the folders below root that have a go.mod, in lexical order, those that "./..." leaves out too.
func nestedModules(root string) ([]string, error) {
	var found []string
	err := fs.WalkDir(os.DirFS(root), ".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case entry.Name() == "go.mod" && file != "go.mod":
			found = append(found, path.Dir(file))
		}
		return nil
	})
	return found, err
}

func TestNestedModules(t *testing.T) {
	root := t.TempDir()
	for _, folder := range []string{".", "a", "b/testdata/c", ".hidden", ".git"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, folder, "go.mod"), []byte("module m"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := nestedModules(root); err != nil || !slices.Equal(got, []string{".hidden", "a", "b/testdata/c"}) {
		t.Errorf("nestedModules = %q, %v", got, err)
	}
}

func TestReadImports(t *testing.T) {
	root := t.TempDir()
	for file, src := range map[string]string{
		"go.mod":                  "module m",
		"root_test.go":            `package m; import "a"`,
		"sim/one.go":              `package sim; import ("a"; b "c")`,
		"sim/one_test.go":         `package sim_test; import . "d"`,
		"sim/testdata/planted.go": `package planted; import "e"`,
		".hidden/hidden.go":       `package hidden; import "f"`,
		"conformance/go.mod":      "module conformance",
		"conformance/real.go":     `package conformance; import "g"`,
	} {
		name := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readImports(root)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]imports{"sim": {code: []string{"a", "c"}, tests: []string{"d"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("readImports = %v, want %v", got, want)
	}
}
