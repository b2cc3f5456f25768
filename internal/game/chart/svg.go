package chart

import "strconv"

// SVG returns m as a document of its own: no scripts, no fonts and nothing else from elsewhere. The legend is drawn below
// the map. Equal maps are equal bytes.
func SVG(m Map) string {
	l := newList(newPlan(m), svgLook())
	s := sheet{colours: hexColours(l.dark)}
	s.add(`<svg xmlns="http://www.w3.org/2000/svg" role="img" lang="`, l.lang, `" width="`)
	s.num(l.w)
	s.add(`" height="`)
	s.num(l.h)
	s.add(`" viewBox="0 0 `)
	s.num(l.w)
	s.add(" ")
	s.num(l.h)
	s.add("\" font-family=\"sans-serif\">\n<title>")
	s.escaped(l.title)
	s.add("</title>\n")
	for _, shape := range l.shapes {
		shape.svg(&s)
	}
	s.add("</svg>\n")
	return string(s.out)
}

// sheet is a document in the making.
type sheet struct {
	out     []byte
	colours [inks]string
}

// hexColours returns the inks as SVG names colours.
func hexColours(dark bool) (out [inks]string) {
	for i, c := range colours(dark) {
		digits := strconv.FormatUint(uint64(c)|1<<24, 16)
		out[i] = "#" + digits[1:]
	}
	return out
}

func (s *sheet) add(parts ...string) {
	for _, p := range parts {
		s.out = append(s.out, p...)
	}
}

func (s *sheet) num(n int) { s.out = strconv.AppendInt(s.out, int64(n), 10) }

func (s *sheet) attr(name string, n int) {
	s.add(" ", name, `="`)
	s.num(n)
	s.add(`"`)
}

// escaped writes text that clean has passed, which leaves only what XML gives a meaning.
func (s *sheet) escaped(text string) {
	from := 0
	for i := range len(text) {
		var name string
		switch text[i] {
		case '&':
			name = "&amp;"
		case '<':
			name = "&lt;"
		case '>':
			name = "&gt;"
		case '"':
			name = "&#34;"
		case '\'':
			name = "&#39;"
		default:
			continue
		}
		s.add(text[from:i], name)
		from = i + 1
	}
	s.add(text[from:])
}

// style writes a fill and an edge.
func (s *sheet) style(fill, edge ink, stroke int, dashed bool) {
	s.add(` fill="`, s.colours[fill], `"`)
	if stroke > 0 {
		s.add(` stroke="`, s.colours[edge], `"`)
		s.attr("stroke-width", stroke)
	}
	if dashed {
		s.add(` stroke-dasharray="`)
		s.num(dashOn)
		s.add(" ")
		s.num(dashOff)
		s.add(`"`)
	}
	s.add("/>\n")
}

func (b box) svg(s *sheet) {
	in := b.stroke / 2
	s.add("<rect")
	s.attr("x", b.x+in)
	s.attr("y", b.y+in)
	s.attr("width", b.w-2*in)
	s.attr("height", b.h-2*in)
	if b.round > 0 {
		s.attr("rx", b.round)
	}
	s.style(b.fill, b.edge, b.stroke, b.dashed)
}

func (d disc) svg(s *sheet) {
	s.add("<circle")
	s.attr("cx", d.at.x)
	s.attr("cy", d.at.y)
	s.attr("r", d.r-d.stroke/2)
	s.style(d.fill, d.edge, d.stroke, d.dashed)
}

func (l line) svg(s *sheet) {
	s.add(`<path d="`)
	for i, p := range l.points {
		if i == 0 {
			s.add("M")
		} else {
			s.add("L")
		}
		s.num(p.x)
		s.add(" ")
		s.num(p.y)
	}
	s.add(`" fill="none" stroke="`, s.colours[l.ink], `"`)
	s.attr("stroke-width", l.stroke)
	if l.off > 0 {
		s.add(` stroke-dasharray="`)
		s.num(l.on)
		s.add(" ")
		s.num(l.off)
		s.add(`"`)
	}
	s.add("/>\n")
}

func (w wedge) svg(s *sheet) {
	s.add(`<path d="`)
	for i, p := range []point{w.a, w.b, w.c} {
		s.add("MLL"[i : i+1])
		s.num(p.x)
		s.add(" ")
		s.num(p.y)
	}
	s.add(`Z"`)
	s.style(w.fill, 0, 0, false)
}

func (l label) svg(s *sheet) {
	s.add("<text")
	s.attr("x", l.at.x)
	s.attr("y", l.at.y)
	s.attr("font-size", l.size)
	if !l.start {
		s.add(` text-anchor="middle"`)
	}
	// Fonts differ in width. Text that was measured by our letters keeps to the room that was made for it.
	if w, drawable := measure(l.text, l.size); drawable {
		s.attr("textLength", w)
		s.add(` lengthAdjust="spacingAndGlyphs"`)
	}
	s.add(` fill="`, s.colours[l.ink], `">`)
	s.escaped(l.text)
	s.add("</text>\n")
}

func (g group) svg(s *sheet) {
	s.add("<g><title>")
	s.escaped(g.about)
	s.add("</title>\n")
	for _, shape := range g.shapes {
		shape.svg(s)
	}
	s.add("</g>\n")
}
