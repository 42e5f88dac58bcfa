package manifest

import (
	"strings"

	"github.com/berth-sim/berth/sim/document"
)

// A quantity of a few bytes can keep the parser of apimachinery busy for hours: 1e2000000000. So
// quantities are looked at before they are decoded.
const (
	maxQuantityText   = 100 // bytes
	maxExponentDigits = 3
)

// isMonstrous says whether a text could be a number that is too long, or has too large an exponent.
func isMonstrous(text string) bool {
	if text == "" || text[0] > '9' || strings.Trim(text, "0123456789.eE+-") != "" {
		return false
	}
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	return len(text) > maxQuantityText || len(strings.TrimLeft(exponent, "+-0")) > maxExponentDigits
}

// quantityFields are the names under which the API types have quantities: true where a list of them
// by resource stands there, false where a single one does.
var quantityFields = map[string]bool{
	"requests": true, "limits": true, "overhead": true, "podFixed": true, "capacity": true, "allocatable": true,
	"allocatedResources": true, "minResources": true, "resources": true, "sizeLimit": false, "divisor": false,
	"min": true, "max": true, "default": true, "defaultRequest": true, "maxLimitRequestRatio": true, // of a LimitRange
}

// monster looks for monstrous quantities. Documents that have no monstrous text at all need no such search.
type monster struct {
	faults document.Errors
	left   int // places that may still be visited: aliases can make a tree endless
}

// decode is document.Decode for what may hold quantities.
func decode(v document.Value, into any) error {
	if v.DocumentHas(isMonstrous) {
		if err := monsters(v); err != nil {
			return err
		}
	}
	return document.Decode(v, into)
}

// monsters notes the monstrous quantities at and below v.
func monsters(v document.Value) error {
	m := &monster{left: 1 << 18}
	m.visit(v, 0)
	if m.left < 0 {
		m.faults.Add(v, "", "expands to far too much by its aliases")
	}
	return m.faults.Err()
}

func (m *monster) visit(v document.Value, depth int) {
	if m.left--; depth > document.MaxDepth {
		m.left = -1
	}
	if m.left < 0 {
		return
	}
	for name, field := range v.Entries() {
		if many, is := quantityFields[name]; is && many {
			for _, q := range field.Entries() {
				m.quantity(q)
			}
		} else if is {
			m.quantity(field)
		}
		m.visit(field, depth+1)
	}
	for _, item := range v.Items() {
		m.visit(item, depth+1)
	}
}

func (m *monster) quantity(v document.Value) {
	if m.left--; m.left >= 0 && isMonstrous(v.Text()) {
		m.faults.Add(v, "", "is no sensible quantity: it is too long or has too large an exponent")
	}
}
