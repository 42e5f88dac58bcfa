package schema

import (
	"bytes"
	"encoding/json"

	"github.com/berth-sim/berth/reports/output"
)

// node is a JSON Schema, as far as one is needed here. Its fields are written in this order.
type node struct {
	Dialect     string `json:"$schema,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Ref         string `json:"$ref,omitempty"`
	Type        any    `json:"type,omitempty"` // a string or several
	Const       any    `json:"const,omitempty"`
	Enum        []any  `json:"enum,omitempty"`
	Format      string `json:"format,omitempty"`
	Pattern     string `json:"pattern,omitempty"`
	// PatternError is what Visual Studio Code says of a text that does not match.
	PatternError string              `json:"patternErrorMessage,omitempty"`
	Minimum      *float64            `json:"minimum,omitempty"`
	Maximum      *float64            `json:"maximum,omitempty"`
	Below        *float64            `json:"exclusiveMaximum,omitempty"`
	MinItems     int                 `json:"minItems,omitempty"`
	Unique       bool                `json:"uniqueItems,omitempty"`
	Items        *node               `json:"items,omitempty"`
	Least        int                 `json:"minProperties,omitempty"`
	Most         int                 `json:"maxProperties,omitempty"`
	Properties   properties          `json:"properties,omitempty"`
	Patterns     properties          `json:"patternProperties,omitempty"`
	Required     []string            `json:"required,omitempty"`
	Needs        map[string][]string `json:"dependentRequired,omitempty"`
	Others       any                 `json:"additionalProperties,omitempty"` // false or a schema
	AnyOf        []*node             `json:"anyOf,omitempty"`
	OneOf        []*node             `json:"oneOf,omitempty"`
	Definitions  properties          `json:"$defs,omitempty"`
}

// property is a name and what stands under it.
type property struct {
	name string
	*node
}

// properties keep their order, which editors show.
type properties []property

// MarshalJSON writes an object.
func (p properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, one := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(one.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(one.node)
		if err != nil {
			return nil, err
		}
		b.Write(append(append(name, ':'), value...))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// text is the schema, indented.
func (n *node) text() ([]byte, error) {
	var b bytes.Buffer
	err := output.WriteJSON(&b, n)
	return b.Bytes(), err
}
