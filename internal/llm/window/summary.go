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

// Instruction returns the words that ask the model for a summary of at most maxTokens tokens. They are appended to the
// whole conversation as a message of role user, with the same system text, tools and options as ever, so that the
// server's cache holds; neither they nor the reply become part of the conversation.
func Instruction(maxTokens int) string {
	words := max(maxTokens*3/4/10*10, 40) // three words are about four tokens; a round number is obeyed best
	return strings.TrimSpace(strings.ReplaceAll(instruction, "{{words}}", strconv.Itoa(words)))
}

// maxHandles is how many handles stay beside a summary that does not name them: the newest.
const maxHandles = 12

// Span returns the messages that a summary stands for, oldest first, as they are in h: all earlier turns, former
// summaries, and of the open turn what is older than the rounds that stay. Not part of it are the words that opened the
// turn and those that came while it was played, what the model has not read or answered yet, and, where the span has
// nothing of the open turn, the newest earlier turns (Recent). Where so many of these have to stay (Turns), nothing of the
// open turn is. It is empty where there is nothing to sum up but one summary; then a request to the model would be wasted.
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

// WithSummary returns h with its Span replaced by a summary, which stands as a bracketed message of role user where the
// newest of what it replaces stood: behind the words that opened the turn, if it covers a part of the turn. Former
// summaries go: the model has read them in the conversation. Denials of the span stand below it as lines, and so do
// the newest handles that it does not name. h should be the conversation that the model was shown, not one that
// Shorten made of it later.
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

// isSummary reports whether a text is a summary as it is written here.
func isSummary(text string) bool {
	return strings.HasPrefix(text, summaryTitle+"\n") && strings.HasSuffix(text, "]")
}

// body is the text of a summary without its brackets.
func body(text string) string {
	return strings.TrimSuffix(strings.TrimPrefix(text, summaryTitle+"\n"), "]")
}

// notes are those of the lines of a summary that are of a list.
func notes(lines []string) []string {
	var out []string
	for _, line := range lines {
		if l, ok := strings.CutPrefix(line, "- "); ok {
			out = append(out, l)
		}
	}
	return out
}

// joinedSummary is the one summary of all that are joined: their texts, oldest first, each line of a list once.
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

// SummaryDue reports whether a summary of the model's own is worth its time, for what [History.Shorten] has made of a
// conversation, with the limits for its messages: when that is past trigger, or when it is past target and what a summary
// would stand for, lists and a former summary, takes more than half of trigger. Then there is little room left to go on
// in, and a summary is much shorter. Ask [History.Span] as well, of the conversation itself.
func (h History) SummaryDue(trigger, target int, count func(...llm.Message) int) bool {
	now := count(h.Messages...)
	if now <= target || now > trigger {
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

// keptLines are the lines of a span that must not depend on what the model makes of them.
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

// facts are the lines of steps whose result has words of the task: a summary by a small model may lose what they say.
func (h History) facts(lines []string) []string {
	var out []string
	for _, l := range lines {
		if _, result, ok := strings.Cut(l, arrow); ok && !isDenial(l) && !isFailure(l) && h.Task.Best(result, aboutTask) != "" {
			out = append(out, l)
		}
	}
	return out
}
