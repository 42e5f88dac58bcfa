package decode

import (
	"reflect"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
)

// Strict fills what into points to from v. Unknown fields are errors, and so are texts that no sensible
// quantity has.
func Strict(v document.Value, into any) error {
	return document.DecodeVetted(v, into, checkQuantity)
}

// A quantity of a few bytes can keep the parser of apimachinery busy for hours: 1e2000000000. So
// quantities are looked at before they are decoded.
const (
	maxQuantityText   = 100 // bytes
	maxExponentDigits = 3
)

var quantityType = reflect.TypeFor[resource.Quantity]()

// checkQuantity says what is wrong with a text that is a quantity, before it is parsed.
func checkQuantity(t reflect.Type, text string) (wrong string) {
	if t == quantityType && isTooLong(text) {
		return "is not a sensible quantity: it is too long or has too large an exponent"
	}
	return ""
}

// isTooLong reports whether a text could be a number that is too long, or has too large an exponent.
func isTooLong(text string) bool {
	if text == "" || text[0] > '9' || strings.Trim(text, "0123456789.eE+-") != "" {
		return false
	}
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	return len(text) > maxQuantityText || len(strings.TrimLeft(exponent, "+-0")) > maxExponentDigits
}

// Join puts steps (keys and indices) behind a path.
func Join(path string, steps ...any) string {
	rest := document.Path(steps...)
	if rest[0] == '[' || path == "" {
		return path + rest
	}
	return path + "." + rest
}

// Seconds returns a time as the API server serves it: fractions of a second do not survive in a
// metav1.Time.
func Seconds(t *metav1.Time) time.Time { return t.Truncate(time.Second) }
