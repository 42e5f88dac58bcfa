package chart

import (
	"image/color"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Size is the size of a picture in points, which are pixels on a page.
type Size struct{ Width, Height float64 }

// Drawing is a chart drawn for a page.
type Drawing struct {
	Body     string  // what is inside the svg element
	ViewBox  string  // its attribute
	From, To float64 // the part of the width that the data takes: 0 is the left edge, 1 the right one
	Limits   [2]float64
}

// Draw draws the chart for a page.
func (c *Chart) Draw(size Size) Drawing {
	on := &canvas{height: vg.Length(size.Height)}
	p := c.plot(size, texts{plot.DefaultTextHandler, on}, 11)
	area := draw.NewCanvas(on, vg.Length(size.Width), vg.Length(size.Height))
	p.Draw(area)
	data := p.DataCanvas(area)
	return Drawing{
		Body:    string(on.out),
		ViewBox: "0 0 " + strconv.Itoa(round(vg.Length(size.Width))) + " " + strconv.Itoa(round(vg.Length(size.Height))),
		From:    float64(data.Min.X) / size.Width, To: float64(data.Max.X) / size.Width,
		Limits: [2]float64{p.X.Min, p.X.Max},
	}
}

// slide is the size of files, and slideFont that of their text, in points.
var slide = Size{960, 480}

const slideFont = 16

// WriteSVG writes the chart as an SVG file that stands alone.
func (c *Chart) WriteSVG(w io.Writer) error {
	on := vgsvg.NewWith(vgsvg.UseWH(vg.Length(slide.Width), vg.Length(slide.Height)))
	c.slide(on)
	_, err := on.WriteTo(w)
	return err
}

// WritePNG writes the chart as a PNG file.
func (c *Chart) WritePNG(w io.Writer) error {
	const dpi = 144
	on := vgimg.NewWith(vgimg.UseWH(vg.Length(slide.Width), vg.Length(slide.Height)), vgimg.UseDPI(dpi))
	c.slide(on)
	_, err := vgimg.PngCanvas{Canvas: on}.WriteTo(w)
	return err
}

// slide draws the chart below its title and a legend.
func (c *Chart) slide(on vg.CanvasSizer) {
	width, height := on.Size()
	whole := draw.NewCanvas(snapped{on}, width, height)
	whole.FillPolygon(paper, []vg.Point{whole.Min, {X: whole.Max.X, Y: whole.Min.Y}, whole.Max, {X: whole.Min.X, Y: whole.Max.Y}})
	inner := draw.Crop(whole, slideFont, -slideFont, slideFont, -slideFont)
	title := style(plot.DefaultTextHandler, slideFont+4, text.XLeft, text.YTop)
	inner.FillText(title, vg.Point{X: inner.Min.X, Y: inner.Max.Y}, c.Title)
	inner.Max.Y -= 2 * slideFont
	inner.Max.Y -= c.legend(inner) + slideFont
	c.plot(slide, plot.DefaultTextHandler, slideFont).Draw(inner)
}

// legend draws the names of the marks from the top left, in as many lines as they need, and
// returns its height.
func (c *Chart) legend(on draw.Canvas) vg.Length {
	const lineHeight, gap = 1.5 * slideFont, 0.5 * slideFont
	textStyle := style(plot.DefaultTextHandler, slideFont, text.XLeft, text.YTop)
	x, y := on.Min.X, on.Max.Y
	for _, m := range c.Marks {
		if m.Name == "" {
			continue
		}
		side := vg.Length(0.7 * slideFont)
		if m.Dash > 0 {
			side *= 3
		}
		width := side + gap + textStyle.Width(m.Name)
		if x > on.Min.X && x+width > on.Max.X {
			x, y = on.Min.X, y-lineHeight
		}
		low := y - slideFont
		if m.Dash > 0 {
			middle := low + side/6
			on.StrokeLine2(draw.LineStyle{Color: m.Ink, Width: 3, Dashes: m.Dash.lengths()}, x, middle, x+side, middle)
		} else {
			on.FillPolygon(m.Ink, []vg.Point{{X: x, Y: low}, {X: x + side, Y: low}, {X: x + side, Y: low + side}, {X: x, Y: low + side}})
		}
		on.FillText(textStyle, vg.Point{X: x + side + gap, Y: y}, m.Name)
		x += width + 2*slideFont
	}
	return on.Max.Y - y + lineHeight
}

// wideLetters is how much wider a reader's letters may be than those that are measured.
const wideLetters = 1.15

func style(h text.Handler, size float64, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		Color: Text, Font: font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, vg.Length(size)),
		XAlign: x, YAlign: y, Handler: h,
	}
}

// tickLength keeps the first label of the lower axis below that of the zero beside it.
const tickLength = 10

