package document

// Meant is a suggestion to put behind an error about an unknown name: `; did you mean "x"?` where
// name looks like a slip for one of the known ones, else nothing.
func Meant(name string, known []string) string { return meant(name, known) }
