package initialize

import (
	"embed"
	"fmt"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

//go:embed templates/*.yaml
var templateFiles embed.FS

// Template is a scenario that can be written without a cluster.
type Template struct{ Name, About string }

// Templates are all of them.
var Templates = []Template{
	{"web", "services that come and go with the time of day"},
	{"batch", "jobs of several sizes on a fleet that they fill"},
	{"gangs", "training that needs all its pods at once, beside small jobs"},
	{"gpu", "notebooks and training on nodes with GPUs, beside plain ones"},
	{"capacity", "how many replicas fit: a backlog at once on a fleet of two pools"},
}

// TemplateNames are the names of all templates.
func TemplateNames() []string {
	var names []string
	for _, t := range Templates {
		names = append(names, t.Name)
	}
	return names
}

// template is the text of a template.
func template(name string) ([]byte, error) {
	text, err := templateFiles.ReadFile("templates/" + name + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("there is no template %q%s; there are: %s", name, document.Meant(name, TemplateNames()), strings.Join(TemplateNames(), ", "))
	}
	return text, nil
}
