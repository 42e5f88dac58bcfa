package chart

import (
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// inUnits returns a length in whole units of which a point has so many. What lies half-way between two of them, as
// coordinates of round numbers often do, may be a last bit above or below it, which depends on the processor: it is
// rounded up.
func inUnits(l vg.Length, unitsOfPoint float64) float64 {
	const lastBits = 1e-6
	return math.Floor(float64(float64(l)*unitsOfPoint) + 0.5 + lastBits)
}

// snapped is a canvas whose coordinates are whole hundredths of a point, the same on every processor: those that
// gonum/plot works out are not, in the last bit.
type snapped struct{ vg.Canvas }

func snap(p vg.Point) vg.Point {
	const unitsOfPoint = 100
	return vg.Point{X: vg.Length(inUnits(p.X, unitsOfPoint) / unitsOfPoint), Y: vg.Length(inUnits(p.Y, unitsOfPoint) / unitsOfPoint)}
}

// Stroke implements vg.Canvas.
func (c snapped) Stroke(p vg.Path) { c.Canvas.Stroke(snapPath(p)) }

// Fill implements vg.Canvas.
func (c snapped) Fill(p vg.Path) { c.Canvas.Fill(snapPath(p)) }

// FillString implements vg.Canvas.
func (c snapped) FillString(f font.Face, p vg.Point, s string) { c.Canvas.FillString(f, snap(p), s) }

func snapPath(p vg.Path) vg.Path {
	out := make(vg.Path, len(p))
	for i, step := range p {
		step.Pos = snap(step.Pos)
		out[i] = step
	}
	return out
}
