package goal

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"

	"github.com/berth-sim/berth/reports/metric"
)

// parseTerm reads one term.
func parseTerm(p piece) (*Term, error) {
	t := &Term{Text: string(p.text)}
	c := checker{term: t, plain: rewrite(p)}
	tree, err := parser.Parse(string(c.text))
	if err != nil {
		return nil, c.misread(err)
	}
	of := c.node(&tree.Node)
	switch {
	case len(c.faults) > 0:
	case !of.truth:
		c.fault(tree.Node, "%s is a number: a goal needs a condition, such as %[1]s == 0", t.Text)
	case len(t.Keys) == 0:
		c.fault(tree.Node, "%s has no metric: a goal is about the figures of a run", t.Text)
	}
	if len(c.faults) > 0 {
		return nil, errors.Join(c.faults...)
	}
	t.wants, t.most, t.alternative = c.wants(tree.Node), most(tree.Node), isAlternative(tree.Node)
	// Numbers and figures have been resolved in the tree; its text has no units and labels any more.
	if t.program, err = t.compile(tree.Node.String()); err == nil && len(c.quotients) > 0 {
		divisors := make([]string, len(c.quotients))
		for i, q := range c.quotients {
			divisors[i] = "(" + q.Right.String() + ") != 0"
		}
		t.divides, err = t.compile(strings.Join(divisors, " && "))
	}
	if err != nil {
		return nil, c.misread(err)
	}
	return t, nil
}

// compile makes a condition on the variables of the keys ready to run.
func (t *Term) compile(text string) (*vm.Program, error) {
	return expr.Compile(text, expr.Env(t.environment()), expr.AsBool(), expr.DisableAllBuiltins())
}

// isAlternative reports whether the term is joined by || at its top.
func isAlternative(n ast.Node) bool {
	b, is := n.(*ast.BinaryNode)
	return is && (b.Operator == "||" || b.Operator == "or")
}

// ceiling is the limit that a plain comparison puts on its metric from above.
type ceiling struct {
	value    float64
	excluded bool // the metric must be below the value
}

// most returns the ceiling of a term that compares one metric with a number; nil: it has none.
func most(n ast.Node) *ceiling {
	b, is := n.(*ast.BinaryNode)
	if !is || b.Operator != "==" && b.Operator != "<=" && b.Operator != "<" {
		return nil
	}
	limit, isNumber := b.Right.(*ast.FloatNode)
	if _, isMetric := b.Left.(*ast.IdentifierNode); !isNumber || !isMetric {
		return nil
	}
	return &ceiling{limit.Value, b.Operator == "<"}
}

// FailsFrom reports whether the term fails in every run in which the value of the key, written as in a goal, is at least so
// much. It answers for comparisons of that metric with a number; for all other terms it returns false.
func (t *Term) FailsFrom(key string, least float64) bool {
	switch {
	case t.most == nil || t.Keys[0].String() != key:
		return false
	case t.most.excluded:
		return least >= t.most.value
	}
	return least > t.most.value
}

// Hopeless reports whether the term fails however a run goes on that has led to the summary so far: its one metric never
// falls, and is too large already.
func (t *Term) Hopeless(sofar *metric.Summary) bool {
	return t.most != nil && t.Keys[0].Grows() && t.FailsFrom(t.Keys[0].String(), t.Keys[0].In(sofar))
}

// environment is what the term is compiled for: the variables of its keys.
func (t *Term) environment() types.Map {
	out := types.Map{}
	for i := range t.Keys {
		out[figureName(i)] = types.Float64
	}
	return out
}

// checker finds what is wrong with a term that can be parsed, and resolves its numbers.
type checker struct {
	plain
	term      *Term
	quotients []*ast.BinaryNode
	faults    []error
}

// kind is what a part of a term is: a truth, or a number of a unit. A number that was
// written has none until it is known what it stands beside.
type kind struct {
	truth   bool
	broken  bool // said already
	unit    string
	literal bool
}

func (c *checker) fault(n ast.Node, format string, args ...any) kind {
	c.faults = append(c.faults, &Error{c.column(beginning(n).Location().From), fmt.Sprintf(format, args...)})
	return kind{broken: true}
}

// column is where a character of the plain text comes from.
func (c *checker) column(at int) int { return c.origin[min(max(at, 0), len(c.origin)-1)] + 1 }

// misread describes an error of the parser.
func (c *checker) misread(err error) error {
	var e *file.Error
	if !errors.As(err, &e) {
		return err
	}
	what := e.Message
	switch {
	case strings.Contains(what, "EOF"):
		what = "ends where something is still due"
	case strings.HasSuffix(what, `Bracket("{")`):
		what = "{ begins a part of the run, as {workload=web}, and is not closed"
	case strings.HasSuffix(what, `Operator("=")`):
		what = "= is not a comparison: write =="
	}
	return &Error{c.column(e.From), what}
}

