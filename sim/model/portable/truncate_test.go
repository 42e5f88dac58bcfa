package portable_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/berth-sim/berth/sim/model/portable"
)

func TestInt64(t *testing.T) {
	for _, tt := range []struct {
		x    float64
		want int64
	}{
		{0, 0}, {1.9, 1}, {-1.9, -1}, {math.Copysign(0, -1), 0},
		{math.Nextafter(1<<63, 0), 1<<63 - 1024}, {-1 << 63, math.MinInt64},
		{1 << 63, math.MinInt64}, {1e300, math.MinInt64}, {math.Inf(1), math.MinInt64},
		{-1e300, math.MinInt64}, {math.Inf(-1), math.MinInt64}, {math.NaN(), math.MinInt64},
	} {
		if got := portable.Int64(tt.x); got != tt.want {
			t.Errorf("Int64(%g) = %d, want %d", tt.x, got, tt.want)
		}
		if converted := int64(tt.x); runtime.GOARCH == "amd64" && converted != tt.want {
			t.Errorf("int64(%g) = %d on amd64, want %d", tt.x, converted, tt.want)
		}
	}
}
