package record

// Decode is what scanning is compared with.
var Decode = decode

// Kinds is how many kinds of records there are.
const Kinds = numKinds - 1

// Parser is a parser whose parts can be called.
type Parser struct{ parser }

func (p *Parser) Parse(line []byte) (*Record, error) { return p.parse(line) }

func (p *Parser) Scan(line []byte, r *Record) bool { return p.scan(line, r) }

// HasKey reports whether records of the kind have the key.
func HasKey(kind Kind, key string) bool { return layouts[kind].has(key) }
