package config

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

// Split splits the name of a policy, FILE or FILE#CHOICE, into the file and the choice of one of the configurations in
// it; "" is the only one. A file whose own name has a # in it is found too.
func Split(name string) (file, choice string) {
	at := strings.LastIndexByte(name, '#')
	if at < 0 {
		return name, ""
	}
	if _, err := os.Stat(name); err == nil {
		return name, ""
	}
	return name[:at], name[at+1:]
}

// Holds reports whether the documents contain a scheduler configuration, valid or not.
func Holds(docs []*document.Document) bool {
	f := search(docs, nil)
	return len(f.found)+len(f.faults) > 0 || f.foreign()
}

// candidate is a configuration in a file.
type candidate struct {
	doc   *document.Document
	at    document.Value // the document, or the key of the ConfigMap
	names []string       // that choose it, the one to show first
}

// finder finds the configurations of a file, in their order.
type finder struct {
	source []byte
	found  []candidate
	others []string // kinds of the other objects, each once
	count  int      // of the other objects
	faults document.Errors
}

// search looks into documents, lists and ConfigMaps.
func search(docs []*document.Document, source []byte) *finder {
	f := &finder{source: source}
	for _, doc := range docs {
		f.object(doc, doc.Root())
	}
	return f
}

// object looks at an object: v is the root of doc, or an item of a list.
func (f *finder) object(doc *document.Document, v document.Value) {
	kindOf := v.Get("kind").Text()
	items := v.Get("items")
	switch {
	case isConfiguration(v) && v.Path() == "":
		f.add(doc, v, nil)
	case strings.HasSuffix(kindOf, "List") && items.Kind() == document.List:
		for _, item := range items.Items() {
			f.object(doc, item)
		}
	case kindOf == "ConfigMap" && f.configMap(v):
	default:
		f.other(v)
	}
}

// other counts an object that is no configuration.
func (f *finder) other(v document.Value) {
	what := v.Get("kind").Text()
	switch {
	case what != "":
	case isVolcano(v):
		what = volcano
	default:
		what = "object without a kind"
	}
	f.count++
	if !slices.Contains(f.others, what) {
		f.others = append(f.others, what)
	}
}

// volcano is what files of two schedulers are called that are not built of kube-scheduler.
const volcano = "a configuration of Volcano or KAI, which are other schedulers than the one that berth simulates"

// isVolcano reports whether v has the form that Volcano and KAI share.
//
// Upstream: SchedulerConfiguration in pkg/scheduler/conf/scheduler_conf.go of both.
func isVolcano(v document.Value) bool {
	return v.Get("actions").Kind() == document.String && v.Get("tiers").Kind() == document.List
}

// foreign reports whether there is a configuration of another scheduler.
func (f *finder) foreign() bool { return slices.Contains(f.others, volcano) }

// configMap looks into a ConfigMap, and reports whether there is a configuration in it.
func (f *finder) configMap(v document.Value) bool {
	before, others := len(f.found), len(f.others)
	for key, text := range v.Get("data").Entries() {
		if text.Kind() != document.String || !mayBe(text.Text()) {
			continue
		}
		docs, err := document.ParseText(text, f.source)
		f.faults.Append(err)
		for _, doc := range docs {
			switch {
			case isConfiguration(doc.Root()):
				f.add(doc, text, []string{key, v.Find("metadata.name").Text() + "/" + key})
			case isVolcano(doc.Root()):
				f.other(doc.Root())
			}
		}
	}
	return len(f.found) > before || len(f.others) > others || len(f.faults) > 0
}

// mayBe reports whether a text can be a configuration.
func mayBe(text string) bool {
	return slices.ContainsFunc(append(Kinds(), "tiers:"), func(k string) bool { return strings.Contains(text, k) })
}

// isConfiguration reports whether v is of a kind that Reader reads.
func isConfiguration(v document.Value) bool {
	switch v.Get("kind").Text() {
	case kind:
		return true
	case policyKind:
		return !strings.Contains(v.Get("apiVersion").Text(), "/") // others are of groups
	}
	return false
}

// add adds a configuration, which can be chosen by names, by those of its profiles, and by its number.
func (f *finder) add(doc *document.Document, at document.Value, names []string) {
	root := doc.Root()
	profiles := []document.Value{root}
	for _, profile := range root.Get("profiles").Items() {
		profiles = append(profiles, profile)
	}
	for _, profile := range profiles {
		if name := profile.Get("schedulerName").Text(); name != "" {
			names = append(names, name)
		}
	}
	names = append(names, strconv.Itoa(len(f.found)+1))
	f.found = append(f.found, candidate{doc, at, names})
}

// choose returns the configuration of a name; without a name, the only one. The file has at least one.
func (f *finder) choose(file, choice string) (candidate, error) {
	fits := f.found
	if choice != "" {
		fits = nil
		for _, c := range f.found {
			if slices.Contains(c.names, choice) {
				fits = append(fits, c)
			}
		}
	}
	switch len(fits) {
	case 1:
		return fits[0], nil
	case 0:
		return candidate{}, &document.Error{File: file, What: fmt.Sprintf("has no configuration %q%s; it has %s",
			choice, document.Meant(choice, f.names(f.found)), strings.Join(f.names(f.found), ", "))}
	}
	what := fmt.Sprintf("is one of %d scheduler configurations in the file: choose one with %s#NAME, where NAME is %s",
		len(fits), file, strings.Join(f.names(fits), ", "))
	if choice != "" {
		what = fmt.Sprintf("is one of %d scheduler configurations of the name %q: choose one with %s#NAME, where NAME is %s",
			len(fits), choice, file, strings.Join(f.names(fits), ", "))
	}
	return candidate{}, &document.Error{File: file, Line: fits[1].at.Line(), Col: fits[1].at.Col(), What: what}
}

// names returns for each of the candidates the first of its names that no other configuration has.
func (f *finder) names(of []candidate) []string {
	uses := map[string]int{}
	for _, c := range f.found {
		for _, name := range c.names {
			uses[name]++
		}
	}
	var out []string
	for _, c := range of {
		at := slices.IndexFunc(c.names, func(name string) bool { return uses[name] == 1 })
		if at < 0 {
			at = len(c.names) - 1
		}
		out = append(out, c.names[at])
	}
	return out
}

// skipped is a line about what else is in the file; "" if nothing is.
func (f *finder) skipped(file string) string {
	switch f.count {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("%s: skipped 1 object that is not a scheduler configuration: %s", file, f.others[0])
	}
	return fmt.Sprintf("%s: skipped %d objects that are not scheduler configurations: %s", file, f.count, strings.Join(f.others, ", "))
}
