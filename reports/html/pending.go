package html

import (
	"cmp"
	"slices"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// pendingLog counts the pods that were pending in each column, by their main reason, as the metric
// placement.pendingMainReason does.
type pendingLog struct {
	columns
	ids     map[record.ReasonCount]int
	reasons []pendingReason
	all     int64      // pods that are pending now
	since   clock.Time // when all last changed
	peaks   []float64  // the highest value of all that lasted, in each column
	keep    int        // pods of each reason
}

func newPendingLog(c columns, keep int) pendingLog {
	return pendingLog{columns: c, keep: keep, ids: map[record.ReasonCount]int{}, peaks: make([]float64, c.count)}
}

// pendingReason is how many pods were pending for one reason, over time.
type pendingReason struct {
	label  string
	level  int64
	since  clock.Time
	column int
	sum    float64    // pods × time in the column so far
	means  []float64  // of the columns so far
	waited int64      // pods that have waited for it
	total  clock.Time // of their waits
	most   ranking    // those that waited longest for it
}

// id returns the index of a reason in reasons.
func (l *pendingLog) id(why record.ReasonCount) int {
	id, known := l.ids[why]
	if !known {
		id = len(l.reasons)
		l.ids[why] = id
		l.reasons = append(l.reasons, pendingReason{label: metric.ReasonLabel(why), most: ranking{size: l.keep}})
	}
	return id
}

func (l *pendingLog) add(id int, delta int64, now clock.Time) {
	l.advance(&l.reasons[id], now)
	l.reasons[id].level += delta
	l.advancePeaks(now)
	l.all += delta
}

// advancePeaks records how many pods have been pending up to now. A number that lasted for no time does not
// count, as in the metric throughput.pendingMax.
func (l *pendingLog) advancePeaks(now clock.Time) {
	if now > l.since {
		for i := l.of(l.since); i < l.count && l.edge(i) < now; i++ {
			l.peaks[i] = max(l.peaks[i], float64(l.all))
		}
	}
	l.since = now
}

// advance adds the time up to now to the integral of a reason.
func (l *pendingLog) advance(r *pendingReason, now clock.Time) {
	for {
		edge := l.edge(r.column + 1)
		until := min(now, edge)
		r.sum += float64(float64(r.level) * float64(until-r.since))
		r.since = until
		if now < edge || r.column == l.count-1 {
			return
		}
		l.close(r)
	}
}

// close ends the current column of a reason.
func (l *pendingLog) close(r *pendingReason) {
	mean := 0.0
	if width := float64(l.edge(r.column+1) - l.edge(r.column)); width > 0 {
		mean = r.sum / width
	}
	r.means = append(r.means, mean)
	r.sum = 0
	r.column++
}

// finish closes the last column and puts the reasons in order, from most to least.
func (l *pendingLog) finish(end clock.Time) {
	l.advancePeaks(end)
	if end == 0 {
		l.peaks[0] = float64(l.all)
	}
	total := map[string]float64{}
	for i := range l.reasons {
		r := &l.reasons[i]
		l.advance(r, end)
		l.close(r)
		for _, v := range r.means {
			total[r.label] += v
		}
	}
	slices.SortStableFunc(l.reasons, func(a, b pendingReason) int {
		return cmp.Or(cmp.Compare(total[b.label], total[a.label]), cmp.Compare(a.label, b.label))
	})
}

// visible is how much of the highest level a reason must reach to be shown on its own.
const visible = 0.01

// highest returns the highest mean of any reason.
func (l *pendingLog) highest() float64 {
	highest := 0.0
	for _, r := range l.reasons {
		highest = max(highest, slices.Max(r.means))
	}
	return highest
}

// most returns the first n reasons that are visible, and the sum of all others if that is not zero.
func (l *pendingLog) most(n int) []pendingReason {
	highest := l.highest()
	var out []pendingReason
	rest := pendingReason{label: others, means: make([]float64, l.count)}
	for _, r := range l.reasons {
		if len(out) < n && slices.Max(r.means) > visible*highest {
			out = append(out, r)
			continue
		}
		for i, v := range r.means {
			rest.means[i] += v
		}
	}
	if slices.Max(rest.means) > 0 {
		out = append(out, rest)
	}
	return out
}

const others = "all other reasons"
