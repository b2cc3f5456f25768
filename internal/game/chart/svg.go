package chart

import (
	"fmt"
	"html"
	"strconv"
)

// SVG returns m as a document of its own: no scripts, no fonts and nothing else from elsewhere. The legend is drawn below
// the map. Equal maps are equal bytes.
func SVG(m Map) string {
	a := newArtist(newPlan(m), svgLook())
	l := a.list
	s := &sheet{colours: hexColours(l.dark), letters: a.letters, out: make([]byte, 0, 1<<16)}
	s.write(`<svg xmlns="http://www.w3.org/2000/svg" role="img" lang="`, l.lang)
	s.numbers(`" width="`, l.w, `" height="`, l.h, `" viewBox="0 0 `, l.w, ` `, l.h)
	s.write("\" font-family=\"sans-serif\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n<title>", html.EscapeString(l.title), "</title>\n")
	for _, shape := range l.shapes {
		shape.svg(s)
	}
	s.write("</svg>\n")
	return string(s.out)
}

// sheet is a document in the making.
type sheet struct {
	out     []byte
	colours [inks + 1]string
	letters *letters
}

// hexColours returns the inks as SVG names colours.
func hexColours(dark bool) (out [inks + 1]string) {
	for i, c := range colours(dark) {
		out[i] = fmt.Sprintf("#%06x", c)
	}
	out[inks] = "none"
	return out
}

func (s *sheet) colour(i ink) string { return s.colours[min(i, inks)] }

func (s *sheet) write(texts ...string) {
	for _, t := range texts {
		s.out = append(s.out, t...)
	}
}

// numbers writes texts and numbers.
func (s *sheet) numbers(values ...any) {
	for _, v := range values {
		switch v := v.(type) {
		case string:
			s.out = append(s.out, v...)
		case int:
			s.out = strconv.AppendInt(s.out, int64(v), 10)
		}
	}
}

func (s *sheet) point(command byte, p point) {
	s.out = strconv.AppendInt(append(s.out, command), int64(p.x), 10)
	s.out = strconv.AppendInt(append(s.out, ' '), int64(p.y), 10)
}

func (p path) svg(s *sheet) {
	s.write(`<path d="`)
	for _, outline := range p.outlines {
		for i, k := range outline {
			next := outline[(i+1)%len(outline)]
			switch {
			case i == 0:
				s.point('M', k.point)
			case !k.bends && !outline[i-1].bends:
				s.point('L', k.point)
			case k.bends && next.bends:
				s.point('Q', k.point)
				s.point(' ', point{(k.x + next.x) / 2, (k.y + next.y) / 2})
			case k.bends:
				s.point('Q', k.point)
				s.point(' ', next.point)
			}
		}
		if !p.open {
			s.write("Z")
		}
	}
	s.write(`" fill="`, s.colour(p.fill))
	if p.stroke > 0 {
		s.write(`" stroke="`, s.colour(p.edge))
		s.numbers(`" stroke-width="`, p.stroke)
	}
	if p.off > 0 {
		s.numbers(`" stroke-linecap="butt" stroke-dasharray="`, p.on, " ", p.off)
	}
	s.write("\"/>\n")
}

func (l label) svg(s *sheet) {
	s.numbers(`<text x="`, l.at.x, `" y="`, l.at.y, `" font-size="`, l.size)
	if !l.start {
		s.write(`" text-anchor="middle`)
	}
	// Fonts differ in width. Text that was measured by our letters keeps to the room that was made for it.
	if w, drawable := s.letters.measure(l.text, l.size); drawable {
		s.numbers(`" textLength="`, w, `" lengthAdjust="spacingAndGlyphs`)
	}
	s.write(`" fill="`, s.colour(l.ink), `">`, html.EscapeString(l.text), "</text>\n")
}

func (g group) svg(s *sheet) {
	s.write("<g><title>", html.EscapeString(g.about), "</title>\n")
	for _, shape := range g.shapes {
		shape.svg(s)
	}
	s.write("</g>\n")
}
