package table

import (
	"regexp"
	"strings"
)

// markdownSigns are what would be taken for markup within a line of text. Underscores and dots
// within words are none, so most names stay as they are.
var markdownSigns = regexp.MustCompile("[\\\\`*<|]|~+|\\]\\(|\\]\\[|&[#a-zA-Z]|\\b_+|_+\\b|://|#$")

// mentions are what GitHub makes links to people, issues and other repositories of.
var mentions = regexp.MustCompile(`(^|[^\w&])([@#])(\w)`)

// EscapeMarkdown is text as one line of GitHub's Markdown that shows it as it is: names and paths
// can hold anything. &#8203; is a space without width, which breaks links up.
func EscapeMarkdown(text string) string {
	text = strings.Join(strings.Fields(printable(text)), " ")
	text = markdownSigns.ReplaceAllStringFunc(text, func(sign string) string {
		switch sign[0] {
		case '<':
			return "&lt;"
		case '&':
			return "&amp;" + sign[1:]
		case ':':
			return ":&#8203;//"
		case '~', '_':
			return strings.Repeat(`\`+sign[:1], len(sign))
		}
		return `\` + sign
	})
	return mentions.ReplaceAllString(text, "$1$2&#8203;$3")
}
