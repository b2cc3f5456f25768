package window

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hob/internal/llm"
)

// action is what happens to a part. Later actions override earlier ones.
type action int

const (
	keepWhole      action = iota
	resultsToLines        // results of a round become lines
	toSteps               // becomes lines of the steps so far
	toEarlier             // becomes lines of the earlier turns
	toBrief               // becomes short lines of the earlier turns
	joinSummaries         // a summary moves to the beginning, to others
	drop                  // nothing of it stays
)

// edit is one step of shortening: an action on some parts, or the removal of one call of a round.
type edit struct {
	action action
	parts  []int
	call   string // ID of the call to remove; then action does not count
}

// plan is a parsed conversation, to be built again with some edits.
type plan struct {
	h      History
	parts  []part
	open   int
	recent int // the first of the earlier turns that stay unchanged; open if none does
}

func newPlan(h History) *plan {
	ps, open := h.parts()
	p := &plan{h: h, parts: ps, open: open, recent: open}
	left := h.Recent
	for turn := open - 1; turn >= max(open-max(maxRecent, h.Turns), 1); turn-- {
		for i := range ps {
			if ps[i].turn == turn {
				left -= Tokens(ps[i].ms...)
			}
		}
		if left < 0 && turn < open-h.Turns {
			break
		}
		p.recent = turn
	}
	return p
}

// maxRecent limits the earlier turns that stay unchanged by default: with the open one they are
// three.
const maxRecent = 2

// keepsTurn reports whether a part belongs to an earlier turn that stays unchanged.
func (p *plan) keepsTurn(q *part) bool { return q.turn >= p.recent && q.turn < p.open }

// builder builds a conversation.
type builder struct {
	h     History
	ms    []llm.Message
	head  string   // of the list being written
	lines []string // of the list being written
}

// build returns the conversation with the edits applied.
func (p *plan) build(edits []edit) History {
	does := make([]action, len(p.parts))
	gone := map[int][]string{}
	for _, e := range edits {
		for _, i := range e.parts {
			if e.call != "" {
				gone[i] = append(gone[i], e.call)
			} else {
				does[i] = max(does[i], e.action)
			}
		}
	}
	b := &builder{h: p.h, ms: p.joinedSummary(does)}
	for i := range p.parts {
		b.add(withoutCalls(&p.parts[i], gone[i]), does[i])
	}
	return b.history()
}

// history returns the built conversation.
func (b *builder) history() History {
	b.flush()
	b.h.Messages = b.ms
	return b.h
}

// withoutCalls returns a round without some of its calls and their results, or nil if none is left.
func withoutCalls(p *part, ids []string) *part {
	if len(ids) == 0 {
		return p
	}
	q := *p
	m := p.ms[0]
	m.Calls = slices.DeleteFunc(slices.Clone(m.Calls), func(c llm.Call) bool { return slices.Contains(ids, c.ID) })
	if len(m.Calls) == 0 {
		return nil
	}
	q.ms = append([]llm.Message{m}, slices.DeleteFunc(slices.Clone(p.ms[1:]), func(r llm.Message) bool {
		return slices.Contains(ids, r.CallID)
	})...)
	return &q
}

func (b *builder) add(p *part, does action) {
	if p == nil || does == joinSummaries || does == drop {
		return
	}
	switch {
	case does == toEarlier:
		b.list(earlierHead, b.h.earlierLinesOf(p))
	case does == toBrief:
		b.list(earlierHead, briefLines(b.h.earlierLinesOf(p)))
	case does == toSteps:
		b.list(stepsHead, b.h.stepLines(p))
	case p.kind == stepList && len(p.lines) > 0 && !p.fixed:
		b.list(p.head, p.lines)
	case does == resultsToLines:
		b.flush()
		b.ms = append(b.ms, b.h.withLines(p)...)
	default:
		b.flush()
		if p.begin {
			b.h.Begin = len(b.ms)
		}
		b.ms = append(b.ms, p.ms...)
	}
}

// list adds lines to the list being written, or begins a new one.
func (b *builder) list(head string, lines []string) {
	if len(lines) == 0 {
		return
	}
	if b.head != head {
		b.flush()
	}
	b.head = head
	for _, l := range lines {
		if head == stepsHead && !strings.HasPrefix(l, replyMark) {
			b.lines = addStep(b.lines, l)
		} else {
			b.lines = append(b.lines, l)
		}
	}
}

