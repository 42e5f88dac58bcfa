package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/berth-sim/berth/sim/files/jsontext"
)

// whole are the types of whole numbers.
type whole interface{ ~int | ~int32 | ~int64 }

// decoded reads a value that encoding/json knows. The error says what it should be.
func decoded[T, V any](at func(*T) *V, should string) func([]byte, *T) error {
	return func(raw []byte, t *T) error {
		if json.Unmarshal(raw, at(t)) != nil {
			return fmt.Errorf("%.40s is not %s", raw, should)
		}
		return nil
	}
}

// integer is a field of a whole number. 0 is empty.
func integer[T any, N whole](key string, at func(*T) *N) field[T] {
	return field[T]{
		key:    key,
		append: func(b []byte, t *T) []byte { return strconv.AppendInt(b, int64(*at(t)), 10) },
		scan:   func(s *scanner, t *T) { *at(t) = scanInteger[N](s) },
		decode: decoded(at, "a whole number of that size"),
		empty:  func(t *T) bool { return *at(t) == 0 },
	}
}

// number is a field of the number of a thing. One below 0 is empty.
func number[T any, N whole](key string, at func(*T) *N) field[T] {
	return integer(key, at).emptyIf(func(t *T) bool { return *at(t) < 0 })
}

// fraction is a field of a number.
func fraction[T any](key string, at func(*T) *float64) field[T] {
	return field[T]{
		key:    key,
		append: func(b []byte, t *T) []byte { return strconv.AppendFloat(b, *at(t), 'g', -1, 64) },
		scan:   func(s *scanner, t *T) { *at(t) = s.fraction() },
		decode: decoded(at, "a number"),
	}
}

// truth is a field of true or false. False is empty.
func truth[T any](key string, at func(*T) *bool) field[T] {
	return field[T]{
		key:    key,
		append: func(b []byte, t *T) []byte { return strconv.AppendBool(b, *at(t)) },
		scan:   func(s *scanner, t *T) { *at(t) = s.truth() },
		decode: decoded(at, "true or false"),
		empty:  func(t *T) bool { return !*at(t) },
	}
}

// text is a field of a text that is rarely repeated.
func text[T any, S ~string](key string, at func(*T) *S) field[T] {
	return field[T]{
		key:    key,
		append: func(b []byte, t *T) []byte { return jsontext.Append(b, string(*at(t))) },
		scan:   func(s *scanner, t *T) { *at(t) = S(s.plainText()) },
		decode: decoded(at, "a text"),
		empty:  func(t *T) bool { return *at(t) == "" },
	}
}

// word is a field of a text that is often repeated.
func word[T any, S ~string](key string, at func(*T) *S) field[T] {
	f := text(key, at)
	f.scan = func(s *scanner, t *T) { *at(t) = S(s.word()) }
	return f
}

// list is a field of a list of values that are written by one function and read by another.
func list[T, V any](key string, at func(*T) *[]V, write func([]byte, *V) []byte, scan func(*scanner, *V), decode func([]byte, *T) error) field[T] {
	return field[T]{
		key: key,
		append: func(b []byte, t *T) []byte {
			b = append(b, '[')
			for i := range *at(t) {
				if i > 0 {
					b = append(b, ',')
				}
				b = write(b, &(*at(t))[i])
			}
			return append(b, ']')
		},
		scan: func(s *scanner, t *T) {
			values := []V{}
			s.list('[', ']', func() {
				var v V
				scan(s, &v)
				values = append(values, v)
			})
			*at(t) = values
		},
		decode: decode,
		empty:  func(t *T) bool { return len(*at(t)) == 0 },
	}
}

// integers is a field of a list of whole numbers.
func integers[T any, N whole](key string, at func(*T) *[]N) field[T] {
	f := list(key, at, nil, func(s *scanner, n *N) { *n = scanInteger[N](s) }, decoded(at, "a list of whole numbers"))
	f.append = func(b []byte, t *T) []byte { return jsontext.AppendInts(b, *at(t)) }
	return f
}

// words is a field of a list of texts that are often repeated.
func words[T any](key string, at func(*T) *[]string) field[T] {
	return list(key, at,
		func(b []byte, v *string) []byte { return jsontext.Append(b, *v) },
		func(s *scanner, v *string) { *v = s.word() },
		decoded(at, "a list of texts"))
}

// objects is a field of a list of objects.
func objects[T, V any](key string, at func(*T) *[]V, o *object[V]) field[T] {
	return list(key, at, o.append, o.scan, func(raw []byte, t *T) error {
		return decodeList(raw, at(t), o.decode)
	})
}

// decodeList reads a list whose elements are read by a function.
func decodeList[V any](raw []byte, values *[]V, decode func([]byte, *V) error) error {
	var elements []json.RawMessage
	if json.Unmarshal(raw, &elements) != nil {
		return fmt.Errorf("%.40s is not a list", raw)
	}
	*values = make([]V, len(elements))
	for i, element := range elements {
		if err := decode(element, &(*values)[i]); err != nil {
			return err
		}
	}
	return nil
}

