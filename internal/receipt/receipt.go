// Package receipt says in one line what a turn has done, from what its tools report and not from what the model says:
//
//	wrote notes/shop.md (312 B) #41 · command failed (127) · send_mail denied: bob@example.org (private-data)
//
// What can be taken back has the number of the change behind it.
//
// What was tried and did not happen is in it, too. What only looked is not, except for pages that were fetched: to ask for one
// leaves the machine.
//
// Invariants:
//   - The line has no line end and no character that a terminal or a reader could be fooled by, whatever targets are called.
//     A target that could be taken for another part of the line stands in quotes.
//   - Of more than [maxItems] things, those that went wrong and those that cannot be taken back are told first.
package receipt

import (
	"bytes"
	"slices"
	"sort"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/lists"
)

// maxItems is how many things a line tells of.
const maxItems = 8

// between stands between two things.
const between = " · "

// Turn is what the calls of a turn came to: a fold over the bodies that the turn emitted. The zero Turn counts as acts what
// was journaled as begun, and what was denied.
type Turn struct {
	acts    func(tool string) bool
	open    []open
	done    []done
	started []string // ids of calls
}

// open is a call that has no result yet.
type open struct {
	id, tool string
	args     []byte
}

// done is what came of a call: effects, or none and a reason.
type done struct {
	call    open
	ok      bool
	effects []event.Effect
	state   string       // of a call that did not do what it was for: failed, denied ...
	why     string       // the rule
	unfit   bool         // its arguments were not even right
	err     *event.Error // of a call that failed; nil where it has said nothing
}

// New returns an empty Turn. Acts reports whether calls of a tool may do more than look; it is asked about calls that never
// began. Nil is like the zero Turn's.
func New(acts func(tool string) bool) Turn { return Turn{acts: acts} }

// Add is the turn once body was emitted, too.
func (t Turn) Add(body event.Body) Turn {
	switch b := body.(type) {
	case event.Called:
		t.open = append(slices.Clip(t.open), open{b.ID, b.Tool, b.Args})
	case event.Started:
		t.started = append(slices.Clip(t.started), b.CallID)
	case event.Replied:
		if len(b.Effects) > 0 {
			t.done = append(slices.Clip(t.done), done{ok: true, effects: b.Effects})
		}
	case event.Returned:
		call := open{id: b.ID, tool: b.Tool}
		if i := slices.IndexFunc(t.open, func(c open) bool { return c.id == b.ID }); i >= 0 {
			call = t.open[i]
			t.open = slices.Delete(slices.Clone(t.open), i, i+1)
		}
		d := done{call: call, ok: b.OK, effects: b.Effects}
		if !b.OK && len(b.Effects) == 0 {
			d.state, d.why, d.unfit = t.state(b), b.Rule, b.By == "check"
			if d.state == stateFailed {
				d.err = b.Error
			}
		}
		if len(d.effects) > 0 || d.state != "" || d.ok && slices.Contains(t.started, b.ID) {
			t.done = append(slices.Clip(t.done), d)
		}
	}
	return t
}

// stateFailed is the state of a call whose error says why.
const stateFailed = "failed"

// state says how a call ended that did not do what it was for, or nothing for one that only looked.
func (t Turn) state(b event.Returned) string {
	acts := t.acts != nil && t.acts(b.Tool)
	switch {
	case b.By == "gate" && (acts || t.acts == nil):
		return "denied"
	case b.By == "check" && acts:
		return stateFailed
	case (b.By == "stop" || b.By == "budget") && acts:
		return "not run"
	case b.By == "restart":
		return "interrupted"
	case b.By != "" || !acts && !slices.Contains(t.started, b.ID):
		return "" // it was answered as the same call was just before, or it only looks
	case b.Error == nil:
		return stateFailed
	case b.Error.Code == event.CodeTimeout:
		return "timed out"
	case b.Error.Code == event.CodeCancelled:
		return "stopped"
	}
	return stateFailed
}

// Effects returns what was done, in the order in which it was.
func (t Turn) Effects() []event.Effect {
	var all []event.Effect
	for _, d := range t.done {
		all = append(all, d.effects...)
	}
	return all
}

// Revise is the turn with its effects as revise has them: more is known of them by now than when they were reported.
func (t Turn) Revise(revise func(event.Effect) event.Effect) Turn {
	t.done = slices.Clone(t.done)
	for i, d := range t.done {
		d.effects = slices.Clone(d.effects)
		for k, e := range d.effects {
			d.effects[k] = revise(e)
		}
		t.done[i] = d
	}
	return t
}