func (b *builder) flush() {
	if len(b.lines) > 0 {
		b.ms = append(b.ms, writeList(b.head, b.lines, b.h.hint()))
	}
	b.head, b.lines = "", nil
}

// addStep adds a line to the steps; a repeated one is counted.
func addStep(lines []string, line string) []string {
	text, times := splitCount(line)
	for i, l := range lines {
		if t, n := splitCount(l); t == text {
			lines[i] = fmt.Sprintf("%s (%d×)", text, n+times)
			return lines
		}
	}
	return append(lines, line)
}

// splitCount splits the count off a line.
func splitCount(line string) (text string, times int) {
	if i := strings.LastIndex(line, " ("); i >= 0 && strings.HasSuffix(line, "×)") {
		if n, err := strconv.Atoi(strings.TrimSuffix(line[i+2:], "×)")); err == nil && n > 1 && n < 1e6 {
			return line[:i], n
		}
	}
	return line, 1
}

// The beginnings of lines that are no steps.
const (
	askedMark    = "asked: "
	answeredMark = "answered: "
	replyMark    = "said: "
)

// stepLines returns the lines for a part of the open turn.
func (h History) stepLines(p *part) []string {
	switch p.kind {
	case stepList:
		return p.lines
	case modelText:
		return line(replyMark, p.ms[0].Text, headOfSaid)
	case toolRound:
		lines := line(replyMark, p.ms[0].Text, headOfSaid)
		for _, c := range p.ms[0].Calls {
			if r := p.result(c.ID); r != nil {
				lines = append(lines, h.step(c, *r, h.handle(*r)))
			}
		}
		return lines
	}
	return nil
}

// earlierLinesOf returns the lines for a part of an earlier turn.
func (h History) earlierLinesOf(p *part) []string {
	switch p.kind {
	case userWords:
		asked := line(askedMark, withoutStranger(llm.Words(p.ms[0].Text)), headOfAsked)
		if n := len(p.ms[0].Images); n > 0 {
			if asked == nil {
				asked = []string{strings.TrimSpace(askedMark)}
			}
			asked[0] += fmt.Sprintf(" (pictures: %d)", n)
		}
		return asked
	case modelText:
		if p.finalText {
			return line(answeredMark, p.ms[0].Text, headOfAnswer)
		}
	case stepList:
		if p.head == earlierHead {
			return p.lines
		}
		return remnants(p.lines)
	case toolRound:
		return remnants(h.stepLines(p))
	}
	return nil
}

// briefLines shortens lines of earlier turns to the first words of question and answer.
func briefLines(lines []string) []string {
	out := slices.Clone(lines)
	for i, l := range lines {
		if text, ok := strings.CutPrefix(l, askedMark); ok {
			out[i] = askedMark + clip(text, briefAsked)
		} else if text, ok := strings.CutPrefix(l, answeredMark); ok {
			out[i] = answeredMark + clip(text, briefAnswer)
		}
	}
	return out
}

func remnants(lines []string) []string {
	var out []string
	for _, l := range lines {
		if r := remnant(l); r != "" && !strings.HasPrefix(l, replyMark) {
			out = addStep(out, r)
		}
	}
	return out
}

// line returns a text as a line, or none if it is empty.
func line(mark, text string, limit int) []string {
	if text = clip(text, limit); text == "" {
		return nil
	}
	return []string{mark + text}
}

// withLines returns a round whose results are lines.
func (h History) withLines(p *part) []llm.Message {
	ms := slices.Clone(p.ms)
	ms[0].Thinking = ""
	for _, c := range ms[0].Calls {
		r := p.result(c.ID)
		if r == nil || len(r.Text) <= shortResult {
			continue
		}
		if text := h.step(c, *r, h.handle(*r)); len(text) < len(r.Text) {
			i := slices.IndexFunc(ms, func(m llm.Message) bool { return m.Role == llm.ToolRole && m.CallID == c.ID })
			ms[i].Text = text
		}
	}
	return ms
}

func (h History) handle(result llm.Message) string {
	if h.Handle == nil {
		return ""
	}
	return h.Handle(result)
}
