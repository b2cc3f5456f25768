package dice

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hob/internal/display"
)

// What may be missing, in words.
const (
	wantNumber   = "a number or dice such as 2d6"
	wantOperator = "an operator such as + or the end"
)

// Parse reads an expression of at most [MaxLength] bytes. White space may stand between its parts, but not at the beginning
// and not within dice: 4d6kh3 is one part. Its error is an [*Error], of [Syntax] or, for a number that is too large, [BadValue].
func Parse(expr string) (*Expr, error) {
	switch {
	case expr == "":
		return nil, &Error{Syntax, "there is nothing to roll: write an expression such as 4d6kh3+2"}
	case len(expr) > MaxLength:
		return nil, &Error{Syntax, "the expression has more than " + strconv.Itoa(MaxLength) + " bytes: roll it in parts"}
	}
	p := parser{text: expr}
	root := p.comparison()
	if p.at < len(p.text) {
		p.failMissing(wantOperator)
	}
	p.fail(p.large) // after what makes it no expression at all
	if p.err != nil {
		return nil, p.err
	}
	return &Expr{text: expr, root: root}, nil
}

// parser reads text from at on.
type parser struct {
	text  string
	at    int
	err   error // the first one; what is read after it does not count
	large error // the first number that does not fit
}

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// peek returns the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// skip reads one byte, if it is that one.
func (p *parser) skip(c byte) bool {
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

// skipSpace reads white space, and tells whether there was any.
func (p *parser) skipSpace() bool {
	from := p.at
	for p.at < len(p.text) && strings.IndexByte(" \t\f\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
	return p.at > from
}

// failMissing fails for want of something where the parser is.
func (p *parser) failMissing(what string) {
	if p.at >= len(p.text) {
		p.fail(&Error{Syntax, "the expression ends where it needs " + what})
		return
	}
	bad, _ := utf8.DecodeRuneInString(p.text[p.at:])
	place := strconv.Itoa(utf8.RuneCountInString(p.text[:p.at]) + 1)
	text := "character " + place + " is " + strconv.QuoteRune(bad) + ", not " + what
	if what == wantOperator && strings.IndexByte("kpremd", p.text[p.at]) >= 0 {
		text += ": dice and their operators are written together, as in 4d6kh3"
	}
	p.fail(&Error{Syntax, text})
}

func (p *parser) comparison() *node {
	return p.chain(p.sum, atLeast, atMost, greater, less, notEqual, equal)
}
func (p *parser) sum() *node     { return p.chain(p.product, add, sub) }
func (p *parser) product() *node { return p.chain(p.signed, floorDiv, mul, div, mod) }

// chain reads terms with operators between them, which bind to the left. Of operators that begin alike the longer one comes
// first.
func (p *parser) chain(term func() *node, operators ...operator) *node {
	left := term()
	for p.err == nil {
		op := p.operator(operators...)
		if op == noOperator {
			break
		}
		p.skipSpace()
		left = &node{kind: joined, op: op, kids: []*node{left, term()}}
	}
	return left
}

// operator reads one of these operators, if there is one.
func (p *parser) operator(operators ...operator) operator {
	for _, op := range operators {
		if strings.HasPrefix(p.text[p.at:], op.String()) {
			p.at += len(op.String())
			return op
		}
	}
	return noOperator
}

func (p *parser) signed() *node {
	op := p.operator(add, sub)
	if op == noOperator {
		return p.annotated()
	}
	p.skipSpace()
	return &node{kind: signed, op: op, kids: []*node{p.signed()}}
}

// annotated reads a number, dice or parentheses, and the annotations behind.
func (p *parser) annotated() *node {
	n := p.atom()
	p.skipSpace()
	for p.err == nil && p.peek() == '[' {
		inner := p.text[p.at:]
		end := strings.IndexByte(inner, ']')
		if line := strings.IndexByte(inner, '\n'); end < 0 || line >= 0 && line < end {
			p.fail(&Error{Syntax, "the annotation " + strconv.Quote(display.Truncate(inner, 22)) + " needs a ] on its line"})
			break
		}
		n.note += inner[:end+1]
		p.at += end + 1
		p.skipSpace()
	}
	return n
}

func (p *parser) atom() *node {
	if p.peek() == '(' {
		return p.group()
	}
	from := p.at
	before := p.digits()
	if p.skip('d') {
		return p.pool(p.text[from : p.at-1])
	}
	point := p.skip('.')
	if before == 0 && (!point || p.digits() == 0) {
		p.at = from
		p.failMissing(wantNumber)
		return nil
	}
	if !point {
		return &node{kind: literal, value: whole(p.integer(p.text[from:p.at], true))}
	}
	p.digits()
	f, err := strconv.ParseFloat(p.text[from:p.at], 64)
	if err != nil {
		p.tooLarge()
	}
	return &node{kind: literal, value: number{f: f, real: true}}
}

// digits reads digits, and returns how many.
func (p *parser) digits() int {
	from := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at - from
}

// integer returns the value of digits. One that does not fit is the largest that does, and an error where it must be exact.
func (p *parser) integer(digits string, exact bool) int64 {
	n, err := strconv.ParseInt(digits, 10, 64) // of too many digits, the largest number
	if err != nil && exact {
		p.tooLarge()
	}
	return n
}

func (p *parser) tooLarge() {
	if p.large == nil {
		p.large = errTooLarge()
	}
}

// pool reads dice from behind their d.
func (p *parser) pool(count string) *node {
	n := &node{kind: pool, count: 1}
	if count != "" {
		n.count = p.integer(count, false)
	}
	from := p.at
	switch {
	case p.skip('%'):
		n.size = percent
	case p.digits() > 0:
		if n.size = p.integer(p.text[from:p.at], true); n.size > math.MaxInt {
			p.tooLarge()
		}
	default:
		p.failMissing("the number of sides, or %")
	}
	p.setOperators(n, "k", "p", "rr", "ro", "ra", "e", "mi", "ma")
	return n
}

// group reads parentheses or a set. A comma behind the last member makes a set of one.
func (p *parser) group() *node {
	p.at++
	p.skipSpace()
	n := &node{kind: parens}
	for closed := p.skip(')'); !closed && p.err == nil; {
		n.kids = append(n.kids, p.comparison())
		if closed = p.skip(')'); closed {
			break
		}
		if !p.skip(',') {
			p.failMissing("a comma or the closing parenthesis")
		}
		n.kind = set
		if !p.skipSpace() {
			closed = p.skip(')')
		}
	}
	if len(n.kids) != 1 {
		n.kind = set
	}
	p.setOperators(n, "k", "p")
	return n
}

// setOperators reads the operators upon n, which are these.
func (p *parser) setOperators(n *node, ops ...string) {
	for p.err == nil {
		at := slices.IndexFunc(ops, func(op string) bool { return strings.HasPrefix(p.text[p.at:], op) })
		if at < 0 {
			return
		}
		op := ops[at]
		p.at += len(op)
		sel := p.selector()
		last := len(n.steps) - 1
		if last >= 0 && n.steps[last].op == op && op != "mi" && op != "ma" {
			n.steps[last].sels = append(n.steps[last].sels, sel)
		} else {
			n.steps = append(n.steps, step{op, []selector{sel}})
		}
	}
}

func (p *parser) selector() (s selector) {
	if c := p.peek(); c != 0 && strings.IndexByte("lh<>", c) >= 0 {
		s.how = c
		p.at++
	}
	from := p.at
	if p.digits() == 0 {
		p.failMissing("the number of a selector, as in kh3, ro<3 or e6")
	}
	s.n = p.integer(p.text[from:p.at], false)
	return s
}
