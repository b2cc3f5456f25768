package cli

import (
	"strings"

	"hob/internal/display"
	"hob/internal/event"
)

func (p *Printer) renderQuestion(b event.Asked) string {
	text := display.Exact(b.Text)
	if strings.TrimSpace(text) == "" {
		text = display.Exact(string(object(b.Args)))
	}
	s := p.renderText("◆", p.Text("asks", exactLine(b.Tool)), bold|yellow)
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if strings.HasPrefix(line, "(") { // hob's own words, not what is asked for to the letter
			line = Wrap(line, max(p.look.Width-4, 0))
		}
		s += p.renderBlock(line)
	}
	if !b.Expires.IsZero() && p.look.Zone != nil {
		s += p.renderText("·", p.Text("expires", b.Expires.In(p.look.Zone).Format(p.Text("expires.day"))), dim)
	}
	return s
}

func exactLine(s string) string { return strings.ReplaceAll(display.Exact(s), "\n", "␊") }

func (p *Printer) renderDecision(b event.Decided) string {
	by := exactLine(b.By)
	text := p.Text("denied", by)
	switch {
	case b.Allow:
		text = p.Text("allowed", by)
		for _, g := range b.Grants {
			text += p.Text("allowed.grant", exactLine(g.In(Words(p.Language()).Text)))
		}
	case p.look.Alone && by == "nobody":
		text = p.Text("denied.alone")
	case by == "" || by == "nobody":
		text = p.Text("denied.nobody")
	case by == "stop":
		text = p.Text("denied.stop")
	}
	return p.renderText("◆", text, dim)
}
