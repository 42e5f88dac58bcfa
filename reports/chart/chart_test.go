package chart

import (
	"bytes"
	"image/png"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sample is a chart with marks of every kind that axes of numbers have.
func sample() *Chart {
	return &Chart{
		Title: "Title & <more>",
		X:     Axis{Scale: Clock, Max: 7200},
		Y:     Axis{Scale: Share},
		Marks: []Mark{
			{Name: "area", Kind: Area, Ink: Series2, X: []float64{0, 3600, 7200}, Y: []float64{0.2, 0.4, 0.1}, Base: []float64{0, 0.1, 0}},
			{Name: "faint", Kind: Area, Ink: Series3, Faint: true, X: []float64{0, 7200}, Y: []float64{0.1, 0.1}},
			{Name: "line", Kind: Line, Ink: Series1, X: []float64{0, 1000, 2000, 3000, 7200}, Y: []float64{0, 0.6, math.NaN(), 0.7, 0.9}},
		},
	}
}

func rows() *Chart {
	return &Chart{
		Title: "Rows", X: Axis{Scale: Clock, Max: 60}, Y: Axis{Scale: Rows, Names: []string{"first", "a-name-that-is-much-too-long-to-be-shown"}},
		Marks: []Mark{
			{Name: "spans", Kind: Spans, Ink: Series1, X: []float64{0, 30}, To: []float64{20, 30}, Y: []float64{0, 1}},
			{Name: "ticks", Kind: Ticks, Ink: Text, X: []float64{60}, Y: []float64{1}},
		},
	}
}

func TestDrawing(t *testing.T) {
	for _, c := range []*Chart{sample(), rows()} {
		d := c.Draw(Size{400, 200})
		if again := c.Draw(Size{400, 200}); again != d {
			t.Errorf("%s: the second drawing is another one", c.Title)
		}
		if strings.Contains(d.Body, "#") || strings.Contains(d.Body, "style") || strings.Contains(d.Body, "NaN") {
			t.Errorf("%s: colors belong to the page: %s", c.Title, d.Body)
		}
		if d.ViewBox != "0 0 4000 2000" || !(0 < d.From && d.From < d.To && d.To <= 1) {
			t.Errorf("%s: the view is %s, data from %v to %v", c.Title, d.ViewBox, d.From, d.To)
		}
	}
	body := sample().Draw(Size{400, 200}).Body
	for class, want := range map[string]int{"i2 s": 2, "i3 f": 1, "i4 w": 1} {
		if got := strings.Count(body, `class="`+class+`"`); got != want {
			t.Errorf("there are %d elements of class %s, want %d:\n%s", got, class, want, body)
		}
	}
	for _, label := range []string{"0 min", "60 min", "120 min", "0 %", "80 %"} {
		if !strings.Contains(body, ">"+label+"</text>") {
			t.Errorf("there is no label %s in\n%s", label, body)
		}
	}
	if body := rows().Draw(Size{400, 200}).Body; !strings.Contains(body, "a-name-tha…to-be-shown") {
		t.Errorf("the long name is not shortened:\n%s", body)
	}
}

func TestFiles(t *testing.T) {
	for _, c := range []*Chart{sample(), rows()} {
		var svg, again, picture bytes.Buffer
		for _, err := range []error{c.WriteSVG(&svg), c.WriteSVG(&again), c.WritePNG(&picture)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if svg.String() != again.String() {
			t.Errorf("%s: the second SVG is another one", c.Title)
		}
		if regexp.MustCompile(`(href|url\(|<script)`).MatchString(svg.String()) {
			t.Errorf("%s: the SVG needs something else", c.Title)
		}
		image, err := png.Decode(&picture)
		if err != nil {
			t.Fatal(err)
		}
		if size := image.Bounds().Size(); size.X != 1920 || size.Y != 960 {
			t.Errorf("the picture is of %v", size)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis      Axis
		most      int
		low, high float64
		want      string
	}{
		{Axis{Scale: Clock}, 6, 0, 7200, "0 min, 30 min, 60 min, 90 min, 120 min"},
		{Axis{Scale: Clock}, 6, 0, 86400, "0 h, 4 h, 8 h, 12 h, 16 h, 20 h, 24 h"},
		{Axis{Scale: Clock}, 4, 0, 864000, "0 d, 3 d, 6 d, 9 d"},
		{Axis{Scale: Clock}, 4, 0, 0.4, "0.0 s, 0.1 s, 0.2 s, 0.3 s, 0.4 s"},
		{Axis{Scale: Share}, 5, 0, 1, "0 %, 20 %, 40 %, 60 %, 80 %, 100 %"},
		{Axis{Scale: Share}, 5, 0, 0.01, "0.0 %, 0.2 %, 0.4 %, 0.6 %, 0.8 %, 1.0 %"},
		{Axis{Scale: Count}, 4, 0, 3, "0, 1, 2, 3"},
		{Axis{Scale: Count}, 5, 0, 0.9, "0.0, 0.2, 0.4, 0.6, 0.8"},
		{Axis{Scale: Count}, 4, 0, 20000, "0, 5k, 10k, 15k, 20k"},
		{Axis{Scale: LogTime}, 5, 1e-4, 3600, "100 µs, 10 ms, 1 s, 1 min, 1 h"},
		{Axis{Scale: LogTime}, 9, 1, 100, "1 s, 10 s, 1 min"},
	} {
		var labels []string
		for _, tick := range (ticker{c.axis, c.most}).Ticks(c.low, c.high) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, ", "); got != c.want {
			t.Errorf("ticks from %v to %v, at most %d: %s, want %s", c.low, c.high, c.most, got, c.want)
		}
	}
}

// What can be seen of a line stays: its ends, and the highest and lowest point.
func TestThinKeepsExtremes(t *testing.T) {
	var x, y []float64
	for i := range 10_000 {
		x, y = append(x, float64(i)), append(y, math.Sin(float64(i)/100))
	}
	y[1234], y[4321], y[5000] = 99, -99, math.NaN()
	thinX, thinY := Thin(x, y, 50)
	if len(thinX) > 4*51 {
		t.Errorf("%d points are left", len(thinX))
	}
	if !slices.Contains(thinY, 99) || !slices.Contains(thinY, -99) || thinX[0] != 0 || thinX[len(thinX)-1] != 9999 || !slices.IsSorted(thinX) {
		t.Errorf("the line has lost a part: %v", thinX)
	}
	if sameX, _ := Thin(x[:100], y[:100], 50); len(sameX) != 100 {
		t.Errorf("a short line is thinned to %d points", len(sameX))
	}
}

func TestStackAndSteps(t *testing.T) {
	bases, tops := Stack([][]float64{{1, 2}, {3, math.NaN()}})
	if !slices.Equal(bases[1], []float64{1, 2}) || !slices.Equal(tops[1], []float64{4, 2}) {
		t.Errorf("the second row reaches from %v to %v", bases[1], tops[1])
	}
	x, y := Steps([]float64{0, 5, 9}, []float64{1, 2})
	if !slices.Equal(x, []float64{0, 5, 5, 9}) || !slices.Equal(y, []float64{1, 1, 2, 2}) {
		t.Errorf("steps are at %v of %v", x, y)
	}
}

func TestEmptyChart(t *testing.T) {
	for _, scale := range []Scale{Count, Share, Clock, LogTime} {
		c := &Chart{X: Axis{Scale: scale}, Y: Axis{Scale: Count}}
		if d := c.Draw(Size{300, 100}); strings.Contains(d.Body, "NaN") {
			t.Errorf("scale %d: %s", scale, d.Body)
		}
	}
}
