package dice

import (
	"strconv"
	"strings"
)

// Expr is an expression that was read.
type Expr struct {
	text string
	root *node
}

// kind is what a node is.
type kind uint8

const (
	literal kind = iota
	pool         // dice of one size
	parens       // ( with one member )
	set          // ( with, several )
	signed       // a sign and its kid
	joined       // two kids with an operator between
)

// percent is the size of a d%.
const percent = -1

// node is a part of an expression.
type node struct {
	kind        kind
	op          operator // of signed and joined
	value       number   // of a literal
	count, size int64    // of a pool
	kids        []*node  // of parens, set, signed, joined
	steps       []step   // operators upon a pool, parens or a set
	note        string   // its annotations, brackets and all
}

// step is an operator upon a set with its selectors. Neighbours that are the same operator are one step, except for mi and
// ma: k1k2 keeps ones and twos, where k1 and then k2 would keep nothing.
type step struct {
	op   string
	sels []selector
}

// selector chooses from what is kept of a set.
type selector struct {
	how byte // l: the lowest n, h: the highest n, <, >: below or above n, 0: equal to n
	n   int64
}

// closingBracket is what ends parens or a set. The set of one member shows that it is one.
func (n *node) closingBracket() string {
	if n.kind == set && len(n.kids) == 1 {
		return ",)"
	}
	return ")"
}

func (n *node) writePool(b []byte) []byte {
	b = append(strconv.AppendInt(b, n.count, 10), 'd')
	if n.size == percent {
		return append(b, '%')
	}
	return strconv.AppendInt(b, n.size, 10)
}

func (n *node) writeSteps(b []byte) []byte {
	for _, s := range n.steps {
		for _, sel := range s.sels {
			b = append(b, s.op...)
			if sel.how != 0 {
				b = append(b, sel.how)
			}
			b = strconv.AppendInt(b, sel.n, 10)
		}
	}
	return b
}

// write appends a literal. It is never written with an exponent, which the grammar does not know.
func (n number) write(b []byte) []byte {
	if !n.real {
		return strconv.AppendInt(b, n.i, 10)
	}
	text := strconv.FormatFloat(n.f, 'f', -1, 64)
	b = append(b, text...)
	if !strings.Contains(text, ".") {
		b = append(b, ".0"...)
	}
	return b
}