// Line says what the turn has done, and what it has tried in vain, or nothing. Differs says what is otherwise now than an
// effect says, such as "changed since", or "" where it holds; it may be nil.
func (t Turn) Line(in Language, differs func(event.Effect) string) string {
	var all []line
	for _, it := range Items(t.Effects()) {
		all = append(all, line{item: it, at: t.at(it)})
	}
	for i, d := range t.done {
		if d.state == "" || t.doneLater(i) {
			continue
		}
		vain := line{vain: d, at: i, times: 1}
		same := func(l line) bool { return l.vain.state != "" && l.vain.same(d) }
		if j := slices.IndexFunc(all, same); j >= 0 {
			all[j].times++
			continue
		}
		all = append(all, vain)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].at < all[j].at })
	return join(all, in.voice(), differs)
}

// at is where among the calls the item began.
func (t Turn) at(it Item) int {
	return slices.IndexFunc(t.done, func(d done) bool {
		return slices.ContainsFunc(d.effects, func(e event.Effect) bool { return slices.Contains(it.All, e) })
	})
}

// doneLater reports whether what the nth call did not do was done by a later one. Of one that was interrupted nobody knows what it
// did: the next may have done it twice, or something else to the same file.
func (t Turn) doneLater(n int) bool {
	vain := t.done[n]
	if vain.state == "interrupted" {
		return false
	}
	target, _ := vain.call.target()
	return slices.ContainsFunc(t.done[n+1:], func(d done) bool {
		if !d.ok {
			return false
		}
		other, _ := d.call.target()
		if d.call.tool == vain.call.tool && (bytes.Equal(d.call.args, vain.call.args) || other == target && target != "" || vain.unfit && target == "") {
			return true
		}
		return target != "" && slices.ContainsFunc(d.effects, func(e event.Effect) bool { return e.Target == target && !IsFailed(e) })
	})
}

// same reports whether two calls came to nothing in the same way.
func (d done) same(other done) bool {
	a, _ := d.call.target()
	b, _ := other.call.target()
	return d.call.tool == other.call.tool && a == b && d.state == other.state && d.why == other.why
}

// line is one thing that a line tells of: an item, or a call in vain.
type line struct {
	item  Item
	vain  done
	at    int
	times int // of the call
	text  string
	rank  int
}

// join writes the line.
func join(all []line, v voice, differs func(event.Effect) string) string {
	commands := 0
	for _, l := range all {
		if _, command := l.vain.call.target(); command || l.item.Last.Kind == ran {
			commands++
		}
	}
	v.named = commands > 1
	for i := range all {
		all[i].write(v, differs)
	}
	left := 0
	if len(all) > maxItems {
		left = len(all) - maxItems
		ranked := slices.Clone(all)
		sort.SliceStable(ranked, func(i, j int) bool { return ranked[i].rank < ranked[j].rank })
		least := ranked[maxItems-1].rank
		room := maxItems - slices.IndexFunc(ranked, func(l line) bool { return l.rank == least })
		all = slices.DeleteFunc(all, func(l line) bool {
			if l.rank == least && room > 0 {
				room--
				return false
			}
			return l.rank >= least
		})
	}
	parts := lists.Map(all, func(l line) string { return l.text })
	if left > 0 {
		parts = append(parts, v.Text("more", strconv.Itoa(left)))
	}
	return strings.Join(parts, between)
}

// write sets the text and the rank of a line's part.
func (l *line) write(v voice, differs func(event.Effect) string) {
	if l.vain.state != "" {
		target, command := l.vain.call.target()
		l.text, l.rank = v.Text("vain."+l.vain.state, name(l.vain.call.tool)), 0
		if target != "" && (!command || v.named) {
			l.text += ": " + quoteTarget(target, command)
		}
		l.text += inBrackets(showWords(v.rule(l.vain.why)), showWords(v.cause(l.vain.err)), v.times(l.times))
		return
	}
	now := ""
	if differs != nil {
		now = v.detail(differs(l.item.Last))
	}
	l.text, l.rank = l.item.text(v, now), l.item.rank()
	if now != "" {
		l.rank = 0
	}
}

// inBrackets puts what is not empty in brackets.
func inBrackets(words ...string) string {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, "; ") + ")"
}
