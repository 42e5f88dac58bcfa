package scenarios_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/recipe"
)

func TestDuration(t *testing.T) {
	for text, want := range map[string]clock.Time{
		"0s": 0, "0": 0, "0d": 0, "500ms": 500 * clock.Millisecond, "90s": 90 * clock.Second, "1h30m": 90 * clock.Minute,
		"2d": 48 * clock.Hour, "1.5d": 36 * clock.Hour, "1w": 7 * 24 * clock.Hour, "1w2d3h4m5s": (9*24+3)*clock.Hour + 4*clock.Minute + 5*clock.Second,
		"-1d12h": -36 * clock.Hour, " 5m ": 5 * clock.Minute, "0.5h": 30 * clock.Minute, "1ns": 1, "2500000h": 2_500_000 * clock.Hour,
	} {
		var d scenarios.Duration
		if err := d.UnmarshalText([]byte(text)); err != nil || d.Time() != want {
			t.Errorf("%q: got %v, %v, want %v", text, d.Time(), err, want)
		}
	}
	for text, want := range map[string]string{
		"": "is not a duration", "5": "is not a duration", "m": "is not a duration", "5 m": "is not a duration", "1d 2h": "is not a duration",
		"1y": "is not a duration", "--5m": "the sign comes first", "1d-5m": "the sign comes first", "-": "is not a duration",
		"106752d": "is too long", "99999999999999999999w": "is too long", "-300y": "is not a duration", "1e3s": "is not a duration",
		"nan": "is not a duration", "infs": "is not a duration",
	} {
		var d scenarios.Duration
		if err := d.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, %v, want %q", text, d.Time(), err, want)
		}
	}
}

func TestRate(t *testing.T) {
	for text, want := range map[string]float64{
		"1/s": 1, "60/m": 1, "60/min": 1, "36/h": 0.01, "864/d": 0.01, "2.5 / s": 2.5, "0/s": 0, "-1/s": -1, "1000000/s": 1e6, "1e2/s": 100,
	} {
		var r scenarios.Rate
		if err := r.UnmarshalText([]byte(text)); err != nil || float64(r) != want {
			t.Errorf("%q: got %v, %v, want %v", text, r, err, want)
		}
	}
	for _, text := range []string{"", "5", "/s", "5/", "5/y", "x/s", "nan/s", "inf/s", "5/s/s", "1000001/s", "1e999/s"} {
		var r scenarios.Rate
		if err := r.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for %v", text, r)
		}
	}
}

func TestHorizon(t *testing.T) {
	var h recipe.Horizon
	if err := h.UnmarshalText([]byte("untilDone")); err != nil || clock.Time(h) != clock.Forever {
		t.Errorf("got %v, %v", h, err)
	}
	if err := h.UnmarshalText([]byte("2d")); err != nil || clock.Time(h) != 48*clock.Hour {
		t.Errorf("got %v, %v", h, err)
	}
	for _, text := range []string{"", "0s", "-1h", "untildone", "forever", "300000d"} {
		if err := h.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for %v", text, h)
		}
	}
}

func TestQuantities(t *testing.T) {
	var cpu scenarios.MilliCPU
	if err := cpu.UnmarshalText([]byte("1.5")); err != nil || cpu != 1500 {
		t.Errorf("got %v, %v", cpu, err)
	}
	var memory scenarios.Bytes
	if err := memory.UnmarshalText([]byte("4Gi")); err != nil || memory != 4<<30 {
		t.Errorf("got %v, %v", memory, err)
	}
	for _, text := range []string{"", "-1", "x", "9999999999999999999999", "1.5.5"} {
		if err := errors.Join(cpu.UnmarshalText([]byte(text)), memory.UnmarshalText([]byte(text))); err == nil {
			t.Errorf("%q is taken for %v and %v", text, cpu, memory)
		}
	}
}

// FuzzDuration holds what is read to package time, which knows all units but days and
// weeks.
func FuzzDuration(f *testing.F) {
	for _, seed := range []string{"1h30m", "2d", "-1w", "0", "1.5d", "1d1d", "999999999h", "-0s", "5", "d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var d scenarios.Duration
		err := d.UnmarshalText([]byte(text))
		var h recipe.Horizon
		if herr := h.UnmarshalText([]byte(text)); herr == nil && text != recipe.UntilDone && (err != nil || d <= 0) {
			t.Errorf("%q is a horizon of %v, and as a duration %v, %v", text, h, d, err)
		}
		span, perr := time.ParseDuration(strings.TrimSpace(text))
		if perr != nil || strings.Contains(text, "+") {
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		// Hours are read as a double, which has 53 bits for 63.
		if diff := d.Time() - clock.FromDuration(span); diff > 1<<11 || diff < -1<<11 {
			t.Errorf("%q: got %v, package time says %v", text, d.Time(), span)
		}
	})
}

func FuzzRate(f *testing.F) {
	for _, seed := range []string{"40/m", "2.5/s", "1/h", "-1/d", "nan/s", "0x1p3/s", "1_0/s"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var r scenarios.Rate
		if err := r.UnmarshalText([]byte(text)); err == nil && !(r <= 1e6) {
			t.Errorf("%q is taken for %v", text, r)
		}
	})
}
