package window

import (
	"fmt"
	"slices"
	"strings"

	"hob/internal/excerpt"
	"hob/internal/llm"
)

// Drop is the last resort: it shortens h to at most target tokens, as count measures, and loses
// information. After everything that Shorten does, it does these steps, each only as far as
// necessary:
//
//  1. It drops the lines of earlier turns and of summaries of them, oldest first, and at least 15 %
//     of the tokens if possible. Then the newest of the earlier turns become lines and are dropped,
//     too.
//  2. The newest rounds that the model has read become lines.
//  3. Results that it has not read lose their middle, down to 400 bytes each.
//  4. It drops summaries and the list of steps of the open turn, oldest first.
//  5. It drops the denials of earlier turns; those of the open turn stay.
//
// It returns the new conversation and whether it fits. Two things can still be too long: a person's
// words in the open turn, and calls without results.
//
// Because of steps 2 and 3, target should be the hard limit of a prompt ([Window.Trigger] or
// [Window.Limits]), not the desired size.
func (h History) Drop(target int, count func(...llm.Message) int) (History, bool) {
	short, ok := h.Shorten(target, count)
	if ok || !h.legalBegin() {
		return short, ok
	}
	aim := min(target, worthwhile(count(h.Messages...)))
	stages := []func(History) (History, bool){
		func(h History) (History, bool) {
			h, _ = h.dropLines(aim, count, earlierLines)
			return h, count(h.Messages...) <= target
		},
		func(h History) (History, bool) { return h.shortenAll(target, count, h.Keep) },
		func(h History) (History, bool) { return h.dropLines(target, count, earlierLines) },
		func(h History) (History, bool) { return h.shortenAll(target, count, 0) },
		func(h History) (History, bool) { return h.dropLines(target, count, earlierLines) }, // earlier words that became lines only now
		func(h History) (History, bool) { return h.cutUnread(target, count) },
		func(h History) (History, bool) { return h.dropLines(target, count, openLines) },
		func(h History) (History, bool) { return h.dropLines(target, count, earlierDenials) },
	}
	for _, stage := range stages {
		if short, ok = stage(short); ok {
			break
		}
	}
	return short, ok
}

// shortenAll shortens h without regard to Recent and Turns, and with another Keep.
func (h History) shortenAll(target int, count func(...llm.Message) int, keep int) (History, bool) {
	own := h
	h.Keep, h.Recent, h.Turns = keep, 0, 0
	h, ok := h.tiers(target, count)
	h.Keep, h.Recent, h.Turns = own.Keep, own.Recent, own.Turns
	return h, ok
}

// droppable says what dropLines may drop.
type droppable int

const (
	earlierLines   droppable = iota // turns and summaries before the words that opened the turn, except denials
	openLines                       // steps and summaries after them, except denials
	earlierDenials                  // denials before them
)

// unit is what is dropped together: lines of a list, or a summary.
type unit struct {
	part     int
	from, to int // lines
}

// dropLines drops lines of lists, and summaries, oldest first.
func (h History) dropLines(target int, count func(...llm.Message) int, w droppable) (History, bool) {
	p := newPlan(h)
	units := p.units(w)
	return fit(h, len(units), target, count, func(n int) History {
		b := &builder{h: h}
		for i := range p.parts {
			q := p.parts[i]
			gone := slices.DeleteFunc(slices.Clone(units[:n]), func(u unit) bool { return u.part != i })
			if len(gone) == 0 {
				b.add(&q, keepWhole)
				continue
			}
			var lines []string
			for k, l := range q.lines {
				inside := slices.ContainsFunc(gone, func(u unit) bool { return u.from <= k && k < u.to })
				if !inside || w != earlierDenials && isDenial(l) {
					lines = append(lines, l)
				}
			}
			if q.kind == stepList {
				b.list(q.head, lines)
			} else if rest := denials(lines); len(rest) == len(lines) {
				b.list(p.headAt(&q), rest)
			} else {
				b.flush()
				b.ms = append(b.ms, summaryNote(strings.Join(lines, "\n"), nil))
			}
		}
		return b.history()
	})
}

