package window

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hob/internal/llm"
)

//go:embed instruction.md
var instruction string

// Instruction returns the words that ask the model for a summary of at most maxTokens tokens. They are appended to the
// whole conversation as a message of role user, with the same system text, tools and options as ever, so that the
// server's cache holds; neither they nor the reply become part of the conversation.
func Instruction(maxTokens int) string {
	words := max(maxTokens*3/4/10*10, 40) // three words are about four tokens; a round number is obeyed best
	return strings.TrimSpace(strings.ReplaceAll(instruction, "{{words}}", strconv.Itoa(words)))
}

// maxHandles is how many handles stay beside a summary that does not name them: the newest.
const maxHandles = 12

// Span returns the messages that a summary stands for, oldest first, as they are in h: all earlier turns, and of the
// open turn what is older than the rounds that stay. Not part of it are the words that opened the turn and those that
// came while it was played, former summaries, and what the model has not read or answered yet. It is empty where there
// is nothing to sum up; then a request to the model would be wasted.
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

// span are the indexes of the parts of Span.
func (p *plan) span() []int {
	var out []int
	for i := range p.parts {
		q := &p.parts[i]
		switch {
		case q.kind == summary || q.kind == stray:
		case q.turn < p.open, q.kind == note && q.done, q.kind == list && !q.behind:
			out = append(out, i)
		case q.old() && (q.kind == round || q.kind == said):
			out = append(out, i)
		}
	}
	return out
}

// WithSummary returns h with its Span replaced by a summary, which stands as a bracketed message of role user where the
// newest of what it replaces stood: behind the words that opened the turn, if it tells anything of the turn. Denials
// of the span stand below it as lines, and so do the newest handles that it does not name. h should be the conversation
// that the model was shown, not one that Shorten made of it later.
//
// A summary that is empty, or so long that the conversation would not become shorter, changes nothing: the caller has
// what Shorten made.
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
			b.ms = append(b.ms, summaryNote(text, p.leftovers(span, text)))
		}
		if !slices.Contains(span, i) {
			b.add(&p.parts[i], stays)
		}
	}
	shorter := b.done()
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

// handleIn matches a handle in a text.
var handleIn = regexp.MustCompile(`\bout:[0-9]+\b`)

// leftovers are the lines of a span that must not depend on what the model makes of them.
func (p *plan) leftovers(span []int, text string) []string {
	named := map[string]bool{}
	for _, handle := range handleIn.FindAllString(text, -1) {
		named[handle] = true
	}
	var denials, handles []string
	for _, i := range span {
		q := &p.parts[i]
		if q.kind != list && q.kind != round {
			continue
		}
		for _, l := range remnants(p.h.steps(q)) {
			if isDenial(l) {
				denials = addStep(denials, l)
			} else if handle, _, _ := strings.Cut(l, " "); !named[handle] {
				handles = addStep(handles, l)
			}
		}
	}
	return append(denials, handles[max(0, len(handles)-maxHandles):]...)
}
