package summary

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/model/record/recordtest"
)

// What is relative to the mean utilization says nothing where that is about zero: the
// tables leave it out, unless asked for all; the other formats have it as computed.
func TestImbalanceOfAnIdleResourceIsNoHeadline(t *testing.T) {
	for _, c := range []struct {
		milli int
		shown bool
	}{{1000, true}, {20, true}, {19, false}, {1, false}} {
		l := metric.NewLedger()
		for _, line := range strings.Split(fmt.Sprintf(`0 workload workload=0 text=w
0 nodeAdd node=0 name=a cpu=1000
0 nodeAdd node=1 name=b cpu=1000
0 class class=0 cpu=%d
0 arrive pod=0
0 attempt pod=0 count=1 outcome=scheduled to=0
10 sample
10 end text=horizon`, c.milli), "\n") {
			l.Observe(recordtest.Parse(t, line))
		}
		s := l.Summary(metric.Facts{})
		if cv, _ := s.Value("utilization.imbalanceCVMean", "cpu"); cv != 1 {
			t.Errorf("%d milli: the CV is %v, want 1", c.milli, cv)
		}
		for _, view := range []output.View{{Format: output.Table, Width: 100, All: false}, {Format: output.Table, Width: 100, All: true}, {Format: output.Markdown, Width: 0, All: false}} {
			var b bytes.Buffer
			if err := Render(&b, s, view); err != nil {
				t.Fatal(err)
			}
			for _, number := range []string{"1.000", "0.500"} {
				if shown := strings.Contains(b.String(), number); shown != (c.shown || view.All) {
					t.Errorf("%d milli, %+v: shown is %v\n%s", c.milli, view, shown, b.String())
				}
			}
		}
	}
}

// Tables speak of the pods pending at the end only where there are some.
func TestPendingPodsAreAHeadlineWhereThereAreSome(t *testing.T) {
	for lines, want := range map[string]bool{"": true, "\n3 gone pod=0": false} {
		l := metric.NewLedger()
		for _, line := range strings.Split("0 workload workload=0 text=w\n0 class class=0 cpu=1\n0 arrive pod=0"+lines+"\n9 end text=horizon", "\n") {
			l.Observe(recordtest.Parse(t, line))
		}
		var b bytes.Buffer
		if err := Render(&b, l.Summary(metric.Facts{}), output.View{Format: output.Table, Width: 80}); err != nil {
			t.Fatal(err)
		}
		for _, title := range []string{"attempts, still pending", "age, still pending"} {
			if got := strings.Contains(b.String(), title); got != want {
				t.Errorf("after %q: %q is there: %v\n%s", lines, title, got, b.String())
			}
		}
	}
}