// units returns the units that may be dropped, oldest first.
func (p *plan) units(w droppable) []unit {
	var out []unit
	for i := range p.parts {
		q := &p.parts[i]
		if (q.turn == p.open) != (w == openLines) {
			continue
		}
		if q.kind == summary {
			if w == earlierDenials {
				continue
			}
			if !isSummary(q.ms[0].Text) {
				q.lines = strings.Split(strings.TrimSuffix(q.ms[0].Text, "]"), "\n")
				out = append(out, unit{i, 0, len(q.lines)})
				continue
			}
			q.lines = strings.Split(body(q.ms[0].Text), "\n")
			for k, l := range q.lines {
				if !isDenial(l) {
					out = append(out, unit{i, k, k + 1})
				}
			}
		}
		if q.kind != stepList {
			continue
		}
		for k, l := range q.lines {
			switch {
			case w == earlierDenials && !isDenial(l):
			case w == earlierLines && k > 0 && !strings.HasPrefix(l, askedMark):
				out[len(out)-1].to = k + 1 // it belongs to the question above it
			default:
				out = append(out, unit{i, k, k + 1})
			}
		}
	}
	return out
}

// headAt returns the head for a list at the place of a part.
func (p *plan) headAt(q *part) string {
	if q.turn == p.open {
		return stepsHead
	}
	return earlierHead
}

func isDenial(line string) bool { return strings.Contains(line, arrow+"error: denied") }

// denials returns the lines of a summary about denials, as lines of a list.
func denials(lines []string) []string {
	return slices.DeleteFunc(notes(lines), func(line string) bool { return !isDenial(line) })
}

// cutUnread cuts the middle out of the results that the model has not read, as far as necessary.
func (h History) cutUnread(target int, count func(...llm.Message) int) (History, bool) {
	p := newPlan(h)
	longest, from := 0, len(h.Messages)
	for i := len(h.Messages) - 1; i >= 0 && h.Messages[i].Role != llm.AssistantRole; i-- {
		if m := h.Messages[i]; m.Role == llm.ToolRole {
			longest, from = max(longest, len(m.Text)), i
		}
	}
	var limits []int
	for limit := longest; limit > minShare; {
		limit = max(limit*3/4, minShare)
		limits = append(limits, limit)
	}
	return fit(h, len(limits), target, count, func(n int) History {
		short := p.h
		if n == 0 {
			return short
		}
		short.Messages = slices.Clone(short.Messages)
		for i := from; i < len(short.Messages); i++ {
			if m := &short.Messages[i]; m.Role == llm.ToolRole {
				m.Text = h.cut(m.Text, limits[n-1], h.handle(*m))
			}
		}
		return short
	})
}

// isFence reports whether a line begins the fence around a stranger's text; see package event.
func isFence(line string) bool {
	return len(line) <= longestFence && strings.HasPrefix(line, "[information from ") && strings.HasSuffix(line, "]")
}

// cut takes the middle out of a text longer than limit bytes, at line ends if possible: three
// fifths of the rest are its head. In between a line says what is missing and where all of it is,
// and a third of the rest are the lines about the task, if there are any.
func (h History) cut(text string, limit int, handle string) string {
	if len(text) <= limit {
		return text
	}
	note := fmt.Sprintf("\n[... cut to fit, of %d bytes; not all is shown ...]\n", len(text))
	if handle != "" {
		note = fmt.Sprintf("\n[... cut to fit, of %d bytes; all of it: read_file path=%q ...]\n", len(text), clip(handle, headOfHandle))
	}
	stay := max(limit-len(note), limit/2)
	if stay+len(note) >= len(text) {
		return text
	}
	if about := h.Task.Passages(text[stay*3/5:len(text)-stay*2/5], stay/3); about != "" {
		stay -= len(about)
		note += about + "[...]\n"
	}
	head, tail := excerpt.Ends(text, stay, 6)
	if first, _, _ := strings.Cut(text, "\n"); len(first) > len(head) && isFence(first) {
		head = strings.ToValidUTF8(first, "") // a shortened one would not show where the stranger's text ends
	}
	if short := head + note + tail; len(short) < len(text) {
		return short
	}
	return text
}
