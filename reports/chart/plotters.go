package chart

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// paper is what files are drawn on.
var paper = color.White

// polygons fills rings of points, all in one path. gonum's own polygon has an outline
// besides, and takes one ring more for each hole.
type polygons struct {
	rings []plotter.XYs
	fill  color.Color
}

// Plot implements plot.Plotter.
func (g *polygons) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var path vg.Path
	for _, ring := range g.rings {
		points := make([]vg.Point, len(ring))
		for i, at := range ring {
			points[i] = vg.Point{X: x(at.X), Y: y(at.Y)}
		}
		for i, at := range c.ClipPolygonXY(points) {
			if i == 0 {
				path.Move(at)
			} else {
				path.Line(at)
			}
		}
		path.Close()
	}
	c.SetColor(g.fill)
	c.Fill(path)
}
