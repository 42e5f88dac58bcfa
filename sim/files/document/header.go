package document

import "fmt"

// Header is what files of one kind say of themselves.
type Header struct {
	Holds      string // what is in them, in the plural: "the rules of a gate"
	Kind       string
	APIVersion string
}

// Is reports whether a file calls itself one of the kind.
func (h Header) Is(path string) bool {
	docs, err := ReadFile(path)
	return err == nil && len(docs) > 0 && docs[0].Root().Get("kind").Text() == h.Kind
}

// Read reads a file of the kind, which is one document.
func (h Header) Read(path string) (Value, error) {
	docs, err := ReadFile(path)
	if err != nil {
		return Value{}, err
	}
	switch {
	case len(docs) == 0:
		return Value{}, &Error{File: path, Line: 1, Col: 1, What: fmt.Sprintf("is empty: %s have kind: %s and apiVersion: %s", h.Holds, h.Kind, h.APIVersion)}
	case len(docs) > 1:
		return Value{}, docs[1].Root().Errorf("", "is another document, and %s are one: put it into a file of its own", h.Holds)
	}
	root := docs[0].Root()
	for _, field := range []struct{ name, want string }{{"kind", h.Kind}, {"apiVersion", h.APIVersion}} {
		if root.Get(field.name).Text() != field.want {
			return Value{}, root.Errorf(field.name, "is not %s: %s have kind: %s and apiVersion: %s", field.want, h.Holds, h.Kind, h.APIVersion)
		}
	}
	return root, nil
}
