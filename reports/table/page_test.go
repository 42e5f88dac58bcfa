package table

import (
	"strings"
	"testing"
)

// TestPage: empty section and tables are left out, words stay on the left in every part of
// a table that is too wide, and what the page is about is never broken.
func TestPage(t *testing.T) {
	wide := strings.Repeat("w", 30)
	page := Page{
		Title: "title", Of: []string{strings.Repeat("/path", 20)}, Answer: []string{strings.Repeat("word ", 15)},
		Sections: []Section{
			{Title: "Nothing", Tables: []Table{{Head: []string{"a", "b"}}}},
			{Title: "Words", Sentences: []string{"So it is."}, Tables: []Table{{
				Head: []string{"", "first " + wide, "number", "second " + wide}, Rows: [][]string{{"row", "x", "7", "y"}},
				Words: []int{1, 3},
			}}},
		},
	}
	text, err := page.Text(60)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"title\n" + page.Of[0] + "\n\nword", "word\nword", "\n\nWORDS\n\nSo it is.\n\n", "\nrow  x  ", "\nrow  y\n", "     7\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	if strings.Contains(strings.ToLower(text), "nothing") {
		t.Errorf("an empty section is shown:\n%s", text)
	}
	markdown := page.Markdown()
	if want := "# title\n\n- " + page.Of[0] + "\n\nword"; !strings.HasPrefix(markdown, want) || !strings.Contains(markdown, "\n## Words\n\nSo it is.\n\n|  | first") {
		t.Errorf("%s", markdown)
	}
}
