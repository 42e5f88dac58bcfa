package steady

import "github.com/berth-sim/berth/reports/chart"

// Figure is a picture.
type Figure struct {
	Name  string // of its file, without ending
	Chart chart.Chart
}

// Figures are lines of means over the seeds, by load: of each scenario F, and what pods ask for
// that wait.
func (e Entries) Figures() []Figure {
	var out []Figure
	for _, scenario := range e.Scenarios() {
		out = append(out,
			Figure{"fragmented-" + scenario, e.lines(scenario, "GPUs that are free but unusable, by load: ", "fragmented")},
			Figure{"waiting-" + scenario, e.lines(scenario, "GPUs that waiting pods ask for, of all GPUs, by load: ", "demand")},
		)
	}
	return out
}

// lines are those of the policies, of a measure that is a share.
func (e Entries) lines(scenario, title, measure string) chart.Chart {
	loads := e.Loads()
	const room = 0.01 // for the last label
	c := chart.Chart{
		Title: title + scenario,
		X:     chart.Axis{Scale: chart.Share, Min: float64(loads[0]) / 100, Max: float64(loads[len(loads)-1])/100 + room},
		Y:     chart.Axis{Scale: chart.Share},
	}
	for i, row := range e.Compare(scenario, MeasureNamed(measure), "") {
		mark := chart.Mark{Name: row[0].Policy, Kind: chart.Line, Ink: chart.SeriesInk(i), Dash: chart.Dash(i)}
		for _, cell := range row {
			mark.X, mark.Y = append(mark.X, float64(cell.Load)/100), append(mark.Y, cell.Mean)
		}
		c.Marks = append(c.Marks, mark)
	}
	return c
}
