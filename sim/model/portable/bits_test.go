package portable_test

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/berth-sim/berth/sim/model/portable"
)

// TestBits has the hash of many results: it must be the same on every processor, whatever its instructions.
func TestBits(t *testing.T) {
	for _, c := range []struct {
		name string
		of   func(a, b float64) float64 // of two numbers in [0, 1)
		want uint64
	}{
		{"Exp", func(a, b float64) float64 { return portable.Exp(float64(1420*a) - 720 + b) }, 0x243657c0f0d7b409},
		{"Log", func(a, b float64) float64 { return portable.Log(math.Ldexp(1+a, int(2000*b)-1000)) }, 0xf3bf936ecff6934d},
		{"Log10", func(a, b float64) float64 { return portable.Log10(math.Ldexp(1+a, int(200*b)-100)) }, 0xb62653a41d3f2f34},
		{"Pow", func(a, b float64) float64 { return portable.Pow(40*a, float64(6*b)-3) }, 0x8062333ef592c24f},
		{"Cos", func(a, b float64) float64 { return portable.Cos(float64(1e6*a) - b) }, 0x2038c22420ff911d},
	} {
		rnd, sum := rand.New(rand.NewPCG(3, 4)), fnv.New64a()
		for range 20_000 {
			sum.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(c.of(rnd.Float64(), rnd.Float64()))))
		}
		if got := sum.Sum64(); got != c.want {
			t.Errorf("%s: the hash of the results is %#x, want %#x", c.name, got, c.want)
		}
	}
}

// TestBitPatterns shows single results, to see by how much a function differs that fails TestBits.
func TestBitPatterns(t *testing.T) {
	for _, c := range []struct {
		name string
		got  float64
		want uint64
	}{
		{"Exp(1)", portable.Exp(1), 0x4005bf0a8b145769},
		{"Exp(-0.3)", portable.Exp(-0.3), 0x3fe7b4c869c37c05},
		{"Exp(12.34)", portable.Exp(12.34), 0x410be9af9dcff5f0},
		{"Log(3)", portable.Log(3), 0x3ff193ea7aad030a},
		{"Log(0.1)", portable.Log(0.1), 0xc0026bb1bbb55515},
		{"Log10(20)", portable.Log10(20), 0x3ff4d104d427de7f},
		{"Pow(0.7, 1/0.7)", portable.Pow(0.7, 1/0.7), 0x3fe3398b6e0ef6f8},
		{"Pow(1.1, 100)", portable.Pow(1.1, 100), 0x40caea4e6126bb8c},
		{"Cos(1)", portable.Cos(1), 0x3fe14a280fb5068c},
		{"Cos(100)", portable.Cos(100), 0x3feb981dbf665fdf},
	} {
		if got := math.Float64bits(c.got); got != c.want {
			t.Errorf("%s = %v, bits %#x, want %v, bits %#x", c.name, c.got, got, math.Float64frombits(c.want), c.want)
		}
	}
}

func TestSpecialValues(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Exp(0)", portable.Exp(0), 1},
		{"Exp(tiny)", portable.Exp(1e-20), 1},
		{"Exp(Inf)", portable.Exp(inf), inf},
		{"Exp(-Inf)", portable.Exp(-inf), 0},
		{"Exp(710)", portable.Exp(710), inf},
		{"Exp(-746)", portable.Exp(-746), 0},
		{"Exp(-745)", portable.Exp(-745), 5e-324},
		{"Exp(NaN)", portable.Exp(nan), nan},
		{"Log(1)", portable.Log(1), 0},
		{"Log(0)", portable.Log(0), -inf},
		{"Log(-1)", portable.Log(-1), nan},
		{"Log(Inf)", portable.Log(inf), inf},
		{"Log(NaN)", portable.Log(nan), nan},
		{"Log of the least number", portable.Log(5e-324), -744.4400719213812},
		{"Log10(1)", portable.Log10(1), 0},
		{"Pow(0, 0)", portable.Pow(0, 0), 1},
		{"Pow(1, NaN)", portable.Pow(1, nan), 1},
		{"Pow(NaN, 1)", portable.Pow(nan, 1), nan},
		{"Pow(-2, 2)", portable.Pow(-2, 2), nan},
		{"Pow(0, 3)", portable.Pow(0, 3), 0},
		{"Pow(0, -3)", portable.Pow(0, -3), inf},
		{"Pow(0, Inf)", portable.Pow(0, inf), 0},
		{"Pow(Inf, 2)", portable.Pow(inf, 2), inf},
		{"Pow(Inf, -2)", portable.Pow(inf, -2), 0},
		{"Pow(2, Inf)", portable.Pow(2, inf), inf},
		{"Pow(2, -Inf)", portable.Pow(2, -inf), 0},
		{"Pow(0.5, Inf)", portable.Pow(0.5, inf), 0},
		{"Pow(0.5, -Inf)", portable.Pow(0.5, -inf), inf},
		{"Pow(2, 10)", portable.Pow(2, 10), 1024},
		{"Pow(2, -1074)", portable.Pow(2, -1074), 5e-324},
		{"Pow(2, 1024)", portable.Pow(2, 1024), inf},
		{"Pow(10, 22)", portable.Pow(10, 22), 1e22},
		{"Pow(3, 1e15)", portable.Pow(3, 1e15), inf},
		{"Pow(0.3, 1e15)", portable.Pow(0.3, 1e15), 0},
		{"Pow(9, 0.5)", portable.Pow(9, 0.5), 3},
		{"Pow(9, -0.5)", portable.Pow(9, -0.5), 1.0 / 3},
		{"Cos(0)", portable.Cos(0), 1},
		{"Cos(π)", portable.Cos(math.Pi), -1},
		{"Cos(-π)", portable.Cos(-math.Pi), -1},
		{"Cos(2²⁹)", portable.Cos(1 << 29), nan},
		{"Cos(Inf)", portable.Cos(inf), nan},
		{"Cos(NaN)", portable.Cos(nan), nan},
	} {
		if c.got != c.want && !(math.IsNaN(c.got) && math.IsNaN(c.want)) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}

// kube-scheduler weighs topologies by math.Log, and is compared on amd64.
func TestLogIsThatOfTheStandardLibraryOnAMD64(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("math.Log has other bits on this processor")
	}
	for n := 1.0; n < 200_000; n++ {
		if got, want := portable.Log(n), math.Log(n); got != want {
			t.Fatalf("Log(%v) = %v, want %v", n, got, want)
		}
	}
}
