package reports

import (
	"math"
	"strings"
	"testing"
)

// TestPage: empty chapters and tables are left out, words stay on the left in every part of
// a table that is too wide, and what the page is about is never broken.
func TestPage(t *testing.T) {
	wide := strings.Repeat("w", 30)
	page := Page{
		Title: "title", Of: []string{strings.Repeat("/path", 20)}, Answer: []string{strings.Repeat("word ", 15)},
		Chapters: []Chapter{
			{Title: "Nothing", Tables: []PageTable{{Table: Table{Head: []string{"a", "b"}}}}},
			{Title: "Words", Sentences: []string{"So it is."}, Tables: []PageTable{{
				Table: Table{Head: []string{"", "first " + wide, "number", "second " + wide}, Rows: [][]string{{"row", "x", "7", "y"}}},
				Words: []int{1, 3},
			}}},
		},
	}
	var text, markdown strings.Builder
	if err := page.Render(&text, View{Format: FormatTable, Width: 60}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"title\n" + page.Of[0] + "\n\nword", "word\nword", "\n\nWORDS\n\nSo it is.\n\n", "\nrow  x  ", "\nrow  y\n", "     7\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("there is no %q in\n%s", want, text.String())
		}
	}
	if strings.Contains(strings.ToLower(text.String()), "nothing") {
		t.Errorf("an empty chapter is shown:\n%s", text.String())
	}
	if err := page.Render(&markdown, View{Format: FormatMarkdown}); err != nil {
		t.Fatal(err)
	}
	if want := "# title\n\n- " + page.Of[0] + "\n\nword"; !strings.HasPrefix(markdown.String(), want) || !strings.Contains(markdown.String(), "\n## Words\n\nSo it is.\n\n|  | first") {
		t.Errorf("%s", markdown.String())
	}
	if err := page.Render(&text, View{Format: FormatCSV}); err == nil {
		t.Error("a page can be CSV")
	}
}

func TestDeltas(t *testing.T) {
	of := func(pending, victims, arrived float64) *Summary {
		s := &Summary{Scopes: []ScopeValues{{Scope: ScopeRun}}}
		for name, v := range map[string]float64{"placement.pending": pending, "placement.victims": victims, "placement.arrived": arrived} {
			s.Scopes[0].Values = append(s.Scopes[0].Values, Value{Metric: MetricByName(name), Value: v})
		}
		return s
	}
	for name, tt := range map[string]struct {
		a, b     *Summary
		metric   string // the first one
		verdict  Verdict
		headline bool
		sentence string
	}{
		"better":         {of(8, 3, 10), of(2, 3, 10), "placement.pending", Better, true, "6"},
		"worse":          {of(2, 3, 10), of(8, 3, 10), "placement.pending", Worse, true, "6"},
		"same":           {of(2, 3, 10), of(2, 3, 10), "", Unjudged, false, ""},
		"no direction":   {of(2, 3, 10), of(2, 3, 11), "placement.arrived", Unjudged, false, ""},
		"lost in digits": {of(2, 3, 10), of(2.0001, 3, 10), "placement.pending", Worse, false, ""},
		"no value":       {of(math.NaN(), 3, 10), of(2, 3, 10), "placement.pending", Unjudged, false, ""},
	} {
		deltas := Deltas(tt.a, tt.b)
		if len(deltas) != 3 {
			t.Fatalf("%s: %d deltas", name, len(deltas))
		}
		for _, d := range deltas {
			if d.row.Metric.Name != tt.metric {
				continue
			}
			if d.Verdict() != tt.verdict || d.Headline() != tt.headline || (d.Sentence() != "") != tt.headline || !strings.Contains(d.Sentence(), tt.sentence) {
				t.Errorf("%s: %q, headline %v, %q", name, d.Verdict(), d.Headline(), d.Sentence())
			}
		}
		if rows := DeltaTable([2]string{"a", "b"}, deltas, false).Rows; len(rows) != map[bool]int{true: 1}[tt.headline] {
			t.Errorf("%s: the table is %q", name, rows)
		}
	}
}
