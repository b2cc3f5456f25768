package chart

import (
	"fmt"
	"html"
	"strings"
)

// SVG returns m as a document of its own: no scripts, no fonts and nothing else from elsewhere. The legend is drawn below
// the map. Equal maps are equal bytes.
func SVG(m Map) string {
	a := newArtist(newPlan(m), svgLook())
	l := a.list
	s := &sheet{colours: hexColours(l.dark), letters: a.letters}
	s.printf(`<svg xmlns="http://www.w3.org/2000/svg" role="img" lang="%s"`, l.lang)
	s.printf(` width="%d" height="%d" viewBox="0 0 %[1]d %[2]d"`, l.w, l.h)
	s.printf(" font-family=\"sans-serif\">\n<title>%s</title>\n", html.EscapeString(l.title))
	for _, shape := range l.shapes {
		shape.svg(s)
	}
	s.printf("</svg>\n")
	return s.out.String()
}

// sheet is a document in the making.
type sheet struct {
	out     strings.Builder
	colours [inks]string
	letters *letters
}

// hexColours returns the inks as SVG names colours.
func hexColours(dark bool) (out [inks]string) {
	for i, c := range colours(dark) {
		out[i] = fmt.Sprintf("#%06x", c)
	}
	return out
}

func (s *sheet) printf(format string, args ...any) { fmt.Fprintf(&s.out, format, args...) }

// style writes a fill and an edge.
func (s *sheet) style(fill, edge ink, stroke int, dashed bool) {
	s.printf(` fill="%s"`, s.colours[fill])
	if stroke > 0 {
		s.printf(` stroke="%s" stroke-width="%d"`, s.colours[edge], stroke)
	}
	if dashed {
		s.printf(` stroke-dasharray="%d %d"`, dashOn, dashOff)
	}
	s.printf("/>\n")
}

func (b box) svg(s *sheet) {
	in := b.stroke / 2
	s.printf(`<rect x="%d" y="%d" width="%d" height="%d"`, b.x+in, b.y+in, b.w-2*in, b.h-2*in)
	if b.round > 0 {
		s.printf(` rx="%d"`, b.round)
	}
	s.style(b.fill, b.edge, b.stroke, b.dashed)
}

func (d disc) svg(s *sheet) {
	s.printf(`<circle cx="%d" cy="%d" r="%d"`, d.at.x, d.at.y, d.r-d.stroke/2)
	s.style(d.fill, d.edge, d.stroke, d.dashed)
}

// path begins a path through points.
func (s *sheet) path(points ...point) {
	s.printf(`<path d="`)
	command := "M"
	for _, p := range points {
		s.printf("%s%d %d", command, p.x, p.y)
		command = "L"
	}
}

func (l line) svg(s *sheet) {
	s.path(l.points...)
	s.printf(`" fill="none" stroke="%s" stroke-width="%d"`, s.colours[l.ink], l.stroke)
	if l.off > 0 {
		s.printf(` stroke-dasharray="%d %d"`, l.on, l.off)
	}
	s.printf("/>\n")
}

func (w wedge) svg(s *sheet) {
	s.path(w.a, w.b, w.c)
	s.printf(`Z"`)
	s.style(w.fill, 0, 0, false)
}

func (l label) svg(s *sheet) {
	s.printf(`<text x="%d" y="%d" font-size="%d"`, l.at.x, l.at.y, l.size)
	if !l.start {
		s.printf(` text-anchor="middle"`)
	}
	// Fonts differ in width. Text that was measured by our letters keeps to the room that was made for it.
	if w, drawable := s.letters.measure(l.text, l.size); drawable {
		s.printf(` textLength="%d" lengthAdjust="spacingAndGlyphs"`, w)
	}
	s.printf(" fill=\"%s\">%s</text>\n", s.colours[l.ink], html.EscapeString(l.text))
}

func (g group) svg(s *sheet) {
	s.printf("<g><title>%s</title>\n", html.EscapeString(g.about))
	for _, shape := range g.shapes {
		shape.svg(s)
	}
	s.printf("</g>\n")
}
