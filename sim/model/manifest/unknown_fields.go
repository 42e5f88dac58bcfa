package manifest

import (
	"errors"
	"fmt"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// warnUnknownFields warns of unknown fields that cannot matter to scheduling, once for each name.
func (l *Loader) warnUnknownFields(objects []*decode.Object) {
	var names []string
	found := map[string]document.Errors{}
	for _, o := range objects {
		for _, fault := range o.UnknownFields {
			name := indexes.ReplaceAllString(fault.Path, "[]")
			if found[name] == nil {
				names = append(names, name)
			}
			found[name] = append(found[name], fault)
		}
	}
	for _, name := range names {
		first, text := *found[name][0], "is an unknown field"
		if n := len(found[name]); n > 1 {
			text += fmt.Sprintf(", the first of %d of this name", n)
		}
		text += ": skipped, since it cannot matter to scheduling"
		var unknown *document.UnknownField
		if errors.As(&first, &unknown) && unknown.Meant != "" {
			text += fmt.Sprintf("; did you mean %q?", unknown.Meant)
		}
		first.What = text
		l.Warnings = append(l.Warnings, first.Error())
	}
}
