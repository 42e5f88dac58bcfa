package metric

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/sim/model/record"
)

// PodsResource is the resource of which every pod takes one, whether it requests it or not.
const PodsResource = "pods"

// amount is an amount of a resource by its dense id.
type amount struct {
	resource int
	value    int64
}

// resources gives resource names dense ids.
type resources struct {
	names []string
	ids   map[string]int
}

func (r *resources) id(name string) int {
	id, ok := r.ids[name]
	if !ok {
		id = len(r.names)
		r.ids[name] = id
		r.names = append(r.names, name)
	}
	return id
}

// ordered returns the ids in the order in which resources are reported.
func (r *resources) ordered() []int {
	ids := make([]int, len(r.names))
	for i := range ids {
		ids[i] = i
	}
	slices.SortFunc(ids, func(a, b int) int { return CompareResources(r.names[a], r.names[b]) })
	return ids
}

// CompareResources orders resources for reports: cpu, memory, the extended ones by
// name, ephemeral storage, pods.
func CompareResources(a, b string) int {
	rank := func(name string) int {
		switch name {
		case "cpu":
			return 0
		case "memory":
			return 1
		case "ephemeral-storage":
			return 3
		case PodsResource:
			return 4
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
}

// amounts turns amounts of a record into amounts by id, in the record's order.
func (r *resources) amounts(list []record.Amount) []amount {
	out := make([]amount, 0, len(list)+1)
	for _, a := range list {
		out = append(out, amount{r.id(a.Resource), a.Value})
	}
	return out
}

// requests returns the amounts of a class, with one of PodsResource.
func (r *resources) requests(list []record.Amount) []amount {
	out := r.amounts(list)
	pods := r.id(PodsResource)
	if !slices.ContainsFunc(out, func(a amount) bool { return a.resource == pods }) {
		out = append(out, amount{pods, 1})
	}
	return out
}

// describe returns the requests of a class as a name: "cpu 500m, memory 1.0 GiB".
func (r *resources) describe(requests []amount) string {
	list := slices.Clone(requests)
	slices.SortFunc(list, func(a, b amount) int { return CompareResources(r.names[a.resource], r.names[b.resource]) })
	var parts []string
	for _, q := range list {
		if name := r.names[q.resource]; name != PodsResource {
			parts = append(parts, fmt.Sprintf("%s %s", name, human.Amount(name, float64(q.value))))
		}
	}
	if len(parts) == 0 {
		return "no requests"
	}
	return strings.Join(parts, ", ")
}
