package dice

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What may be missing, in words.
const (
	wantNumber   = "a number, dice such as 2d6, or something in parentheses"
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
	root, err := p.comparison()
	if err == nil && p.at < len(p.text) {
		err = p.missing(wantOperator)
	}
	if err == nil {
		err = p.large // what is no expression at all is told first
	}
	if err != nil {
		return nil, err
	}
	return &Expr{text: expr, root: root}, nil
}

// parser reads text from at on.
type parser struct {
	text  string
	at    int
	large error // the first number that does not fit
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

// space reads white space, and tells whether there was any.
func (p *parser) space() bool {
	from := p.at
	for p.at < len(p.text) && strings.IndexByte(" \t\f\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
	return p.at > from
}

// missing says what should stand where the parser is.
func (p *parser) missing(what string) error {
	if p.at >= len(p.text) {
		return &Error{Syntax, "the expression ends where it needs " + what}
	}
	bad, _ := utf8.DecodeRuneInString(p.text[p.at:])
	place := strconv.Itoa(utf8.RuneCountInString(p.text[:p.at]) + 1)
	text := "character " + place + " is " + strconv.QuoteRune(bad) + " where there should be " + what
	if what == wantOperator && strings.IndexByte("kpremd", p.text[p.at]) >= 0 {
		text += ": dice and their operators are written together, as in 4d6kh3"
	}
	return &Error{Syntax, text}
}

func (p *parser) comparison() (*node, error) { return p.chain(p.sum, p.comparing) }
func (p *parser) sum() (*node, error)        { return p.chain(p.product, p.adding) }
func (p *parser) product() (*node, error)    { return p.chain(p.signed, p.multiplying) }

// chain reads terms with operators between them, which bind to the left.
func (p *parser) chain(term func() (*node, error), between func() operator) (*node, error) {
	left, err := term()
	for err == nil {
		op := between()
		if op == noOperator {
			break
		}
		p.space()
		var right *node
		if right, err = term(); err == nil {
			left = &node{kind: joined, op: op, kids: []*node{left, right}}
		}
	}
	return left, err
}

func (p *parser) comparing() operator {
	rest := p.text[p.at:]
	for op := atLeast; op >= equal; op-- { // <= before <
		if strings.HasPrefix(rest, op.String()) {
			p.at += len(op.String())
			return op
		}
	}
	return noOperator
}

func (p *parser) adding() operator {
	switch {
	case p.skip('+'):
		return add
	case p.skip('-'):
		return sub
	}
	return noOperator
}

func (p *parser) multiplying() operator {
	switch {
	case p.skip('*'):
		return mul
	case p.skip('%'):
		return mod
	case !p.skip('/'):
		return noOperator
	case p.skip('/'):
		return floorDiv
	}
	return div
}

func (p *parser) signed() (*node, error) {
	op := p.adding()
	if op == noOperator {
		return p.noted()
	}
	p.space()
	kid, err := p.signed()
	return &node{kind: signed, op: op, kids: []*node{kid}}, err
}

// noted reads a number, dice or parentheses, and the annotations behind.
func (p *parser) noted() (*node, error) {
	n, err := p.atom()
	if err != nil {
		return nil, err
	}
	p.space()
	for p.peek() == '[' {
		inner := p.text[p.at:]
		end := strings.IndexByte(inner, ']')
		if line := strings.IndexByte(inner, '\n'); end < 0 || line >= 0 && line < end {
			return nil, &Error{Syntax, "the annotation " + strconv.Quote(shortened(inner)) + " needs a ] on its line"}
		}
		n.note += inner[:end+1]
		p.at += end + 1
		p.space()
	}
	return n, nil
}

// shortened returns the beginning of a text, for a message.
func shortened(s string) string {
	const enough = 20
	for i := range s {
		if i > enough {
			return s[:i] + "..."
		}
	}
	return s
}

func (p *parser) atom() (*node, error) {
	if p.peek() == '(' {
		return p.group()
	}
	from := p.at
	p.digits()
	if p.skip('d') {
		return p.pool(p.text[from : p.at-1])
	}
	wholeDigits := p.at - from
	if !p.skip('.') {
		if wholeDigits == 0 {
			return nil, p.missing(wantNumber)
		}
		return &node{kind: literal, value: whole(p.integer(p.text[from:p.at], true))}, nil
	}
	if p.digits() == 0 && wholeDigits == 0 {
		p.at = from
		return nil, p.missing(wantNumber)
	}
	f, err := strconv.ParseFloat(p.text[from:p.at], 64)
	if err != nil {
		p.tooLarge()
	}
	return &node{kind: literal, value: number{f: f, real: true}}, nil
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
	n, err := strconv.ParseInt(digits, 10, 64)
	if err == nil {
		return n
	}
	if exact {
		p.tooLarge()
	}
	return math.MaxInt64
}

func (p *parser) tooLarge() {
	if p.large == nil {
		p.large = errTooLarge()
	}
}

// pool reads dice from behind their d.
func (p *parser) pool(count string) (*node, error) {
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
		return nil, p.missing("the number of sides, or %")
	}
	return n, p.steps(n, []string{"k", "p", "rr", "ro", "ra", "e", "mi", "ma"})
}

// group reads parentheses or a set. A comma behind the last member makes a set of one.
func (p *parser) group() (*node, error) {
	p.at++
	p.space()
	n := &node{kind: parens}
	for closed := p.skip(')'); !closed; {
		kid, err := p.comparison()
		if err != nil {
			return nil, err
		}
		n.kids = append(n.kids, kid)
		if closed = p.skip(')'); closed {
			break
		}
		if !p.skip(',') {
			return nil, p.missing("a comma or the closing parenthesis")
		}
		n.kind = set
		if !p.space() {
			closed = p.skip(')')
		}
	}
	if len(n.kids) != 1 {
		n.kind = set
	}
	return n, p.steps(n, []string{"k", "p"})
}

// steps reads the operators upon n, which are these.
func (p *parser) steps(n *node, ops []string) error {
	for {
		op := p.oneOf(ops)
		if op == "" {
			return nil
		}
		sel, err := p.selector()
		if err != nil {
			return err
		}
		last := len(n.steps) - 1
		if last >= 0 && n.steps[last].op == op && op != "mi" && op != "ma" {
			n.steps[last].sels = append(n.steps[last].sels, sel)
		} else {
			n.steps = append(n.steps, step{op, []selector{sel}})
		}
	}
}

func (p *parser) oneOf(ops []string) string {
	for _, op := range ops {
		if strings.HasPrefix(p.text[p.at:], op) {
			p.at += len(op)
			return op
		}
	}
	return ""
}

func (p *parser) selector() (selector, error) {
	var s selector
	if c := p.peek(); c != 0 && strings.IndexByte("lh<>", c) >= 0 {
		s.how = c
		p.at++
	}
	from := p.at
	if p.digits() == 0 {
		return s, p.missing("the number of a selector, as in kh3, ro<3 or e6")
	}
	s.n = p.integer(p.text[from:p.at], false)
	return s, nil
}
