package manifest

import (
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-sim/berth/sim/files/document"
)

// decoded decodes an object and notes it. What of it cannot be decoded is at fault and stays empty; the object is
// to be checked as if it were valid.
func decoded[T any](c *checker, o *object) *T {
	into := new(T)
	o.typed = into
	c.decode(&o.faults, o.at, into)
	return into
}

// decode fills what into points to from v. The places that it finds at fault are those in doubt from then on.
func (c *checker) decode(faults *document.Errors, v document.Value, into any) {
	faults.Append(decodeStrict(v, into))
	c.doubt(v, *faults)
}

// decodeStrict fills what into points to from v. Unknown fields are errors, and so are texts that no sensible
// quantity has.
func decodeStrict(v document.Value, into any) error {
	return document.DecodeVetted(v, into, sensible)
}

// A quantity of a few bytes can keep the parser of apimachinery busy for hours: 1e2000000000. So
// quantities are looked at before they are decoded.
const (
	maxQuantityText   = 100 // bytes
	maxExponentDigits = 3
)

var quantityType = reflect.TypeFor[resource.Quantity]()

// sensible says what is wrong with a text that is a quantity, before it is parsed.
func sensible(t reflect.Type, text string) (wrong string) {
	if t == quantityType && isMonstrous(text) {
		return "is not a sensible quantity: it is too long or has too large an exponent"
	}
	return ""
}

// isMonstrous reports whether a text could be a number that is too long, or has too large an exponent.
func isMonstrous(text string) bool {
	if text == "" || text[0] > '9' || strings.Trim(text, "0123456789.eE+-") != "" {
		return false
	}
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	return len(text) > maxQuantityText || len(strings.TrimLeft(exponent, "+-0")) > maxExponentDigits
}
