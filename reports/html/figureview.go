package html

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/chart"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
)

// figureView is a figure as the template shows it.
type figureView struct {
	ID, Title, Note string
	Description     string       // for those who do not see the drawing
	Legend          []legendView // none if it would repeat the title
	None            string       // shown if there is no drawing
	TableNote       string       // says how to read the table
	Drawings        []drawing    // for screens of several widths; the style shows one
	Table           table.Table
	Hover           *hover
}

type legendView struct {
	Ink, Dash int
	Name      string
	To        string // an element that the name leads to; "" for none
}

// drawing is a chart as the template shows it.
type drawing struct {
	Class    string
	Body     template.HTML
	ViewBox  string
	From, To string
}

// hover is what the script needs to show the values under the pointer.
type hover struct {
	Kind   string        `json:"kind"`
	Low    output.Number `json:"low"` // limits of the axis
	High   output.Number `json:"high"`
	Series []hoverSeries `json:"series"`
}

type hoverSeries struct {
	Name string          `json:"name"`
	Ink  int             `json:"ink"`
	X    []output.Number `json:"x"`
	Y    []output.Number `json:"y"`
}

// rounded returns a value to five significant digits, as many as a label shows.
func rounded(v float64) output.Number {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 5, 64), 64) // it was formatted just now
	return output.Number(short)
}

func allRounded(list []float64) []output.Number {
	out := make([]output.Number, len(list))
	for i, v := range list {
		out[i] = rounded(v)
	}
	return out
}

func figureViews(figures []figure) []figureView {
	var out []figureView
	for _, f := range figures {
		out = append(out, f.view())
	}
	return out
}

func (f *figure) view() figureView {
	v := figureView{ID: f.name, Title: f.title, Note: f.note, Description: f.description(), Table: f.table}
	if len(f.chart.Marks) == 0 {
		v.None = cmp.Or(f.none, "Nothing to show: it was zero throughout.")
		return v
	}
	if f.kind == "count" || f.kind == "share" {
		v.TableNote = f.aggregation.caption()
	}
	sizes := []drawingSize{{"wide", 560}, {"narrow", 344}}
	if f.whole {
		sizes = []drawingSize{{"broad", 1090}, {"wide", 660}, {"narrow", 344}}
	}
	for _, size := range sizes {
		d := f.chart.Draw(chart.Size{Width: size.width, Height: f.height()})
		v.Drawings = append(v.Drawings, drawing{
			Class: size.class, Body: template.HTML(d.Body), ViewBox: d.ViewBox,
			From: fmt.Sprintf("%.4f", d.From), To: fmt.Sprintf("%.4f", d.To),
		})
		if f.kind != "" {
			v.Hover = &hover{Kind: f.kind, Low: rounded(d.Limits[0]), High: rounded(d.Limits[1])} // the same in every width
		}
	}
	for _, m := range f.chart.Marks {
		if m.Name == "" {
			continue
		}
		if len(f.chart.Marks) > 1 || !strings.EqualFold(m.Name, f.title) {
			v.Legend = append(v.Legend, legendView{int(m.Ink), int(m.Dash), m.Name, f.links[m.Name]})
		}
		if v.Hover != nil {
			v.Hover.Series = append(v.Hover.Series, hoverSeriesOf(m))
		}
	}
	return v
}

// hoverSeriesOf returns the values of a mark; of a stacked area its height, once for each step.
func hoverSeriesOf(m chart.Mark) hoverSeries {
	s := hoverSeries{Name: m.Name, Ink: int(m.Ink)}
	if m.Kind != chart.Area {
		s.X, s.Y = allRounded(m.X), allRounded(m.Y)
		return s
	}
	for i := 0; i < len(m.X); i += 2 {
		s.X, s.Y = append(s.X, rounded(m.X[i])), append(s.Y, rounded(m.Y[i]-m.Base[i]))
	}
	return s
}

// drawingSize is the width in pixels of the drawings that have a class of the style sheet.
type drawingSize struct {
	class string
	width float64
}

// height returns the height of the drawings, in pixels.
func (f *figure) height() float64 {
	if rows := len(f.chart.Y.Names); rows > 0 {
		return float64(40 + 13*rows)
	}
	return 205
}

// description describes a figure in words, for those who do not see it.
func (f *figure) description() string {
	if len(f.chart.Marks) == 0 {
		return "Nothing to show."
	}
	if f.kind == "" || f.kind == "cdf" {
		return f.note + " The table below has its values."
	}
	var parts []string
	for _, m := range f.chart.Marks {
		low, high, last := math.Inf(1), math.Inf(-1), math.NaN()
		for i, y := range m.Y {
			if m.Base != nil {
				y -= m.Base[i]
			}
			if !math.IsNaN(y) {
				low, high, last = min(low, y), max(high, y), y
			}
		}
		parts = append(parts, fmt.Sprintf("%s: between %s and %s, at last %s", m.Name, formatValue(f.kind, low), formatValue(f.kind, high), formatValue(f.kind, last)))
	}
	return strings.Join(parts, "; ") + "."
}
