package window

import (
	"slices"

	"hob/internal/excerpt"
	"hob/internal/llm"
)

// History is a conversation to be shortened.
type History struct {
	Messages []llm.Message
	Begin    int // index of the words that opened the open turn
	Keep     int // so many of the newest tool rounds stay unchanged; in earlier turns only while that fits
	Recent   int // the newest earlier turns, at most two, stay unchanged within so many tokens; see [Window.Recent]
	Turns    int // so many of the newest earlier turns stay unchanged whatever their size, until [History.Drop] has nothing else

	// Handle returns the handle, such as "out:7", under which all of a result can be read, or "".
	// It is called with tool messages, possibly several times for one, and also for some that stay
	// unchanged. It may be nil.
	Handle func(result llm.Message) string
	// Nudge reports whether a message is a note of hob that has had its effect: a user message, or
	// a tool message that stands for an earlier result. It may be nil. It is not called for the
	// words at Begin, nor for text written here; and a note that the model has not answered yet
	// stays in any case.
	Nudge func(m llm.Message) bool
	// Task is what the person asked for. If a result becomes a line, or loses its middle, its lines
	// with words of the task stay.
	Task excerpt.Query
	// Search says that the model can search a result stored under a handle.
	Search bool
}

// hint says what the model can do with a handle.
func (h History) hint() string {
	if h.Search {
		return searchHint
	}
	return handleHint
}

// legalBegin reports whether Begin is the index of a user's words. Otherwise the History is left
// unchanged.
func (h History) legalBegin() bool {
	return h.Begin >= 0 && h.Begin < len(h.Messages) && h.Messages[h.Begin].Role == llm.UserRole
}

// Shorten shortens h to at most target tokens, as count measures, and does as little as necessary,
// each tier oldest first:
//
//  1. It drops nudges with the model's words that they rejected, failed calls that were corrected,
//     and all but the newest of identical pairs of call and result. (Pairs with results of up to
//     160 bytes stay, because such a result can be a receipt, and what was done twice must not look
//     as if it was done once.)
//  2. Old results become one line each, and the thinking before them is dropped.
//  3. Earlier turns become question and answer; old rounds of the open turn become a list of steps.
//     Denials and handles stay as lines.
//  4. Former summaries become one, before the lists, which are then adjacent. Of questions and
//     answers of earlier turns only the first words stay.
//
// It removes at least 15 % of the tokens if possible, even if target is closer, because a
// smaller gain does not justify the loss of the server's cache.
//
// It returns the new conversation with its Begin, and whether it fits. If it does not fit, compare
// it with [Window.Trigger] before you try a summary or Drop, because a conversation between target
// and trigger can go on. count must grow with the given messages, and is called some ten to twenty
// times.
func (h History) Shorten(target int, count func(...llm.Message) int) (History, bool) {
	now := count(h.Messages...)
	if now <= target {
		return h, true
	}
	short, _ := h.tiers(min(target, worthwhile(now)), count)
	return short, count(short.Messages...) <= target
}

// worthwhile is how many of so many tokens may be left for a shortening to be worth the loss of the
// server's cache.
func worthwhile(tokens int) int { return tokens * 85 / 100 }

// tiers is Shorten without the least reduction.
func (h History) tiers(target int, count func(...llm.Message) int) (History, bool) {
	if !h.legalBegin() {
		return h, count(h.Messages...) <= target
	}
	p := newPlan(h)
	edits := slices.Concat(p.pruneEdits(shortResult), p.lineEdits(false), p.turnEdits(toEarlier, false), p.stepEdits(), p.joinEdits(), p.turnEdits(toBrief, false),
		p.lineEdits(true), p.turnEdits(toEarlier, true), p.turnEdits(toBrief, true)) // those with the newest rounds come last
	return fit(h, len(edits), target, count, func(n int) History { return p.build(edits[:n]) })
}

// fit returns the first of n+1 ever shorter forms of h that fits, form 0 being h itself. If none
// fits, it returns the last, if that is shorter than h.
func fit(h History, n, target int, count func(...llm.Message) int, form func(n int) History) (History, bool) {
	low, high := 0, n+1 // form low does not fit; form high does, or there is none
	best := h
	for low+1 < high {
		mid := low + (high-low)/2
		if f := form(mid); count(f.Messages...) <= target {
			high, best = mid, f
		} else {
			low = mid
		}
	}
	if high <= n {
		return best, true
	}
	if last := form(n); n > 0 && count(last.Messages...) < count(h.Messages...) {
		return last, false
	}
	return h, false
}
