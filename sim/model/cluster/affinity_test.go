package cluster

import "testing"

func TestRequirements(t *testing.T) {
	v := NewVocabulary()
	set := v.NewLabelSet(map[string]string{"disk": "ssd", "size": "7", "word": "seven", "debt": "-3", "huge": "9223372036854775808"})
	values := func(texts ...string) []Symbol {
		var out []Symbol
		for _, s := range texts {
			out = append(out, v.Symbol(s))
		}
		return out
	}
	tests := []struct {
		name string
		r    Requirement
		want bool
	}{
		{"In, there", Requirement{Key: v.Symbol("disk"), Op: In, Values: values("hdd", "ssd")}, true},
		{"In, another", Requirement{Key: v.Symbol("disk"), Op: In, Values: values("hdd")}, false},
		{"In, no label", Requirement{Key: v.Symbol("gpu"), Op: In, Values: values("ssd")}, false},
		{"NotIn, there", Requirement{Key: v.Symbol("disk"), Op: NotIn, Values: values("ssd")}, false},
		{"NotIn, another", Requirement{Key: v.Symbol("disk"), Op: NotIn, Values: values("hdd")}, true},
		{"NotIn, no label", Requirement{Key: v.Symbol("gpu"), Op: NotIn, Values: values("a")}, true},
		{"Exists", Requirement{Key: v.Symbol("disk"), Op: Exists}, true},
		{"Exists, no label", Requirement{Key: v.Symbol("gpu"), Op: Exists}, false},
		{"DoesNotExist", Requirement{Key: v.Symbol("disk"), Op: DoesNotExist}, false},
		{"DoesNotExist, no label", Requirement{Key: v.Symbol("gpu"), Op: DoesNotExist}, true},
		{"Gt below", Requirement{Key: v.Symbol("size"), Op: Gt, Bound: 6}, true},
		{"Gt equal", Requirement{Key: v.Symbol("size"), Op: Gt, Bound: 7}, false},
		{"Gt above", Requirement{Key: v.Symbol("size"), Op: Gt, Bound: 8}, false},
		{"Lt below", Requirement{Key: v.Symbol("size"), Op: Lt, Bound: 6}, false},
		{"Lt equal", Requirement{Key: v.Symbol("size"), Op: Lt, Bound: 7}, false},
		{"Lt above", Requirement{Key: v.Symbol("size"), Op: Lt, Bound: 8}, true},
		{"Gt, negative label", Requirement{Key: v.Symbol("debt"), Op: Gt, Bound: -4}, true},
		{"Lt, not a number", Requirement{Key: v.Symbol("word"), Op: Lt, Bound: 8}, false},
		{"Gt, beyond 64 bits", Requirement{Key: v.Symbol("huge"), Op: Gt, Bound: 1}, false},
		{"Gt, no label", Requirement{Key: v.Symbol("gpu"), Op: Gt, Bound: -1}, false},
		{"Lt, no label", Requirement{Key: v.Symbol("gpu"), Op: Lt, Bound: 1}, false},
	}
	for _, tt := range tests {
		if got := tt.r.Matches(set, &v.Symbols); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestNodeSelectors(t *testing.T) {
	v := NewVocabulary()
	set, name := v.NewLabelSet(map[string]string{"disk": "ssd"}), v.Symbol("n1")
	ssd := Requirement{Key: v.Symbol("disk"), Op: In, Values: []Symbol{v.Symbol("ssd")}}
	gpu := Requirement{Key: v.Symbol("gpu"), Op: Exists}
	named := func(op Operator, n string) Requirement { return Requirement{Op: op, Values: []Symbol{v.Symbol(n)}} }
	tests := []struct {
		name string
		s    NodeSelector
		want bool
	}{
		{"no terms match nothing", NodeSelector{}, false},
		{"nil matches nothing", nil, false},
		{"an empty term matches nothing", NodeSelector{{}}, false},
		{"one term", NodeSelector{{Labels: []Requirement{ssd}}}, true},
		{"requirements are and", NodeSelector{{Labels: []Requirement{ssd, gpu}}}, false},
		{"terms are or", NodeSelector{{Labels: []Requirement{gpu}}, {Labels: []Requirement{ssd}}}, true},
		{"an empty term beside another", NodeSelector{{}, {Labels: []Requirement{ssd}}}, true},
		{"the name", NodeSelector{{Names: []Requirement{named(In, "n1")}}}, true},
		{"another name", NodeSelector{{Names: []Requirement{named(In, "n2")}}}, false},
		{"not the name", NodeSelector{{Names: []Requirement{named(NotIn, "n1")}}}, false},
		{"not another name", NodeSelector{{Names: []Requirement{named(NotIn, "n2")}}}, true},
		{"two names at once", NodeSelector{{Names: []Requirement{named(In, "n1"), named(In, "n2")}}}, false},
		{"name and label", NodeSelector{{Labels: []Requirement{gpu}, Names: []Requirement{named(In, "n1")}}}, false},
		{"a faulty term matches nothing", NodeSelector{{Labels: []Requirement{ssd}, Fault: "bad"}}, false},
	}
	for _, tt := range tests {
		if got := tt.s.Matches(set, name, &v.Symbols); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestTolerations(t *testing.T) {
	const key, other, value = Symbol(1), Symbol(2), Symbol(3)
	taint := Taint{Key: key, Value: value, Effect: NoSchedule}
	tests := []struct {
		name string
		t    Toleration
		want bool
	}{
		{"equal", Toleration{Key: key, Value: value, Effect: NoSchedule}, true},
		{"another value", Toleration{Key: key, Value: other, Effect: NoSchedule}, false},
		{"no value is the empty one", Toleration{Key: key, Effect: NoSchedule}, false},
		{"another key", Toleration{Key: other, Value: value, Effect: NoSchedule}, false},
		{"another effect", Toleration{Key: key, Value: value, Effect: NoExecute}, false},
		{"any effect", Toleration{Key: key, Value: value}, true},
		{"exists", Toleration{Key: key, Exists: true}, true},
		{"exists, another key", Toleration{Key: other, Exists: true}, false},
		{"exists, another effect", Toleration{Key: key, Exists: true, Effect: PreferNoSchedule}, false},
		{"exists without key tolerates all", Toleration{Exists: true}, true},
		{"equal without key compares the value", Toleration{Value: value}, true},
		{"equal without key, another value", Toleration{Value: other}, false},
	}
	for _, tt := range tests {
		if got := tt.t.Tolerates(taint); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if Tolerated(nil, taint) {
		t.Error("no toleration tolerates a taint")
	}
	if !Tolerated([]Toleration{{Key: other, Exists: true}, {Key: key, Exists: true}}, taint) {
		t.Error("the second of two tolerations was not asked")
	}
}
