package window

import (
	"slices"
	"strings"

	"hob/internal/llm"
)

// kind is the kind of a part of a conversation.
type kind int

const (
	userWords   kind = iota // of a person
	runtimeNote             // of hob, in the user's role
	stepList                // of hob: steps so far, or earlier turns
	summary                 // of hob
	modelText               // by the model, without calls
	toolRound               // calls of the model, and their results
	strayResult             // a result without a call: left unchanged
)

// part is one message of a conversation, or calls with their results.
type part struct {
	kind      kind
	ms        []llm.Message
	turn      int      // rises with each input before Begin; from Begin on it is the open turn
	obsolete  bool     // of a note: it has had its effect
	head      string   // of a list: its first line
	lines     []string // of a list
	begin     bool     // the words that opened the open turn
	fixed     bool     // stays unchanged
	late      bool     // of a round of an earlier turn: one of the newest
	finalText bool     // of the model's text: its last words in the turn
	behind    bool     // of the open turn: after the oldest round that stays, or the newest of all
}

// The heads of texts written here. A head continues to the end of its line.
const (
	stepsHead    = llm.RuntimeMark + "steps so far"
	earlierHead  = llm.RuntimeMark + "earlier in this conversation"
	summaryHead  = llm.RuntimeMark + "summary"
	handleHint   = ` (read_file path="out:N" shows all of a result)`
	searchHint   = ` (read_file path="out:N" shows all of a result, search_files path="out:N" finds words in it)`
	summaryTitle = summaryHead + " of what was said and done before, in place of the messages themselves:"
)

// parts splits a conversation into parts. open is the number of the open turn.
func (h History) parts() (ps []part, open int) {
	turn := 0
	begun := -1 // index in ps of the words that opened the turn
	for i := 0; i < len(h.Messages); {
		m := h.Messages[i]
		p := part{ms: h.Messages[i : i+1], turn: turn}
		switch m.Role {
		case llm.UserRole:
			h.user(&p, i == h.Begin)
			if p.kind == userWords && i <= h.Begin {
				turn++
				p.turn = turn
			}
			if i == h.Begin {
				begun = len(ps)
			}
		case llm.AssistantRole:
			p.kind = modelText
			if len(m.Calls) > 0 {
				p.kind, p.ms = toolRound, h.Messages[i:i+1+results(h.Messages[i+1:])]
			}
		default:
			p.kind = strayResult
		}
		ps = append(ps, p)
		i += len(p.ms)
	}
	h.mark(ps, begun)
	return ps, turn
}

// user classifies a user message.
func (h History) user(p *part, begin bool) {
	text := p.ms[0].Text
	switch {
	case begin:
		p.kind, p.begin, p.fixed = userWords, true, true
	case isList(text):
		p.kind = stepList
		p.head, p.lines = readList(text)
	case strings.HasPrefix(text, summaryHead), strings.HasPrefix(text, stepsHead), strings.HasPrefix(text, earlierHead):
		p.kind = summary // an old form of list is kept as carefully as a summary
	case h.Nudge != nil && h.Nudge(p.ms[0]):
		p.kind, p.obsolete = runtimeNote, true
	case strings.HasPrefix(text, llm.RuntimeMark):
		p.kind = runtimeNote
	default:
		p.kind = userWords
	}
}

// results counts the tool messages at the beginning.
func results(ms []llm.Message) int {
	n := 0
	for n < len(ms) && ms[n].Role == llm.ToolRole {
		n++
	}
	return n
}

// mark finds the parts that must stay. begun is the index of the words that opened the open turn.
func (h History) mark(ps []part, begun int) {
	left := h.Keep
	unread := true  // the model has said nothing since
	final := -1     // the turn whose last words were found
	boundary := -1  // the first part of the open turn that stays for good
	newest := begun // the model's last action in the open turn
	for i := len(ps) - 1; i >= 0; i-- {
		p := &ps[i]
		switch p.kind {
		case toolRound:
			kept := left > 0
			left--
			switch {
			case unread || !p.complete():
				p.fixed = true
			case kept && i > begun:
				p.fixed = true
			case kept:
				p.late = true
			}
			if p.fixed && i > begun {
				boundary = i
			}
		case modelText:
			p.finalText = final != p.turn
			final = p.turn
		case runtimeNote:
			p.obsolete = p.obsolete && !unread
		case strayResult:
			p.fixed = true
		}
		if p.kind == toolRound || p.kind == modelText {
			if unread && i > begun {
				newest = i
			}
			unread = false
		}
	}
	if boundary < 0 {
		boundary = newest
	}
	for i := max(begun, 0); i < len(ps); i++ {
		ps[i].behind = i >= boundary
	}
}

// complete reports whether every call of a round has its result.
func (p *part) complete() bool {
	return !slices.ContainsFunc(p.ms[0].Calls, func(c llm.Call) bool { return p.result(c.ID) == nil })
}

// result returns the result of a call of a round, or nil.
func (p *part) result(id string) *llm.Message {
	for i := range p.ms[1:] {
		if p.ms[1+i].CallID == id {
			return &p.ms[1+i]
		}
	}
	return nil
}

// canBecomeLine reports whether a part of the open turn may become a line of a list.
func (p *part) canBecomeLine() bool { return !p.fixed && !p.behind }

// isList reports whether a text is a list of writeList, and does not just begin like one.
func isList(text string) bool {
	if !strings.HasPrefix(text, stepsHead) && !strings.HasPrefix(text, earlierHead) {
		return false
	}
	head, lines := readList(text)
	return len(text) == len(writeList(head, lines, handleHint).Text) || len(text) == len(writeList(head, lines, searchHint).Text)
}

// readList parses a list of writeList.
func readList(text string) (head string, lines []string) {
	head = stepsHead
	if strings.HasPrefix(text, earlierHead) {
		head = earlierHead
	}
	_, body, _ := strings.Cut(text, "\n")
	for line := range strings.SplitSeq(strings.TrimSuffix(body, "]"), "\n") {
		if line = strings.TrimPrefix(line, "- "); line != "" {
			lines = append(lines, line)
		}
	}
	return head, lines
}

// writeList returns a list as a message, with a hint if a line has a handle.
func writeList(head string, lines []string, hint string) llm.Message {
	var b strings.Builder
	b.WriteString(head)
	for _, l := range lines {
		if handleAhead().MatchString(l) {
			b.WriteString(hint)
			break
		}
	}
	b.WriteByte(':')
	for _, l := range lines {
		b.WriteString("\n- " + l)
	}
	b.WriteByte(']')
	return llm.Message{Role: llm.UserRole, Text: b.String()}
}
