package chart

import (
	"html"
	"image"
	"image/color"
	"strconv"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// unit is how many user units of the SVG a point has: coordinates are whole numbers, which
// are short and the same on every machine.
const unit = 10

// canvas is a vg.Canvas that writes SVG without colors: each element has the class of its
// ink, and s (stroke), f (fill) or w (wash) for how it is drawn.
type canvas struct {
	height vg.Length
	out    []byte
	ink    Ink
	thin   bool // a wash
	width  vg.Length
	dash   []vg.Length
}

// SetLineWidth implements vg.Canvas.
func (c *canvas) SetLineWidth(w vg.Length) { c.width = w }

// SetLineDash implements vg.Canvas; dashes begin with the line.
func (c *canvas) SetLineDash(lengths []vg.Length, _ vg.Length) { c.dash = lengths }

// SetColor implements vg.Canvas. What has no ink is text.
func (c *canvas) SetColor(col color.Color) {
	c.ink, c.thin = Text, false
	switch col := col.(type) {
	case Ink:
		c.ink = col
	case wash:
		c.ink, c.thin = col.Ink, true
	}
}

// Rotate implements vg.Canvas; no text is rotated.
func (c *canvas) Rotate(float64) { panic("chart: nothing is rotated") }

// Translate implements vg.Canvas.
func (c *canvas) Translate(vg.Point) { panic("chart: nothing is moved") }

// Scale implements vg.Canvas.
func (c *canvas) Scale(_, _ float64) { panic("chart: nothing is scaled") }

// Push implements vg.Canvas; there is nothing to restore.
func (c *canvas) Push() {}

// Pop implements vg.Canvas.
func (c *canvas) Pop() {}

// DrawImage implements vg.Canvas; no mark is an image.
func (c *canvas) DrawImage(vg.Rectangle, image.Image) { panic("chart: no mark is an image") }

// FillString implements vg.Canvas; labels go another way, see texts.
func (c *canvas) FillString(_ font.Face, _ vg.Point, s string) { panic("chart: " + s) }

// Stroke implements vg.Canvas.
func (c *canvas) Stroke(p vg.Path) {
	if c.width > 0 {
		c.path(p, "s")
	}
}

// Fill implements vg.Canvas.
func (c *canvas) Fill(p vg.Path) {
	if c.thin {
		c.path(p, "w")
		return
	}
	c.path(p, "f")
}

// round turns points into user units.
func round(l vg.Length) int { return int(inUnits(l, unit)) }

func (c *canvas) at(p vg.Point) (x, y int) { return round(p.X), round(c.height - p.Y) }

// path writes a path in relative coordinates.
func (c *canvas) path(p vg.Path, style string) {
	c.out = append(c.out, `<path class="`+c.ink.class()+" "+style...)
	if style == "s" && c.width < 1 {
		c.out = append(c.out, " h"...)
	}
	if style == "s" && len(c.dash) > 0 {
		c.out = append(c.out, `" stroke-dasharray="`...)
		for i, l := range c.dash {
			if i > 0 {
				c.out = append(c.out, ' ')
			}
			c.out = strconv.AppendInt(c.out, int64(round(l)), 10)
		}
	}
	c.out = append(c.out, `" d="`...)
	x, y := 0, 0
	for _, step := range p {
		toX, toY := c.at(step.Pos)
		switch {
		case step.Type == vg.MoveComp:
			c.out = append(c.out, 'M')
			c.out = strconv.AppendInt(c.out, int64(toX), 10)
			c.out = strconv.AppendInt(append(c.out, ' '), int64(toY), 10)
		case step.Type == vg.CloseComp:
			c.out = append(c.out, 'z')
			continue
		case step.Type != vg.LineComp:
			panic("chart: a path has lines only")
		case toX == x && toY == y:
			continue
		case toY == y:
			c.out = strconv.AppendInt(append(c.out, 'h'), int64(toX-x), 10)
		case toX == x:
			c.out = strconv.AppendInt(append(c.out, 'v'), int64(toY-y), 10)
		default:
			c.out = strconv.AppendInt(append(c.out, 'l'), int64(toX-x), 10)
			c.out = strconv.AppendInt(append(c.out, ' '), int64(toY-y), 10)
		}
		x, y = toX, toY
	}
	c.out = append(c.out, `"/>`...)
}

// middle is how far the middle of a digit is above its base line, in sizes of the font.
const middle = 0.36

// texts is a handler that leaves the alignment of text to the reader of the SVG, which has
// other fonts than the ones that are measured here.
type texts struct {
	text.Handler
	on *canvas
}

// Draw implements text.Handler.
func (t texts) Draw(_ vg.Canvas, s string, style text.Style, pt vg.Point) {
	c := t.on
	extents := t.Extents(style.Font)
	if style.YAlign == text.YCenter {
		pt.Y -= extents.Descent + vg.Length(middle*float64(style.Font.Size))
	} else {
		pt.Y += vg.Length(extents.Height*vg.Length(style.YAlign)) + extents.Descent
	}
	anchor := map[text.XAlignment]string{text.XCenter: " m", text.XRight: " e"}[style.XAlign]
	x, y := c.at(pt)
	c.out = append(c.out, `<text class="t`+anchor+`" x="`+strconv.Itoa(x)+`" y="`+strconv.Itoa(y)+`">`+html.EscapeString(s)+`</text>`...)
}
