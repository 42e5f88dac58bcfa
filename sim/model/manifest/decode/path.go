package decode

import (
	"github.com/berth-sim/berth/sim/files/document"
)

// Join puts steps (keys and indices) behind a path.
func Join(path string, steps ...any) string {
	rest := document.Path(steps...)
	if rest[0] == '[' || path == "" {
		return path + rest
	}
	return path + "." + rest
}
