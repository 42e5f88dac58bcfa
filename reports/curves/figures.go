package curves

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/chart"
)

// Figure is a picture like one of the paper.
type Figure struct {
	Name  string // of its file, without ending
	Chart chart.Chart
}

// families are the lists that differ by one property, and what it is.
var families = []struct{ part, what string }{
	{"gpushare", "more pods that share GPUs"},
	{"multigpu", "more pods with several GPUs"},
	{"gpuspec", "more pods that ask for models"},
	{"cpu", "more pods without GPUs"},
}

// Figures are pictures like figures 7, 9 (a) and 11 to 14 of the paper. Of published runs,
// which may be none, they show the same faintly below.
func Figures(entries, published []Entry) []Figure {
	var out []Figure
	groups, publishedGroups := Groups(entries), Groups(published)
	for _, list := range lists(groups) {
		short := Short(list)
		out = append(out,
			Figure{"figure-7-fragmented-" + short, lines("Fragmented, of all GPUs: "+short, list, groups, publishedGroups, func(r *Result) *Curve { return &r.Lost })},
			Figure{"figure-7-ratio-" + short, lines("Fragmented, of idle GPUs: "+short, list, groups, publishedGroups, func(r *Result) *Curve { return &r.LostOfIdle })},
			Figure{"figure-9a-" + short, unallocated(list, groups, publishedGroups)},
		)
	}
	for _, f := range families {
		if bars, rows := family(f.part, groups); rows > 0 {
			bars.Title = "Unallocated GPUs at a demand of 100 %: " + f.what
			out = append(out, Figure{"figure-11-14-" + f.part, bars})
		}
	}
	return out
}

// Short is the name of a list of openb without what they all begin with.
func Short(list string) string { return strings.TrimPrefix(list, "openb_pod_list_") }

func lists(groups []Group) []string {
	var out []string
	for _, g := range groups {
		if !slices.Contains(out, g.Workload) {
			out = append(out, g.Workload)
		}
	}
	return out
}

// demand are the columns as shares.
func demand() []float64 {
	x := make([]float64, Columns)
	for j := range x {
		x[j] = float64(j) / 100
	}
	return x
}

// lines are means over the seeds, by policy.
func lines(title, list string, groups, publishedGroups []Group, of func(*Result) *Curve) chart.Chart {
	c := chart.Chart{Title: title + ", by the demand that has arrived", X: chart.Axis{Scale: chart.Share, Max: 1.3}, Y: chart.Axis{Scale: chart.Share}}
	ink := 0
	for _, g := range groups {
		if g.Workload != list {
			continue
		}
		mark := func(g *Group, name string, faint bool) {
			y := make([]float64, Columns)
			for j := range y {
				mean, _ := g.Mean(of, j)
				y[j] = mean / 100
			}
			c.Marks = append(c.Marks, chart.Mark{Name: name, Kind: chart.Line, Ink: chart.SeriesInk(ink), X: demand(), Y: y, Faint: faint})
		}
		if k := g.in(publishedGroups); k >= 0 {
			mark(&publishedGroups[k], "", true)
		}
		mark(&g, g.Short(), false)
		ink++
	}
	return c
}

// unallocated is the median over the seeds of what is not allocated, with its middle half as
// a band, for a demand of 75 to 120 %; of published runs the median.
func unallocated(list string, groups, publishedGroups []Group) chart.Chart {
	const from, to = 75, 120
	c := chart.Chart{
		Title: "Unallocated GPUs: " + Short(list) + ", by the demand that has arrived",
		X:     chart.Axis{Scale: chart.Share, Min: from / 100.0, Max: (to + 1) / 100.0}, Y: chart.Axis{Scale: chart.Share},
	}
	x := demand()[from : to+1]
	free := func(g *Group, share float64) []float64 {
		y := make([]float64, len(x))
		for k := range y {
			y[k] = 1 - g.quantile(func(r *Result) *Curve { return &r.Allocated }, from+k, share)/100
		}
		return y
	}
	ink := 0
	for i := range groups {
		g := &groups[i]
		if g.Workload != list {
			continue
		}
		c.Marks = append(c.Marks, chart.Mark{Kind: chart.Area, Ink: chart.SeriesInk(ink), X: x, Y: free(g, 0.25), Base: free(g, 0.75), Faint: true})
		if k := g.in(publishedGroups); k >= 0 {
			c.Marks = append(c.Marks, chart.Mark{Kind: chart.Line, Ink: chart.SeriesInk(ink), X: x, Y: free(&publishedGroups[k], 0.5), Faint: true})
		}
		c.Marks = append(c.Marks, chart.Mark{Name: g.Short(), Kind: chart.Line, Ink: chart.SeriesInk(ink), X: x, Y: free(g, 0.5)})
		ink++
	}
	return c
}

// family are bars of what is not allocated at a demand of 100 %, for the lists of a family in
// the order of their numbers.
func family(part string, groups []Group) (c chart.Chart, rows int) {
	c = chart.Chart{X: chart.Axis{Scale: chart.Share}, Y: chart.Axis{Scale: chart.Rows}}
	inks := map[string]chart.Ink{}
	for _, g := range members(part, groups) {
		ink, known := inks[g.Policy]
		name := ""
		if !known {
			ink, name = chart.SeriesInk(len(inks)), g.Short()
			inks[g.Policy] = ink
		}
		mean, _ := g.Mean(func(r *Result) *Curve { return &r.Allocated }, 100)
		c.Marks = append(c.Marks, chart.Mark{Name: name, Kind: chart.Spans, Ink: ink, X: []float64{0}, To: []float64{1 - mean/100}, Y: []float64{float64(rows)}})
		c.Y.Names = append(c.Y.Names, strings.TrimPrefix(Short(g.Workload), part)+" % "+g.Short())
		rows++
	}
	return c, rows
}

// members are the groups of the lists that are called like the family, and a number.
func members(part string, groups []Group) []Group {
	number := func(g Group) int {
		rest, of := strings.CutPrefix(Short(g.Workload), part)
		n, err := strconv.Atoi(rest)
		if !of || err != nil {
			return -1
		}
		return n
	}
	out := slices.DeleteFunc(slices.Clone(groups), func(g Group) bool { return number(g) < 0 })
	slices.SortStableFunc(out, func(a, b Group) int { return cmp.Compare(number(a), number(b)) })
	return out
}
