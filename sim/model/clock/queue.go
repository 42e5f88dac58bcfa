package clock

// Event is something that happens at an instant. Events are handled in the
// order (At, Kind, sequence of Push): of two events of one instant the smaller
// kind comes first, and of two of one kind the one pushed first.
type Event[T any] struct {
	At      Time
	Kind    uint8
	Payload T

	seq uint64
}

// Queue holds the events to come. It is a 4-ary heap over values: container/heap
// would box every event, and four children share a cache line.
type Queue[T any] struct {
	heap []Event[T]
	seq  uint64
}

// Len is the number of events to come.
func (q *Queue[T]) Len() int { return len(q.heap) }

// Push adds an event.
func (q *Queue[T]) Push(at Time, kind uint8, payload T) {
	q.seq++
	q.heap = append(q.heap, Event[T]{At: at, Kind: kind, Payload: payload, seq: q.seq})
	q.up(len(q.heap) - 1)
}

// Peek is the next event; false when there is none.
func (q *Queue[T]) Peek() (Event[T], bool) {
	if len(q.heap) == 0 {
		return Event[T]{}, false
	}
	return q.heap[0], true
}

// Pop removes and returns the next event; false when there is none.
func (q *Queue[T]) Pop() (Event[T], bool) {
	if len(q.heap) == 0 {
		return Event[T]{}, false
	}
	top, last := q.heap[0], len(q.heap)-1
	q.heap[0] = q.heap[last]
	q.heap[last] = Event[T]{}
	q.heap = q.heap[:last]
	q.down(0)
	return top, true
}

func (e *Event[T]) before(o *Event[T]) bool {
	if e.At != o.At {
		return e.At < o.At
	}
	if e.Kind != o.Kind {
		return e.Kind < o.Kind
	}
	return e.seq < o.seq
}

const arity = 4

func (q *Queue[T]) up(i int) {
	e := q.heap[i]
	for i > 0 {
		parent := (i - 1) / arity
		if !e.before(&q.heap[parent]) {
			break
		}
		q.heap[i] = q.heap[parent]
		i = parent
	}
	q.heap[i] = e
}

func (q *Queue[T]) down(i int) {
	n := len(q.heap)
	if i >= n {
		return
	}
	e := q.heap[i]
	for {
		first := arity*i + 1
		if first >= n {
			break
		}
		least := first
		for child := first + 1; child < min(first+arity, n); child++ {
			if q.heap[child].before(&q.heap[least]) {
				least = child
			}
		}
		if !q.heap[least].before(&e) {
			break
		}
		q.heap[i] = q.heap[least]
		i = least
	}
	q.heap[i] = e
}