// plot makes the plot of the chart, for text of the size.
func (c *Chart) plot(size Size, h text.Handler, textSize float64) *plot.Plot {
	p := plot.New()
	p.BackgroundColor, p.TextHandler = nil, h
	p.Title.TextStyle = style(h, textSize, text.XCenter, text.YTop)
	p.X.Label.TextStyle, p.Y.Label.TextStyle = p.Title.TextStyle, p.Title.TextStyle
	p.Legend.TextStyle = p.Title.TextStyle
	xTicks := ticker{c.X, max(2, int(size.Width/(6.5*textSize)))}
	yTicks := ticker{c.Y, max(2, int(size.Height/(3.2*textSize)))}
	for _, a := range []struct {
		axis *plot.Axis
		ticker
		style text.Style
	}{
		{&p.X, xTicks, style(h, textSize, text.XCenter, text.YTop)},
		{&p.Y, yTicks, style(h, textSize, text.XRight, text.YCenter)},
	} {
		a.axis.Min, a.axis.Max = c.limits(a.ticker.axis, a.axis == &p.X)
		a.axis.Padding = 0
		a.axis.LineStyle = draw.LineStyle{Color: Grid, Width: 0.8}
		a.axis.Tick.Marker, a.axis.Tick.Label = a.ticker, a.style
		a.axis.Tick.Length, a.axis.Tick.LineStyle = tickLength, a.axis.LineStyle
		if a.ticker.axis.Scale == LogTime {
			a.axis.Scale = plot.LogScale{}
		}
	}
	p.Y.Tick.Length = 0
	if _, onPage := h.(texts); onPage && c.Y.Scale == Rows {
		p.Y.Tick.Label.Font.Size *= wideLetters
	}
	if s := c.Y.Scale; c.Y.Min == c.Y.Max && (s == Count || s == Share) {
		p.Y.Max = niceTop(p.Y.Max, yTicks.most)
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal = nil, draw.LineStyle{Color: Grid, Width: 0.8}
	if c.Y.Scale != Rows {
		p.Add(grid)
	}
	for i := range c.Marks {
		c.Marks[i].add(p, c.Y, size)
	}
	p.X.Min, p.X.Max = c.limits(c.X, true)
	return p
}

// add adds the plotters of a mark.
func (m *Mark) add(p *plot.Plot, rows Axis, size Size) {
	switch m.Kind {
	case Line:
		for _, part := range m.unbroken(p.X.Min) {
			width := vg.Length(1.6)
			if m.Faint {
				width = 0.9
			}
			p.Add(&plotter.Line{XYs: part, LineStyle: draw.LineStyle{Color: m.Ink, Width: width, Dashes: m.Dash.lengths()}})
		}
	case Area:
		ring := make(plotter.XYs, 0, 2*len(m.X))
		for i, x := range m.X {
			ring = append(ring, plotter.XY{X: x, Y: m.Y[i]})
		}
		for i := len(m.X) - 1; i >= 0; i-- {
			base := 0.0
			if m.Base != nil {
				base = m.Base[i]
			}
			ring = append(ring, plotter.XY{X: m.X[i], Y: base})
		}
		p.Add(&polygons{rings: []plotter.XYs{ring}, fill: m.fill()})
	case Spans, Ticks:
		p.Add(&polygons{rings: m.boxes(p, rows, size), fill: m.fill()})
	}
}

// fill is what areas of the mark are filled with.
func (m *Mark) fill() color.Color {
	if m.Faint {
		return wash{m.Ink}
	}
	return m.Ink
}

// unbroken are the parts of a line between its gaps. Values below the axis are on it.
func (m *Mark) unbroken(least float64) []plotter.XYs {
	var parts []plotter.XYs
	open := false
	for i, x := range m.X {
		if math.IsNaN(m.Y[i]) {
			open = false
			continue
		}
		if !open {
			parts, open = append(parts, nil), true
		}
		last := &parts[len(parts)-1]
		*last = append(*last, plotter.XY{X: max(x, least), Y: m.Y[i]})
	}
	return parts
}

// boxes are the rectangles of spans and ticks. None is narrower than can be seen.
func (m *Mark) boxes(p *plot.Plot, rows Axis, size Size) []plotter.XYs {
	least := 2 * (p.X.Max - p.X.Min) / size.Width
	half := 0.32
	if m.Kind == Ticks {
		half = 0.45
	}
	var out []plotter.XYs
	for i, x := range m.X {
		to := x
		if m.To != nil {
			to = m.To[i]
		}
		to = max(to, min(x+least, p.X.Max))
		x = min(x, to-least)
		y := rows.middle(int(m.Y[i]))
		out = append(out, plotter.XYs{{X: x, Y: y - half}, {X: to, Y: y - half}, {X: to, Y: y + half}, {X: x, Y: y + half}})
	}
	return out
}
