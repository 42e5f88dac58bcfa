package conformance

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
)

// maxTries bounds how many smaller cases are tried.
const maxTries = 1500

// shrinker makes a case that differs smaller as long as it differs in the same way.
type shrinker struct {
	best  *Case
	kube  *Kube
	kind  string
	tries int
}

// shrink takes away objects, then parts of objects, that the difference does not need.
func shrink(c *Case, k *Kube, kind string) *Case {
	s := &shrinker{best: c, kube: k, kind: kind}
	for {
		before := s.best
		s.dropObjects()
		for i := range s.best.Objects {
			s.dropParts(func(c *Case) object { return c.Objects[i] }, nil)
		}
		s.dropParts(func(c *Case) object { return c.Policy }, nil)
		if s.best == before || s.tries >= maxTries {
			return s.best
		}
	}
}

// keep takes the smaller case if it differs as the first one did.
func (s *shrinker) keep(c *Case) bool {
	if s.tries++; s.tries > maxTries {
		return false
	}
	what, _ := c.watched(s.kube)
	if what.kind != s.kind {
		return false
	}
	s.best = c
	return true
}

// dropObjects takes away runs of objects, long ones first.
func (s *shrinker) dropObjects() {
	for length := len(s.best.Objects) / 2; length > 0; length /= 2 {
		for at := 0; at+length <= len(s.best.Objects); {
			smaller := *s.best
			smaller.Objects = slices.Concat(s.best.Objects[:at], s.best.Objects[at+length:])
			if !s.keep(&smaller) {
				at += length
			}
		}
	}
}

// dropParts takes away what stands below a path of an object, from the outside in.
func (s *shrinker) dropParts(of func(*Case) object, path []any) {
	switch v := at(of(s.best), path).(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			s.dropPart(of, append(slices.Clone(path), key))
		}
	case []any:
		for i := len(v) - 1; i >= 0; i-- {
			s.dropPart(of, append(slices.Clone(path), i))
		}
	}
}

func (s *shrinker) dropPart(of func(*Case) object, path []any) {
	if o := of(s.best); o["kind"] == "PersistentVolume" || o["kind"] == "PersistentVolumeClaim" {
		if len(path) == 1 && path[0] == "status" {
			return // without a phase berth takes it for new
		}
	}
	smaller := *s.best
	smaller.Policy = runtime.DeepCopyJSON(plain(s.best.Policy))
	smaller.Objects = nil
	for _, o := range s.best.Objects {
		smaller.Objects = append(smaller.Objects, runtime.DeepCopyJSON(plain(o)))
	}
	drop(of(&smaller), path)
	if !s.keep(&smaller) {
		s.dropParts(of, path)
	}
}

// at is the value at a path of keys and indices.
func at(v any, path []any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.(map[string]any)[step]
		case int:
			v = v.([]any)[step]
		}
	}
	return v
}

// drop takes away the value at a path.
func drop(o object, path []any) {
	last := path[len(path)-1]
	parent := at(o, path[:len(path)-1])
	if key, is := last.(string); is {
		delete(parent.(map[string]any), key)
		return
	}
	list := slices.Clone(parent.([]any))
	list = slices.Delete(list, last.(int), last.(int)+1)
	above := at(o, path[:len(path)-2])
	switch key := path[len(path)-2].(type) {
	case string:
		above.(map[string]any)[key] = list
	case int:
		above.([]any)[key] = list
	}
}

// plain turns ints into int64, which is what JSON has.
func plain(v object) object { return plainValue(v).(object) }

func plainValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := object{}
		for key, x := range v {
			out[key] = plainValue(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = plainValue(x)
		}
		return out
	case int:
		return int64(v)
	}
	return v
}
