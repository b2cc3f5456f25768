package window

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"hob/internal/lazyregexp"
	"hob/internal/llm"
)

//go:embed instruction.md
var instruction string

// Instruction returns the request for a summary of at most maxTokens tokens. Append it to the whole
// conversation as a user message, with the usual system text, tools and options, so that the
// server's cache stays valid. Neither it nor the reply becomes part of the conversation.
func Instruction(maxTokens int) string {
	words := max(maxTokens*3/4/10*10, 40) // three words are about four tokens, and models obey round numbers best
	return strings.TrimSpace(strings.ReplaceAll(instruction, "{{words}}", strconv.Itoa(words)))
}

// maxHandles limits the handles, the newest, that stay beside a summary that does not mention them.
const maxHandles = 12

// Span returns the messages that a summary replaces, oldest first, as they are in h: all earlier
// turns, former summaries, and the part of the open turn older than the rounds that stay. It
// excludes the words that opened the turn and those that came during it, what the model has not
// read or answered yet, and, if the span has nothing of the open turn, the newest earlier turns
// (Recent). If Turns keeps some of these, the span has nothing of the open turn. It is empty if
// there is only one summary to replace, because a request to the model would be wasted.
func (h History) Span() []llm.Message {
	if !h.legalBegin() {
		return nil
	}
	p := newPlan(h)
	var out []llm.Message
	for _, i := range p.span() {
		out = append(out, p.parts[i].ms...)
	}
	return out
}

// span returns the indexes of the parts of Span.
func (p *plan) span() []int {
	var out []int
	recent := p.recent
	for i := range p.parts {
		q := &p.parts[i]
		switch {
		case q.kind == strayResult, p.h.Turns > 0 && q.turn == p.open:
			continue
		case q.turn < p.open, q.kind == runtimeNote && q.obsolete:
		case (q.kind == stepList || q.kind == summary) && !q.behind:
		case q.canBecomeLine() && (q.kind == toolRound || q.kind == modelText):
		default:
			continue
		}
		out = append(out, i)
		if q.turn == p.open && q.kind != runtimeNote {
			recent = p.open
		}
	}
	out = slices.DeleteFunc(out, func(i int) bool {
		q := &p.parts[i]
		return q.turn >= recent && q.turn < p.open && q.kind != summary
	})
	if len(out) == 1 && p.parts[out[0]].kind == summary {
		return nil
	}
	return out
}

// WithSummary returns h with its Span replaced by a summary, a user message in brackets at the
// place of the newest part of the span: behind the words that opened the turn, if the span has a
// part of the turn. Former summaries are dropped, because the model has read them. Denials of the
// span follow the summary as lines, and so do the newest handles that it does not mention. h should
// be the conversation that the model was shown, not a shortened form of it.
//
// If the summary is empty, or would not make the conversation shorter, h is returned unchanged: the
// caller has the result of Shorten.
func (h History) WithSummary(text string) History {
	text = strings.TrimSpace(strings.ToValidUTF8(text, ""))
	if text == "" || !h.legalBegin() {
		return h
	}
	p := newPlan(h)
	span := p.span()
	if len(span) == 0 {
		return h
	}
	b := &builder{h: h}
	for i := range p.parts {
		if i == span[len(span)-1] {
			b.flush()
			b.ms = append(b.ms, summaryNote(text, p.keptLines(span, text)))
		}
		if !slices.Contains(span, i) {
			b.add(&p.parts[i], keepWhole)
		}
	}
	shorter := b.history()
	if Tokens(shorter.Messages...) >= Tokens(h.Messages...) {
		return h
	}
	return shorter
}

func summaryNote(text string, lines []string) llm.Message {
	var b strings.Builder
	b.WriteString(summaryTitle + "\n" + text)
	for _, l := range lines {
		b.WriteString("\n- " + l)
	}
	b.WriteByte(']')
	return llm.Message{Role: llm.UserRole, Text: b.String()}
}

