package document

import "gopkg.in/yaml.v3"

// DocumentHas tells whether match holds for the text of any scalar of the document that v is a part
// of, keys included. It builds no paths, so that it can be asked of every document.
func (v Value) DocumentHas(match func(text string) bool) bool {
	return v.doc != nil && hasText(v.doc.root, match)
}

// hasText follows no aliases: what they stand for is in the tree anyway.
func hasText(n *yaml.Node, match func(text string) bool) bool {
	if n.Kind == yaml.ScalarNode && match(n.Value) {
		return true
	}
	for _, child := range n.Content {
		if hasText(child, match) {
			return true
		}
	}
	return false
}
