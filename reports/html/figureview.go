package html

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/berth-sim/berth/reports/chart"
	"github.com/berth-sim/berth/reports/table"
)

// figureView is a figure as the template shows it.
type figureView struct {
	ID, Title, Note, Story string
	Legend                 []legendView // none where it would say the title again
	None                   string       // said where nothing is shown
	How                    string       // to read the table
	Drawings               []drawing    // for screens of several widths; the style shows one
	Table                  table.Table
	Hover                  *hover
}

type legendView struct {
	Ink, Dash int
	Name      string
}

// drawing is a chart as the template shows it.
type drawing struct {
	Class    string
	Body     template.HTML
	ViewBox  string
	From, To string
}

// hover is what the script needs to tell the values under the pointer.
type hover struct {
	Kind   string        `json:"kind"`
	Low    number        `json:"low"` // limits of the axis
	High   number        `json:"high"`
	Series []hoverSeries `json:"series"`
}

type hoverSeries struct {
	Name string   `json:"name"`
	Ink  int      `json:"ink"`
	X    []number `json:"x"`
	Y    []number `json:"y"`
}

// number is written with as many digits as a label needs.
type number float64

// MarshalJSON implements json.Marshaler; NaN is null.
func (n number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) {
		return []byte("null"), nil
	}
	return fmt.Appendf(nil, "%.5g", float64(n)), nil
}

func numbers(list []float64) []number {
	out := make([]number, len(list))
	for i, v := range list {
		out[i] = number(v)
	}
	return out
}

func views(figures []figure) []figureView {
	var out []figureView
	for _, f := range figures {
		out = append(out, f.view())
	}
	return out
}

func (f *figure) view() figureView {
	v := figureView{ID: f.name, Title: f.title, Note: f.note, Story: f.story(), Table: f.table}
	if len(f.chart.Marks) == 0 {
		v.None = cmp.Or(f.none, "Nothing to show: it was zero throughout.")
		return v
	}
	if f.kind == "count" || f.kind == "share" {
		v.How = f.join.says()
	}
	sizes := []sized{{"wide", 560}, {"narrow", 344}}
	if f.whole {
		sizes = []sized{{"broad", 1090}, {"wide", 660}, {"narrow", 344}}
	}
	for _, size := range sizes {
		d := f.chart.Draw(chart.Size{Width: size.width, Height: f.height()})
		v.Drawings = append(v.Drawings, drawing{
			Class: size.class, Body: template.HTML(d.Body), ViewBox: d.ViewBox,
			From: fmt.Sprintf("%.4f", d.From), To: fmt.Sprintf("%.4f", d.To),
		})
		if f.kind != "" {
			v.Hover = &hover{Kind: f.kind, Low: number(d.Limits[0]), High: number(d.Limits[1])} // the same in every width
		}
	}
	for _, m := range f.chart.Marks {
		if m.Name == "" {
			continue
		}
		if len(f.chart.Marks) > 1 || !strings.EqualFold(m.Name, f.title) {
			v.Legend = append(v.Legend, legendView{int(m.Ink), int(m.Dash), m.Name})
		}
		if v.Hover != nil {
			v.Hover.Series = append(v.Hover.Series, hovered(m))
		}
	}
	return v
}

// hovered are the values of a mark: of a stacked area its height, once for each step.
func hovered(m chart.Mark) hoverSeries {
	s := hoverSeries{Name: m.Name, Ink: int(m.Ink)}
	if m.Kind != chart.Area {
		s.X, s.Y = numbers(m.X), numbers(m.Y)
		return s
	}
	for i := 0; i < len(m.X); i += 2 {
		s.X, s.Y = append(s.X, number(m.X[i])), append(s.Y, number(m.Y[i]-m.Base[i]))
	}
	return s
}

// sized is the width in pixels at which a drawing of a class is to be seen.
type sized struct {
	class string
	width float64
}

// height is the height of the drawings, in pixels.
func (f *figure) height() float64 {
	if rows := len(f.chart.Y.Names); rows > 0 {
		return float64(40 + 13*rows)
	}
	return 205
}

// story describes a figure in words, for those who do not see it.
func (f *figure) story() string {
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
		parts = append(parts, fmt.Sprintf("%s: between %s and %s, at last %s", m.Name, worded(f.kind, low), worded(f.kind, high), worded(f.kind, last)))
	}
	return strings.Join(parts, "; ") + "."
}
