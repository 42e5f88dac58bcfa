package table

import "testing"

func TestEscapeMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"most-allocated, seed 7":               "most-allocated, seed 7",
		"scenarios/policies/most_packed.yaml":  "scenarios/policies/most_packed.yaml",
		"placement.waitToBind[p99]":            "placement.waitToBind[p99]",
		"5,007 of 5,015 pods (99.8 %)":         "5,007 of 5,015 pods (99.8 %)",
		"a|b":                                  `a\|b`,
		"</b><img src=x onerror=alert(1)>":     `&lt;/b>&lt;img src=x onerror=alert(1)>`,
		"`z` *s* **t** ~~u~~":                  "\\`z\\` \\*s\\* \\*\\*t\\*\\* \\~\\~u\\~\\~",
		"_x_ __y__ a_b_c":                      `\_x\_ \_\_y\_\_ a_b_c`,
		"![l](x) [m][n]":                       `![l\](x) [m\][n]`,
		"@user me@home":                        "@&#8203;user me@home",
		"fixes #1 and (#2)":                    "fixes #&#8203;1 and (#&#8203;2)",
		"&lt; R&D A & B":                       "&amp;lt; R&amp;D A & B",
		"see https://berth.example/x":          "see https:&#8203;//berth.example/x",
		"two\nlines\tand a bell\a":             `two lines and a bell\\u0007`,
		`\*`:                                   `\\\*`,
		"a heading's end #":                    `a heading's end \#`,
		"NodeResourcesFit: Insufficient cpu":   "NodeResourcesFit: Insufficient cpu",
		"cpu 2 cores, memory 6 GiB (class 2)":  "cpu 2 cores, memory 6 GiB (class 2)",
		"first arrival to whole gang, p50":     "first arrival to whole gang, p50",
		"unusable, mean, nvidia.com/gpu-a100_": `unusable, mean, nvidia.com/gpu-a100\_`,
	} {
		if got := EscapeMarkdown(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
