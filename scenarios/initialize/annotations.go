package initialize

import (
	"encoding/json"
	"strings"
)

// annotations keeps the annotations that matter to scheduling.
func annotations(s *scrubber, _ map[string]any, v tree) tree {
	m, _ := v.(map[string]any)
	out := map[string]any{}
	for key, value := range m {
		text, _ := value.(string)
		switch key {
		case "volume.beta.kubernetes.io/storage-class":
			out[key] = s.of("storageclass", text)
		case "volume.kubernetes.io/selected-node":
			out[key] = s.of("node", text)
		case "pv.kubernetes.io/bind-completed", "pv.kubernetes.io/bound-by-controller":
			out[key] = "yes"
		case "storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class",
			"storage.alpha.kubernetes.io/migrated-plugins":
			out[key] = text
		default:
			write := annotated[key]
			if write == nil {
				continue
			}
			if got, known := write(s, text); known {
				out[key] = got
			} else {
				s.left[key]++
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// annotated has functions that scrub the annotations which admission and legacy policies read. known reports whether the
// text is valid.
var annotated = map[string]func(s *scrubber, text string) (neutral string, known bool){
	"scheduler.alpha.kubernetes.io/node-selector":        labelPairs,
	"scheduler.alpha.kubernetes.io/defaultTolerations":   tolerations,
	"scheduler.alpha.kubernetes.io/tolerationsWhitelist": tolerations,
	"scheduler.alpha.kubernetes.io/preferAvoidPods":      avoided,
}

// labelPairs are labels such as a=b,c=d.
func labelPairs(s *scrubber, text string) (string, bool) {
	if text == "" {
		return "", true
	}
	pairs := strings.Split(text, ",")
	for i, pair := range pairs {
		key, value, is := strings.Cut(pair, "=")
		if !is || strings.Contains(value, "=") {
			return "", false
		}
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		pairs[i] = s.of("key", key) + "=" + s.value(key, value)
	}
	return strings.Join(pairs, ","), true
}

// tolerations are a list of tolerations in JSON.
func tolerations(s *scrubber, text string) (string, bool) {
	var list []struct {
		Key      string `json:"key,omitempty"`
		Operator string `json:"operator,omitempty"`
		Value    string `json:"value,omitempty"`
		Effect   string `json:"effect,omitempty"`
		Seconds  *int64 `json:"tolerationSeconds,omitempty"`
	}
	if json.Unmarshal([]byte(text), &list) != nil {
		return "", false
	}
	for i := range list {
		t := &list[i]
		t.Key, t.Value = s.of("key", t.Key), s.value(t.Key, t.Value)
	}
	return inJSON(list), true
}

// avoided scrubs the annotation with controllers whose pods should avoid a node, in JSON.
func avoided(s *scrubber, text string) (string, bool) {
	var node struct {
		Avoid []struct {
			Signature struct {
				Controller map[string]any `json:"podController"`
			} `json:"podSignature"`
		} `json:"preferAvoidPods"`
	}
	if json.Unmarshal([]byte(text), &node) != nil {
		return "", false
	}
	for i := range node.Avoid {
		controller := &node.Avoid[i].Signature.Controller
		neutral, _ := owners(s, nil, []any{*controller}).([]any)
		*controller, _ = neutral[0].(map[string]any)
	}
	return inJSON(node), true
}

// inJSON encodes a value of the types above, which cannot fail.
func inJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