// part is a field of an object that is always there.
func part[T, V any](key string, at func(*T) *V, o *object[V]) field[T] {
	return field[T]{
		key:    key,
		append: func(b []byte, t *T) []byte { return o.append(b, at(t)) },
		scan:   func(s *scanner, t *T) { o.scan(s, at(t)) },
		decode: func(raw []byte, t *T) error { return o.decode(raw, at(t)) },
	}
}

// pointer is a field of an object that may be absent. Scanning takes a new one from the function.
func pointer[T, V any](key string, at func(*T) **V, o *object[V], allocate func(*scanner) *V) field[T] {
	return field[T]{
		key:    key,
		append: func(b []byte, t *T) []byte { return o.append(b, *at(t)) },
		scan: func(s *scanner, t *T) {
			v := allocate(s)
			o.scan(s, v)
			*at(t) = v
		},
		decode: func(raw []byte, t *T) error {
			v := new(V)
			*at(t) = v
			return o.decode(raw, v)
		},
		empty: func(t *T) bool { return *at(t) == nil },
	}
}

// one returns a new value.
func one[V any](*scanner) *V { return new(V) }

// labels is a field of labels: an object of texts.
func labels[T any](key string, at func(*T) *[]Label) field[T] {
	return field[T]{
		key: key,
		append: func(b []byte, t *T) []byte {
			b = append(b, '{')
			for i, l := range *at(t) {
				if i > 0 {
					b = append(b, ',')
				}
				b = append(jsontext.Append(b, l.Key), ':')
				b = jsontext.Append(b, l.Value)
			}
			return append(b, '}')
		},
		scan: func(s *scanner, t *T) {
			values := []Label{}
			s.list('{', '}', func() {
				name := s.word()
				s.literal(":")
				values = append(values, Label{name, s.word()})
			})
			*at(t) = values
		},
		decode: func(raw []byte, t *T) error { return decodeLabels(raw, at(t)) },
		empty:  func(t *T) bool { return len(*at(t)) == 0 },
	}
}

// decodeLabels reads {"team": "web", …}.
func decodeLabels(raw []byte, labels *[]Label) error {
	var of map[string]string
	if json.Unmarshal(raw, &of) != nil {
		return fmt.Errorf("%.40s is not an object of texts", raw)
	}
	*labels = nil
	for _, key := range slices.Sorted(maps.Keys(of)) {
		*labels = append(*labels, Label{key, of[key]})
	}
	return nil
}

// amounts is a field of amounts by resource, in their order.
func amounts[T any](key string, at func(*T) *[]Amount) field[T] {
	return field[T]{
		key: key,
		append: func(b []byte, t *T) []byte {
			b = append(b, '{')
			for i, a := range *at(t) {
				if i > 0 {
					b = append(b, ',')
				}
				b = append(jsontext.Append(b, a.Resource), ':')
				b = strconv.AppendInt(b, a.Value, 10)
			}
			return append(b, '}')
		},
		scan: func(s *scanner, t *T) {
			values := []Amount{}
			s.list('{', '}', func() {
				resource := s.word()
				s.literal(":")
				values = append(values, Amount{resource, scanInteger[int64](s)})
			})
			*at(t) = values
		},
		decode: func(raw []byte, t *T) error { return decodeAmounts(raw, at(t)) },
	}
}

// decodeAmounts reads {"cpu": 500, …}.
func decodeAmounts(raw []byte, amounts *[]Amount) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return errors.New("amounts must be an object")
	}
	*amounts = []Amount{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		a := Amount{Resource: name.(string)}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if json.Unmarshal(value, &a.Value) != nil {
			return fmt.Errorf("%s: %.40s is not a whole number of that size", a.Resource, value)
		}
		*amounts = append(*amounts, a)
	}
	return nil
}

// reasons is a field of a list of [plugin, reason, nodes].
func reasons[T any](key string, at func(*T) *[]ReasonCount) field[T] {
	write := func(b []byte, r *ReasonCount) []byte {
		b = jsontext.Append(append(b, '['), r.Plugin)
		b = jsontext.Append(append(b, ','), r.Reason)
		b = strconv.AppendInt(append(b, ','), int64(r.Nodes), 10)
		return append(b, ']')
	}
	scan := func(s *scanner, r *ReasonCount) {
		s.literal("[")
		r.Plugin = s.word()
		s.literal(",")
		r.Reason = s.word()
		s.literal(",")
		r.Nodes = scanInteger[int](s)
		s.literal("]")
	}
	return list(key, at, write, scan, func(raw []byte, t *T) error {
		return decodeList(raw, at(t), decodeReason)
	})
}

func decodeReason(raw []byte, r *ReasonCount) error {
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil || len(parts) != 3 ||
		json.Unmarshal(parts[0], &r.Plugin) != nil || json.Unmarshal(parts[1], &r.Reason) != nil || json.Unmarshal(parts[2], &r.Nodes) != nil {
		return errors.New("a reason must be a plugin, a reason and a number of nodes")
	}
	return nil
}
