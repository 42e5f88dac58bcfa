package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
)

// podNames completes the names of the pods in the manifests on the command line, with their namespaces once a / is typed.
func podNames(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	return matching(podNamesIn(manifestsGiven(c, args), typed), typed), cobra.ShellCompDirectiveNoFileComp
}

// podNamesIn returns the names of the pods in manifests, with their namespaces once a / is typed.
func podNamesIn(files []string, typed string) (names []string) {
	for _, object := range objectsIn(files) {
		if object.Get("kind").Text() == "Pod" {
			names = append(names, namespaced(object, object.Get("metadata").Get("name").Text(), typed))
		}
	}
	return names
}

// namespaced returns a name with the namespace of the object once a / is typed.
func namespaced(object document.Value, name, typed string) string {
	if !strings.Contains(typed, "/") {
		return name
	}
	if namespace := object.Get("metadata").Get("namespace").Text(); namespace != "" {
		return namespace + "/" + name
	}
	return "default/" + name
}

// scenarioPods completes the names of the pods of a scenario: those of its manifests, and of the pods that its workloads
// make what they begin with, since their numbers are known only when it runs.
func scenarioPods(path, typed string) ([]string, cobra.ShellCompDirective) {
	root := readRoot(path)
	names := podNamesIn(manifestsNamedIn(root, path), typed)
	for _, workload := range root.Get("workloads").Items() {
		if name := workload.Get("name").Text(); name != "" && !workload.Get("manifests").Exists() {
			names = append(names, namespaced(workload.Get("template"), name+"-", typed))
		}
	}
	return matching(names, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// nodeNames completes the names of the nodes in the manifests on the command line.
func nodeNames(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, object := range objectsIn(manifestsGiven(c, args)) {
		if object.Get("kind").Text() == "Node" {
			names = append(names, object.Get("metadata").Get("name").Text())
		}
	}
	return matching(names, typed), cobra.ShellCompDirectiveNoFileComp
}

// objectKinds completes the kinds of the objects on the command line, as KIND or KIND.GROUP.
func objectKinds(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var kinds []string
	for _, object := range objectsIn(manifestsGiven(c, args)) {
		kind := object.Get("kind").Text()
		if group, _, has := strings.Cut(object.Get("apiVersion").Text(), "/"); has {
			kind += "." + group
		}
		kinds = append(kinds, kind)
	}
	return matching(kinds, typed), cobra.ShellCompDirectiveNoFileComp
}

// pluginNames completes the plugins of the configurations on the command line, those of kube-scheduler's defaults, and the
// word for all that berth does not support.
func pluginNames(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	names := []string{config.Unknown}
	for _, profile := range config.Default(plugins.Registry()).Profiles {
		for _, refs := range profile.Points {
			for _, ref := range refs {
				names = append(names, ref.Name)
			}
		}
	}
	for _, path := range policiesGiven(c, args) {
		names = append(names, pluginsIn(path)...)
	}
	return matching(names, typed), cobra.ShellCompDirectiveNoFileComp
}

// pluginsIn returns the plugins that the profiles of a configuration enable, or the predicates and priorities of a legacy one.
func pluginsIn(path string) (names []string) {
	add := func(list document.Value) {
		for _, entry := range list.Items() {
			names = append(names, entry.Get("name").Text())
		}
	}
	root := readRoot(path)
	add(root.Get("predicates"))
	add(root.Get("priorities"))
	for _, profile := range root.Get("profiles").Items() {
		for _, point := range profile.Get("plugins").Entries() {
			add(point.Get("enabled"))
		}
	}
	return names
}

// policiesGiven returns the configurations on the command line, or that of the scenario.
func policiesGiven(c *cobra.Command, args []string) []string {
	if flag := c.Flags().Lookup("policy"); flag != nil && flag.Changed {
		if list, err := c.Flags().GetStringArray("policy"); err == nil {
			return list
		}
		return []string{flag.Value.String()}
	}
	for _, path := range args {
		if policy := readRoot(path).Get("policy").Text(); policy != "" {
			return []string{besides(path, policy)}
		}
	}
	return nil
}

// manifestVerbs are the verbs whose arguments are manifests.
var manifestVerbs = []string{"place", "capacity", "init"}

// manifestsGiven returns the manifests on the command line: those of -f, the arguments of a verb that takes manifests, and
// those that a scenario among the arguments names.
func manifestsGiven(c *cobra.Command, args []string) []string {
	files, _ := c.Flags().GetStringSlice("filename") // a verb without the flag has none
	files = slices.Clone(files)
	if slices.Contains(manifestVerbs, c.Name()) {
		return append(files, args...)
	}
	for _, path := range args {
		files = append(files, manifestsNamedIn(readRoot(path), path)...)
	}
	return files
}

// manifestsNamedIn returns the manifests that a scenario names.
func manifestsNamedIn(root document.Value, path string) (files []string) {
	add := func(list document.Value) {
		for _, file := range list.Items() {
			files = append(files, besides(path, file.Text()))
		}
	}
	add(root.Get("objects"))
	for _, list := range []string{"fleet", "workloads"} {
		for _, entry := range root.Get(list).Items() {
			add(entry.Get("manifests"))
		}
	}
	return files
}

// besides returns the path that a scenario names, which is relative to the scenario's directory.
func besides(scenario, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(scenario), path)
}

// readRoot returns the first document of a file; no value if it cannot be read, of which the verb itself will tell.
func readRoot(path string) document.Value {
	if !isYAML(path) || !quickToRead(path) {
		return document.Value{}
	}
	docs, err := document.ReadFile(path)
	if err != nil || len(docs) == 0 {
		return document.Value{}
	}
	return docs[0].Root()
}

// isYAML reports whether a path has an ending of YAML files.
func isYAML(path string) bool { return slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(path)) }

// objectsIn returns the objects in manifests, those in lists too.
func objectsIn(files []string) (objects []document.Value) {
	if !quickToRead(files...) {
		return nil
	}
	docs, _ := scenarios.ReadObjects(files...) // the verb itself will say what is wrong
	for _, doc := range docs {
		items := doc.Root().Get("items")
		if !items.Exists() {
			objects = append(objects, doc.Root())
		}
		for _, item := range items.Items() {
			objects = append(objects, item)
		}
	}
	return objects
}
