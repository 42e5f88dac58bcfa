package validate

import (
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// decoded decodes an object and notes it. What of it cannot be decoded is at fault and stays empty; the object is
// to be checked as if it were valid.
func decoded[T any](c *Checker, o *decode.Object) *T {
	into := new(T)
	o.Typed = into
	o.Decode(into)
	c.Begin(o.At, o.Faults)
	return into
}

// Decode fills what into points to from v. Errors that follow from those that it finds are suppressed from then on.
func (c *Checker) Decode(faults *document.Errors, v document.Value, into any) {
	faults.Append(decode.Strict(v, into))
	c.Begin(v, *faults)
}