func (c *checker) node(at *ast.Node) kind {
	switch n := (*at).(type) {
	case *ast.BoolNode:
		return kind{truth: true}
	case *ast.IntegerNode, *ast.FloatNode:
		return kind{literal: true}
	case *ast.CallNode:
		if _, is := quantity(n); is {
			return kind{literal: true}
		}
	case *ast.UnaryNode:
		return c.unary(n)
	case *ast.BinaryNode:
		return c.binary(n)
	case *ast.IdentifierNode, *ast.MemberNode:
		return c.metric(at)
	}
	return c.fault(*at, "%s: a goal has metrics, numbers, comparisons, + - * /, &&, || and !, and nothing else", *at)
}

func (c *checker) unary(n *ast.UnaryNode) kind {
	of := c.node(&n.Node)
	switch {
	case of.broken:
		return of
	case of.truth && (n.Operator == "+" || n.Operator == "-"):
		return c.fault(n, "%s cannot stand before a condition", n.Operator)
	case !of.truth && (n.Operator == "!" || n.Operator == "not"):
		return c.fault(n, "%s cannot stand before a number: a condition behind it needs brackets, as %[1]s(placement.pending > 5)", n.Operator)
	}
	return of
}

func article(k kind) string {
	if k.truth {
		return "a condition"
	}
	return "a number"
}

func (c *checker) binary(n *ast.BinaryNode) kind {
	joins := slices.Contains([]string{"&&", "and", "||", "or"}, n.Operator)
	compares := slices.Contains([]string{"==", "!=", "<", "<=", ">", ">="}, n.Operator)
	if !joins && !compares && !slices.Contains([]string{"+", "-", "*", "/"}, n.Operator) {
		return c.fault(n, "there is no %s in goals", n.Operator)
	}
	left, right := c.node(&n.Left), c.node(&n.Right)
	switch {
	case left.broken || right.broken:
		return kind{broken: true}
	case left.truth != joins || right.truth != joins:
		return c.fault(n, "%s cannot stand between %s and %s", n.Operator, article(left), article(right))
	case joins:
		return kind{truth: true}
	case n.Operator == "*" || n.Operator == "/":
		return c.product(n, left, right)
	}
	if left.literal {
		left.unit = c.resolve(&n.Left, right.unit)
	}
	if right.literal {
		right.unit = c.resolve(&n.Right, left.unit)
	}
	if left.unit != right.unit && len(c.faults) == 0 {
		return c.fault(n, "%s cannot stand between a figure in %s and one in %s", n.Operator, named(left.unit), named(right.unit))
	}
	return kind{truth: compares, unit: left.unit}
}

// product is of the unit that a product or quotient has.
func (c *checker) product(n *ast.BinaryNode, left, right kind) kind {
	if left.literal {
		left.unit = c.resolve(&n.Left, "")
	}
	if right.literal {
		right.unit = c.resolve(&n.Right, "")
	}
	if n.Operator == "/" {
		if by, is := n.Right.(*ast.FloatNode); is && by.Value == 0 {
			return c.fault(n, "/ 0 has no value")
		}
		c.quotients = append(c.quotients, n)
	}
	switch {
	case right.unit == "":
		return kind{unit: left.unit}
	case left.unit == "" && n.Operator == "*":
		return kind{unit: right.unit}
	case left.unit == right.unit && n.Operator == "/":
		return kind{}
	case n.Operator == "/":
		return kind{unit: named(left.unit) + "/" + right.unit}
	}
	return kind{unit: left.unit + "·" + right.unit}
}

// named is the name of a unit; plain numbers have none.
func named(unit string) string { return cmp.Or(unit, "1") }

// resolve puts a plain number in the place of one that was written, perhaps with a unit,
// beside a value of that unit.
func (c *checker) resolve(n *ast.Node, unit string) string {
	if sign, is := (*n).(*ast.UnaryNode); is {
		return c.resolve(&sign.Node, unit)
	}
	text, has := quantity(*n)
	if !has {
		text = (*n).String()
	}
	value, err := amount(text, unit)
	if err != nil {
		c.fault(*n, "%v", err)
		return unit
	}
	at := (*n).Location()
	*n = &ast.FloatNode{Value: value}
	(*n).SetLocation(at)
	return unit
}

// quantity is the text of a number with a unit.
func quantity(n ast.Node) (string, bool) {
	call, is := n.(*ast.CallNode)
	if !is || len(call.Arguments) != 1 {
		return "", false
	}
	name, isName := call.Callee.(*ast.IdentifierNode)
	text, isText := call.Arguments[0].(*ast.StringNode)
	if !isName || !isText || name.Value != unitCall {
		return "", false
	}
	return text.Value, true
}

// wants is what the goal wants of the one metric of a plain comparison, as it is written.
func (c *checker) wants(n ast.Node) string {
	b, is := n.(*ast.BinaryNode)
	if !is || len(c.term.Keys) != 1 {
		return ""
	}
	if _, is := b.Right.(*ast.FloatNode); !is {
		return ""
	}
	if _, is := b.Left.(*ast.IdentifierNode); !is {
		return ""
	}
	number := strings.TrimSpace(c.term.Text[strings.LastIndex(c.term.Text, b.Operator)+len(b.Operator):])
	if b.Operator == "==" {
		return number
	}
	return b.Operator + " " + number
}
