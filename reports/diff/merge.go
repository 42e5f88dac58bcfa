package diff

import (
	"cmp"
	"context"

	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

const (
	batchSize     = 2048
	progressEvery = 10_000 // records
)

// feed delivers the records of one run, which a goroutine reads, in batches.
type feed struct {
	batches chan []*record.Record
	current []*record.Record
	err     error
}

// read reads the run. Once the context has ended, its records are dropped.
func (f *feed) read(ctx context.Context, run *rundir.Run) {
	batch := make([]*record.Record, 0, batchSize)
	send := func() {
		select {
		case f.batches <- batch:
		case <-ctx.Done():
		}
	}
	f.err = run.Replay(func(r *record.Record) {
		if batch = append(batch, r); len(batch) == batchSize {
			send()
			batch = make([]*record.Record, 0, batchSize)
		}
	})
	send()
	close(f.batches)
}

// head returns the next record without consuming it, nil at the end.
func (f *feed) head() *record.Record {
	for len(f.current) == 0 {
		batch, more := <-f.batches
		if !more {
			return nil
		}
		f.current = batch
	}
	return f.current[0]
}

// merge reads two logs side by side, in order of time.
type merge struct {
	sides        [2]side
	loads        map[string]*load
	list         []*load // in order of appearance
	prefix       prefix
	divergence   search
	worst        worst
	readProgress func(int64)
}

// side is the state of one of the runs.
type side struct {
	now   clock.Time
	nodes []string // names
	loads []*load
	life  *lifecycle.Lifecycle[*matchedPod]
	gone  []*matchedPod // evicted pods that have gone at this instant, and may be re-created
}

func newMerge(o Options) *merge {
	m := &merge{loads: map[string]*load{}, worst: worst{limit: o.Pods}, readProgress: o.ReadProgress}
	for i := range m.sides {
		m.sides[i].life = lifecycle.New[*matchedPod]()
	}
	return m
}

// read reads both runs.
func (m *merge) read(ctx context.Context, runs [2]*rundir.Run) error {
	var feeds [2]*feed
	for i := range feeds {
		feeds[i] = &feed{batches: make(chan []*record.Record, 1)}
		go feeds[i].read(ctx, runs[i])
	}
	return m.take(ctx, feeds)
}

// take takes in both feeds. If both fail, it returns the error of the first.
func (m *merge) take(ctx context.Context, feeds [2]*feed) error {
	for records := int64(1); ; records++ {
		heads := [2]*record.Record{feeds[0].head(), feeds[1].head()}
		s := 0
		switch {
		case heads[0] == nil && heads[1] == nil:
			return cmp.Or(ctx.Err(), feeds[0].err, feeds[1].err)
		case heads[0] == nil || heads[1] != nil && heads[1].Time < heads[0].Time:
			s = 1
		}
		if failed := heads[1-s] == nil && feeds[1-s].err != nil; !failed {
			m.prefix.add(s, heads[s])
			m.observe(s, heads[s])
		}
		feeds[s].current = feeds[s].current[1:]
		if records%progressEvery != 0 {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if m.readProgress != nil {
			m.readProgress(records)
		}
	}
}

// observe takes in the next record of a side.
func (m *merge) observe(s int, r *record.Record) {
	run := &m.sides[s]
	change, ok := run.life.Observe(r)
	if !ok {
		return // an invalid record, which the reader of the run reports
	}
	if r.Time > run.now {
		m.endGone(s)
		run.now = r.Time
	}
	switch r.Kind {
	case record.DeclareWorkload:
		m.declare(s, r)
	case record.NodeAdded, record.NodeChanged:
		*grow(&run.nodes, int(r.Node)) = r.NodeInfo.Name
	case record.PodArrived:
		m.arrive(s, r, change.Pod)
	default:
		if change != nil {
			m.observePod(s, r, change)
		}
	}
}

func (m *merge) declare(s int, r *record.Record) {
	l := m.loads[r.Text]
	if l == nil {
		l = &load{name: r.Text, names: map[string]*namesakes{}}
		m.loads[r.Text] = l
		m.list = append(m.list, l)
	}
	*grow(&m.sides[s].loads, int(r.Workload)) = l
}

// node returns the name of a node; "" for none.
func (s *side) node(number int32) string {
	if number < 0 || int(number) >= len(s.nodes) {
		return ""
	}
	return s.nodes[number]
}

// grow returns the element of a list that grows as numbers become known.
func grow[T any](list *[]T, i int) *T {
	for i >= len(*list) {
		var zero T
		*list = append(*list, zero)
	}
	return &(*list)[i]
}
