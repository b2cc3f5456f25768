package window

import (
	"slices"

	"hob/internal/excerpt"
	"hob/internal/llm"
)

// History is a conversation that is too long.
type History struct {
	Messages []llm.Message
	Begin    int // index of the words that opened the turn that is being played
	Keep     int // so many of the newest tool rounds stay as they are; in earlier turns only as long as it fits with them
	Recent   int // the newest earlier turns, at most two, stay as they are if they have so many tokens; see [Window.Recent]
	Turns    int // so many of the newest earlier turns stay as they are whatever they have, until [History.Drop] has nothing else

	// Handle returns the handle, such as "out:7", under which all of a result can be read, or "". It is called with
	// messages of role tool, more than once for one and also for some that stay as they are in the end; it may be nil.
	Handle func(result llm.Message) string
	// Nudge reports whether a message is a note of the runtime that has done its work: one of role user, or one of role
	// tool that stands for a result that was given before. It may be nil. It is not asked about the words at Begin and
	// about what is written here; and a note that the model has not answered yet stays whatever it says.
	Nudge func(m llm.Message) bool
	// Task is what the person asked for. Where a result becomes a line, or loses its middle, the lines of it with words
	// of the task stay.
	Task excerpt.Query
	// Search says that the model can search in a result that is stored under a handle.
	Search bool
}

// hint says what the model can do with a handle.
func (h History) hint() string {
	if h.Search {
		return searchHint
	}
	return handleHint
}

// legalBegin reports whether Begin is the index of a user's words. A History without them is left as it is.
func (h History) legalBegin() bool {
	return h.Begin >= 0 && h.Begin < len(h.Messages) && h.Messages[h.Begin].Role == llm.UserRole
}

// Shorten makes h at most target tokens long, as count has it, and does as little as it must, each tier oldest first:
//
//  1. Nudges go, with the words of the model that they complained of; failed calls that were then corrected go; of
//     identical pairs of call and result the newest stays. (Results of up to 160 bytes stay here, because they can be
//     receipts: what was done twice is not made to look as if it was done once.)
//  2. Old results become one line each; what the model thought before them goes.
//  3. Earlier turns become what was asked and what was answered; old rounds of the open turn become a list of steps.
//     Denials stay as lines, and so do handles.
//  4. Former summaries become one, before the lists, which then meet. Of earlier turns only the first words stay of what
//     was asked and what was answered.
//
// At least 15 % of the tokens go if that can be, even where target is nearer: for less the server's cache is worth more.
//
// It returns the new conversation with its Begin, and whether it fits. Where it does not, what must stay is too long:
// compare with [Window.Trigger] before a summary or Drop is tried, since a conversation between target and trigger
// can be played on. count grows with the messages it is given and is called some ten to twenty times.
func (h History) Shorten(target int, count func(...llm.Message) int) (History, bool) {
	now := count(h.Messages...)
	if now <= target {
		return h, true
	}
	short, _ := h.tiers(min(target, worthwhile(now)), count)
	return short, count(short.Messages...) <= target
}

// worthwhile is how many tokens may be left of so many for the loss of the server's cache to be worth it.
func worthwhile(tokens int) int { return tokens * 85 / 100 }

// tiers is Shorten without a least that has to go.
func (h History) tiers(target int, count func(...llm.Message) int) (History, bool) {
	if !h.legalBegin() {
		return h, count(h.Messages...) <= target
	}
	p := newPlan(h)
	edits := slices.Concat(p.pruneEdits(shortResult), p.lineEdits(false), p.turnEdits(toEarlier, false), p.stepEdits(), p.joinEdits(), p.turnEdits(toBrief, false),
		p.lineEdits(true), p.turnEdits(toEarlier, true), p.turnEdits(toBrief, true)) // what the newest rounds are in goes last
	return fit(h, len(edits), target, count, func(n int) History { return p.build(edits[:n]) })
}

// fit returns the first of n+1 ever shorter forms of h that fits, form 0 being h itself; where none does, the last, if
// it is shorter than h.
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
