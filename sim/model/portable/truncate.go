package portable

import "math"

// Int64 is x without its fraction. Where that is no int64, or x is not a number, it is math.MinInt64, which int64(x) is on amd64.
// On other processors it is something else: Go leaves it open.
func Int64(x float64) int64 {
	if x >= -1<<63 && x < 1<<63 {
		return int64(x)
	}
	return math.MinInt64
}