// isSummary reports whether a text is a summary in the form written here.
func isSummary(text string) bool {
	return strings.HasPrefix(text, summaryTitle+"\n") && strings.HasSuffix(text, "]")
}

// body returns the text of a summary without its brackets.
func body(text string) string {
	return strings.TrimSuffix(strings.TrimPrefix(text, summaryTitle+"\n"), "]")
}

// notes returns the lines of a summary that belong to a list.
func notes(lines []string) []string {
	var out []string
	for _, line := range lines {
		if l, ok := strings.CutPrefix(line, "- "); ok {
			out = append(out, l)
		}
	}
	return out
}

// joinedSummary joins summaries into one: their texts, oldest first, and each line of a list once.
func (p *plan) joinedSummary(does []action) []llm.Message {
	var texts, lines []string
	var last []llm.Message
	for i := range p.parts {
		if does[i] != joinSummaries {
			continue
		}
		last = p.parts[i].ms
		all := strings.Split(body(last[0].Text), "\n")
		end := len(all)
		for end > 0 && strings.HasPrefix(all[end-1], "- ") {
			end--
		}
		texts = append(texts, all[:end]...)
		for _, l := range all[end:] {
			if l = strings.TrimPrefix(l, "- "); !slices.Contains(lines, l) {
				lines = append(lines, l)
			}
		}
	}
	if last == nil {
		return nil
	}
	return []llm.Message{summaryNote(strings.Join(texts, "\n"), lines)}
}

// SummaryDue reports whether a summary by the model is worth its time, given the result of
// [History.Shorten] and the limits for its messages. It is if the result is above trigger, or if it
// is above target and the text that a summary would replace, lists and a former summary, takes more
// than half of trigger. Then there is little room to go on, and a summary is much shorter. Check
// [History.Span] of the conversation as well.
func (h History) SummaryDue(trigger, target int, count func(...llm.Message) int) bool {
	if now := count(h.Messages...); now <= target || now > trigger {
		return now > trigger
	}
	var old []llm.Message
	for _, q := range newPlan(h).parts {
		if !q.begin && (q.kind == stepList || q.kind == summary) {
			old = append(old, q.ms...)
		}
	}
	return count(old...)*2 > trigger
}

// handleIn matches a handle in a text.
var handleIn = lazyregexp.New(`\bout:[0-9]+\b`)

// keptLines returns the lines of a span that must not depend on the model's summary.
func (p *plan) keptLines(span []int, text string) []string {
	named := map[string]bool{}
	for _, handle := range handleIn().FindAllString(text, -1) {
		named[handle] = true
	}
	var denials, handles, facts []string
	for _, i := range span {
		q := &p.parts[i]
		lines := p.h.stepLines(q)
		if q.kind == summary {
			lines = notes(strings.Split(strings.TrimSuffix(q.ms[0].Text, "]"), "\n"))
		}
		if q.turn == p.open {
			facts = append(facts, p.h.facts(lines)...)
		}
		for _, l := range remnants(lines) {
			if isDenial(l) {
				denials = addStep(denials, l)
			} else if handle, _, _ := strings.Cut(l, " "); !named[handle] {
				handles = addStep(handles, l)
			}
		}
	}
	for _, l := range facts {
		handles = slices.DeleteFunc(handles, func(h string) bool { return strings.HasPrefix(l, h+arrow) })
	}
	facts = facts[max(0, len(facts)-maxHandles):]
	return slices.Concat(denials, facts, handles[max(0, len(handles)-maxHandles):])
}

// facts returns the lines of steps whose result has words of the task, which a small model's
// summary may lose.
func (h History) facts(lines []string) []string {
	var out []string
	for _, l := range lines {
		if _, result, ok := strings.Cut(l, arrow); ok && !isDenial(l) && !isFailure(l) && h.Task.Best(result, aboutTask) != "" {
			out = append(out, l)
		}
	}
	return out
}
