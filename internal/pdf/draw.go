package pdf

import (
	"math"

	lib "github.com/ledongthuc/pdf"
)

// Bounds on a drawing.
const (
	maxOperands = 1 << 17 // before one operator
	maxFonts    = 500     // that are remembered
)

// matrix is [a b c d e f] as PDF writes it: x' = ax+cy+e, y' = bx+dy+f.
type matrix [6]float64

func identity() matrix { return matrix{1, 0, 0, 1, 0, 0} }

// times returns what it is to apply m, then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// drawing follows what a page draws, as far as text goes.
type drawing struct {
	out       flow
	fonts     map[string]*font // of the whole file, by what it says of them
	forms     int              // drawings within the drawing that may still be entered
	lastText  string           // the newest string, and where it began: bold is often the same drawn twice
	lastStart point
}

// graphics is the state that q saves and Q brings back.
type graphics struct {
	page                 matrix // from here to the page
	font                 *font
	size, chars, words   float64
	scale, leading, rise float64
}

// painter is one stream of a drawing under way.
type painter struct {
	*drawing
	graphics
	resources  lib.Value
	level      int
	saved      []graphics
	line, text matrix // of the line's beginning, and of the next character
	args       []token
}

// draw follows one stream.
func (d *drawing) draw(content []byte, resources lib.Value, at matrix, level int) {
	r := &painter{drawing: d, resources: resources, level: level, line: identity(), text: identity()}
	r.graphics = graphics{page: at, scale: 1, font: plain(), size: 1}
	s := &scanner{src: content}
	for {
		t, ok := s.next()
		switch {
		case !ok || d.out.full():
			return
		case t.kind != aKeyword || t.text == "[" || t.text == "]":
			if len(r.args) < maxOperands {
				r.args = append(r.args, t)
			}
			continue
		case t.text == "ID":
			s.skipImage()
		case t.text == "<<" || t.text == ">>":
			continue
		default:
			r.do(t.text)
		}
		r.args = r.args[:0]
	}
}

// num returns an operand, counted from the last; 0 where it is missing.
func (r *painter) num(fromEnd int) float64 {
	if i := len(r.args) - fromEnd; i >= 0 && fromEnd > 0 {
		return r.args[i].value
	}
	return 0
}

// word returns the last operand of a kind.
func (r *painter) word(kind byte) string {
	for i := len(r.args) - 1; i >= 0; i-- {
		if r.args[i].kind == kind {
			return r.args[i].text
		}
	}
	return ""
}

func (r *painter) matrix() matrix {
	return matrix{r.num(6), r.num(5), r.num(4), r.num(3), r.num(2), r.num(1)}
}

// do carries an operator out.
func (r *painter) do(op string) {
	switch op {
	case "q":
		if len(r.saved) < 1000 {
			r.saved = append(r.saved, r.graphics)
		}
	case "Q":
		if n := len(r.saved); n > 0 {
			r.graphics, r.saved = r.saved[n-1], r.saved[:n-1]
		}
	case "cm":
		r.page = r.matrix().times(r.page)
	case "Do":
		r.form(r.word(aName))
	case "BT":
		r.line, r.text = identity(), identity()
	case "Tf":
		r.size = r.num(1)
		r.font = r.fontOf(r.word(aName))
	case "Tc":
		r.chars = r.num(1)
	case "Tw":
		r.words = r.num(1)
	case "Tz":
		r.scale = r.num(1) / 100
	case "TL":
		r.leading = r.num(1)
	case "Ts":
		r.rise = r.num(1)
	case "Tm":
		r.line = r.matrix()
		r.text = r.line
	default:
		r.write(op)
	}
}

// write carries the operators out that move on and show text.
func (r *painter) write(op string) {
	switch op {
	case "Td":
		r.move(r.num(2), r.num(1))
	case "TD":
		r.leading = -r.num(1)
		r.move(r.num(2), r.num(1))
	case "T*":
		r.move(0, -r.leading)
	case "Tj":
		r.show(r.word(aString))
	case "'":
		r.move(0, -r.leading)
		r.show(r.word(aString))
	case "\"":
		r.words, r.chars = r.num(3), r.num(2)
		r.move(0, -r.leading)
		r.show(r.word(aString))
	case "TJ":
		for _, t := range r.args {
			switch t.kind {
			case aString:
				r.show(t.text)
			case aNumber:
				r.advance(-t.value / 1000 * r.size * r.scale)
			}
		}
	}
}

func (r *painter) move(x, y float64) {
	r.line = matrix{1, 0, 0, 1, x, y}.times(r.line)
	r.text = r.line
}

func (r *painter) advance(x float64) { r.text = matrix{1, 0, 0, 1, x, 0}.times(r.text) }

// show writes a string where the text stands.
func (r *painter) show(raw string) {
	began := r.penPosition()
	again := raw == r.lastText && began.near(r.lastStart)
	r.lastText, r.lastStart = raw, began
	for len(raw) > 0 {
		g := r.font.next(raw)
		raw = raw[g.length:]
		from := r.penPosition()
		step := g.width*r.size + r.chars
		if g.space {
			step += r.words
		}
		r.advance(step * r.scale)
		if !again {
			r.out.put(g.text, from, r.penPosition())
		}
	}
}

// penPosition is where the next character stands on the page, and how large it is.
func (r *painter) penPosition() point {
	m := matrix{r.size * r.scale, 0, 0, r.size, 0, r.rise}.times(r.text).times(r.page)
	return point{x: m[4], y: m[5], dx: m[0], dy: m[1], size: math.Hypot(m[2], m[3])}
}

// form follows a drawing that this one places.
func (r *painter) form(name string) {
	x := r.resources.Key("XObject").Key(name)
	if x.Kind() != lib.Stream || x.Key("Subtype").Name() != "Form" || r.level >= maxNested || r.forms <= 0 {
		return
	}
	r.forms--
	at := r.page
	if m := x.Key("Matrix"); m.Len() == 6 {
		var own matrix
		for i := range own {
			own[i] = m.Index(i).Float64()
		}
		at = own.times(at)
	}
	resources := x.Key("Resources")
	if resources.Kind() != lib.Dict {
		resources = r.resources
	}
	defer func() {
		_ = recover() // the rest of it is left out; what stands around it is not its fault
	}()
	r.draw(streamBytes(x), resources, at, r.level+1)
}

// fontOf returns a font of the page's.
func (r *painter) fontOf(name string) *font {
	v := r.resources.Key("Font").Key(name)
	said := v.String() // with references for what is long
	f := r.fonts[said]
	if f == nil {
		f = readFont(v)
		if len(r.fonts) < maxFonts {
			r.fonts[said] = f
		}
	}
	return f
}
