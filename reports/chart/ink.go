package chart

import (
	"image/color"
	"strconv"

	"gonum.org/v1/plot/vg"
)

// Ink is a color by its role. On a page it is the class "i" with its number, for fills
// and strokes; in a file it is a color on white.
type Ink uint8

// The inks. Those of series distinguish categories, in this order.
const (
	Text Ink = iota
	Grid
	Series1 // blue
	Series2 // orange
	Series3 // green
	Series4 // purple
	Series5 // gray
	Series6 // yellow
	Series7 // red
)

// lastSeries is the last ink of a category.
const lastSeries = Series7

// SeriesInk is the ink of a category by its number; beyond the last they come again.
func SeriesInk(i int) Ink { return Series1 + Ink(i%int(lastSeries-Series1+1)) }

// onWhite are the colors of files. Those of series differ in lightness too, so that they
// can be distinguished without hue.
var onWhite = [...]color.NRGBA{
	Text:    {0x3b, 0x42, 0x4d, 0xff},
	Grid:    {0xe3, 0xe6, 0xea, 0xff},
	Series1: {0x1f, 0x66, 0xc7, 0xff},
	Series2: {0xd9, 0x71, 0x14, 0xff},
	Series3: {0x14, 0x8f, 0x77, 0xff},
	Series4: {0x8a, 0x4c, 0xb5, 0xff},
	Series5: {0x87, 0x90, 0x9c, 0xff},
	Series6: {0xc2, 0x99, 0x12, 0xff},
	Series7: {0xb8, 0x35, 0x4e, 0xff},
}

// RGBA implements color.Color.
func (i Ink) RGBA() (r, g, b, a uint32) { return onWhite[i].RGBA() }

// class is the name of the ink in style sheets.
func (i Ink) class() string { return "i" + strconv.Itoa(int(i)) }

// Dash is how a line is broken, so that lines can be distinguished without colors, and one
// is seen below another. The first is unbroken.
type Dash uint8

// dashes are the lengths of strokes and gaps, in points.
var dashes = [...][]vg.Length{nil, {7, 3}, {2, 2.5}, {9, 2.5, 2, 2.5}}

// lengths are those of the dash; beyond the last they come again.
func (d Dash) lengths() []vg.Length { return dashes[int(d)%len(dashes)] }

// wash is an ink that lets what is below shine through.
type wash struct{ Ink }

// RGBA implements color.Color.
func (w wash) RGBA() (r, g, b, a uint32) {
	c := onWhite[w.Ink]
	c.A = 0x50
	return c.RGBA()
}
