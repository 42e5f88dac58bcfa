package plan

import (
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/initialize"
	"github.com/berth-sim/berth/sim/answers/scaleup"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// PricesKind is the kind of a price list. Its apiVersion is APIVersion.
const PricesKind = "PriceList"

var pricesHeader = document.Header{Holds: "prices of nodes", Kind: PricesKind, APIVersion: APIVersion}

// PricesType is the type that a price list is decoded into. The JSON Schema of the file is made from it.
var PricesType = reflect.TypeFor[priceFile]()

// priceFile is the form of a price list.
type priceFile struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Prices     []priceEntry `json:"prices" doc:"required"`
}

// priceEntry is what a node of a pool or instance type costs. With a template it is a type that the cluster need not have.
type priceEntry struct {
	Pool         string         `json:"pool"`
	Type         string         `json:"type"`
	PricePerHour *float64       `json:"pricePerHour" doc:"required"`
	Template     document.Value `json:"template"`
}

// instanceType is the label of a node's instance type.
const instanceType = "node.kubernetes.io/instance-type"

// NewNodes returns the shapes of the nodes that could be added to a snapshot: those that its nodes have, with the prices of
// a price list, and the types that only the list has. An empty path is no list. The error lists all errors.
func NewNodes(s *scenarios.Snapshot, prices string) ([]scaleup.Shape, error) {
	candidates, err := initialize.Candidates(s)
	if err != nil {
		return nil, err
	}
	r := priceReader{snapshot: s, taken: map[string]bool{}}
	for _, c := range candidates {
		r.shapes = append(r.shapes, scaleup.Shape{Pool: c.Pool, Exist: c.Nodes, Price: math.NaN(), Node: c.Node})
		r.types = append(r.types, c.Type)
		r.taken[c.Pool] = true
	}
	if prices == "" {
		return r.shapes, nil
	}
	in, root, err := readPrices(prices)
	r.faults.Append(err)
	for i := range in.Prices {
		if e, at := &in.Prices[i], root.Get("prices").Index(i); e.valid() {
			r.read(e, at)
		}
	}
	return r.shapes, r.faults.Err()
}

// IsPrices reports whether a file has the kind of a price list.
func IsPrices(path string) bool { return pricesHeader.Is(path) }

// CheckPrices reads a price list and returns how many prices it has. Whether a cluster has its pools and types is not checked.
// The error lists every fault.
func CheckPrices(path string) (int, error) {
	in, root, err := readPrices(path)
	var faults document.Errors
	faults.Append(err)
	for i := range in.Prices {
		if at := root.Get("prices").Index(i).Get("template"); at.Exists() {
			faults.Append(scenarios.CheckNodeTemplate(at))
		}
	}
	return len(in.Prices), faults.Err()
}

// readPrices reads a price list and checks what can be checked without a cluster. The error lists every fault; the entries
// that are valid can be used beside it.
func readPrices(path string) (in priceFile, root document.Value, err error) {
	if root, err = pricesHeader.Read(path); err != nil {
		return in, root, err
	}
	var faults document.Errors
	faults.Append(document.Decode(root, &in))
	if len(in.Prices) == 0 && len(faults) == 0 {
		faults.Add(root, "prices", "lists no price")
	}
	for i := range in.Prices {
		switch e, at := &in.Prices[i], root.Get("prices").Index(i); {
		case e.PricePerHour == nil: // reported already
		case (e.Pool == "") == (e.Type == ""):
			faults.Add(at, "", "needs a pool or an instance type, and not both")
		case !e.valid():
			faults.Add(at, "pricePerHour", "must be between 0 and %.0f", scenarios.MaxPrice)
		}
	}
	return in, root, faults.Err()
}

// valid reports whether an entry says what costs how much.
func (e *priceEntry) valid() bool {
	return e.PricePerHour != nil && (e.Pool == "") != (e.Type == "") && *e.PricePerHour >= 0 && *e.PricePerHour <= scenarios.MaxPrice
}

// priceReader gives shapes their prices.
type priceReader struct {
	snapshot *scenarios.Snapshot
	shapes   []scaleup.Shape
	types    []string // instance types of the shapes; empty: none
	taken    map[string]bool
	faults   document.Errors
}

func (r *priceReader) read(e *priceEntry, at document.Value) {
	name, field := e.Pool, "pool"
	if e.Type != "" {
		name, field = e.Type, "type"
	}
	if e.Template.Exists() {
		r.add(e, at, name)
		return
	}
	found := false
	for i := range r.shapes {
		if of := &r.shapes[i]; field == "pool" && of.Pool == name || field == "type" && r.types[i] == name {
			of.Price, of.InList, found = *e.PricePerHour, true, true
		}
	}
	if !found {
		r.faults.Add(at, field, "is not among the nodes%s; give a template, a Node with status.allocatable, to have it tried too",
			document.Meant(name, r.known(field)))
	}
}

// known returns the names of the pools, or instance types, of the nodes.
func (r *priceReader) known(field string) []string {
	if field == "pool" {
		return slices.Sorted(maps.Keys(r.taken))
	}
	return slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(r.types))), func(t string) bool { return t == "" })
}

// add adds a shape that only the list has.
func (r *priceReader) add(e *priceEntry, at document.Value, name string) {
	if r.taken[name] {
		r.faults.Add(at, "", "has a template, and %q is a pool of the nodes or in the list already: leave the template out, or give another name", name)
		return
	}
	r.taken[name] = true
	template, err := r.snapshot.NodeTemplate(e.Template)
	if err != nil {
		r.faults.Append(err)
		return
	}
	kind := e.Type
	r.types = append(r.types, kind)
	r.shapes = append(r.shapes, scaleup.Shape{Pool: name, Price: *e.PricePerHour, InList: true, Node: func(node string) cluster.NodeSpec {
		spec := template.Instance(node, "")
		spec.Pool = name
		return r.snapshot.WithLabel(spec, instanceType, kind)
	}})
}
