package web

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/lazyregexp"
	"hob/internal/lists"
	"hob/internal/when"
)

// Present is how things stand by now of which a chat has told before: what has been taken back since, answered or ticked off, wherever
// that was done.
type Present interface {
	// Mark returns a number that rises with each change, and 0 while one is under way.
	Mark(ctx context.Context) (int64, error)
	// Changes returns the changes after a number, the newest first.
	Changes(ctx context.Context, after int64) ([]event.Change, error)
	// Reminder returns a reminder; known is false where there is none.
	Reminder(ctx context.Context, id int64) (r event.Reminder, known bool, err error)
	// List returns what is on a list, for somebody who may tick it off. For anybody else there is nothing.
	List(ctx context.Context, by commands.Request, name string) ([]ListItem, error)
}

// ListItem is a thing on a list.
type ListItem struct {
	Text   string
	Ticked bool
}

// textLine is a line of a reply. Where Tick is not "" it is a box: who presses it says that. Thing is the part of Tick that somebody else
// may have written.
type textLine struct {
	Text        string
	Ticked      bool
	Tick, Thing string
}

// canChange reports whether what an item shows depends on the present.
func (it item) canChange() bool {
	return len(it.changed)+len(it.lists) > 0 || slices.ContainsFunc(it.Choices, func(c event.Choice) bool {
		return undoneBy(c) != 0 || reminderOf(c) != 0
	})
}

// The commands of choices that the present makes good or void.
var (
	undoCommand     = lazyregexp.New(`^/undo #(\d+)$`)
	reminderCommand = lazyregexp.New(`^/reminder (\d+) `)
)

// undoneBy returns the change that a choice takes back, 0 for none.
func undoneBy(c event.Choice) int64 { return numberIn(undoCommand, c.Text) }

// reminderOf returns the reminder that a choice answers, 0 for none.
func reminderOf(c event.Choice) int64 { return numberIn(reminderCommand, c.Text) }

func numberIn(command func() *regexp.Regexp, text string) (n int64) {
	if m := command().FindStringSubmatch(text); m != nil {
		n, _ = strconv.ParseInt(m[1], 10, 64) // a number that is too large is none
	}
	return n
}

// settler settles items for one visitor.
type settler struct {
	server    *Server
	visit     visit
	chat      event.Chat
	undone    map[int64]int64 // the changes that are taken back, and by which
	here      map[int64]bool  // the changes that were made in the chat
	reminders map[int64]event.Reminder
	lists     map[string][]ListItem
}

// settle returns items as they stand by now.
func (s *Server) settle(ctx context.Context, v visit, chat event.Chat, all []item) ([]item, error) {
	if s.cfg.Present == nil || !slices.ContainsFunc(all, item.canChange) {
		return all, nil
	}
	n := settler{server: s, visit: v, chat: chat, undone: map[int64]int64{}, here: map[int64]bool{}, reminders: map[int64]event.Reminder{}, lists: map[string][]ListItem{}}
	if err := n.look(ctx, all); err != nil {
		return nil, err
	}
	return lists.Map(all, func(it item) item {
		if it.canChange() {
			n.settleChanges(&it)
			n.settleReminders(&it)
			n.settleLists(&it)
		}
		return it
	}), nil
}

// look finds out how things stand of which the items tell.
func (n *settler) look(ctx context.Context, all []item) error {
	var changed []int64
	is := n.server.cfg.Present
	for _, it := range all {
		changed = append(changed, it.changed...)
		for _, c := range it.Choices {
			if number := undoneBy(c); number != 0 {
				changed = append(changed, number)
			}
			id := reminderOf(c)
			if _, asked := n.reminders[id]; asked || id == 0 {
				continue
			}
			r, _, err := is.Reminder(ctx, id)
			if err != nil {
				return err
			}
			n.reminders[id] = r
		}
		for _, name := range it.lists {
			if _, asked := n.lists[name]; asked || checkChat(n.visit, n.chat) != nil {
				continue
			}
			on, err := is.List(ctx, n.server.request(n.visit, n.chat, ""), name)
			if err != nil {
				return err
			}
			n.lists[name] = on
		}
	}
	if len(changed) == 0 {
		return nil
	}
	since, err := is.Changes(ctx, slices.Min(changed)-1)
	for _, c := range since {
		n.here[c.ID] = c.Chat == n.chat
		if c.UndoneBy != 0 {
			n.undone[c.ID] = c.UndoneBy
		}
	}
	return err
}

// add says below an item what has come of it.
func (n *settler) add(it *item, fate string) {
	if !slices.Contains(it.Fates, fate) {
		it.Fates = append(slices.Clip(it.Fates), fate)
	}
}

// settleChanges takes away what would take back what is taken back already, and offers to make it again.
func (n *settler) settleChanges(it *item) {
	is := func(c int64) bool { return n.undone[c] != 0 }
	choices := lists.Map(it.Choices, undoneBy)
	var gone, left []int64
	for _, c := range append(slices.Clone(it.changed), choices...) {
		switch {
		case c == 0 || slices.Contains(gone, c) || slices.Contains(left, c):
		case is(c):
			gone = append(gone, c)
		default:
			left = append(left, c)
		}
	}
	if len(gone) == 0 {
		return
	}
	it.Choices = slices.DeleteFunc(slices.Clone(it.Choices), func(c event.Choice) bool { return is(undoneBy(c)) })
	it.Changes = slices.DeleteFunc(slices.Clone(it.Changes), is)
	text := n.visit.words.Text("undone")
	if len(left) == 0 {
		it.Undo = false
	} else {
		text += ": " + strings.Join(lists.Map(gone, func(c int64) string { return fmt.Sprintf("#%d", c) }), ", ")
	}
	if len(left) < 2 {
		it.Changes = nil
	}
	n.add(it, text)
	it.Redo = "undo"
	for _, c := range gone {
		if n.chat.Shared() && !n.here[n.undone[c]] { // a group takes back only what was done in it
			it.Redo = ""
			break
		}
		if by := fmt.Sprintf(" #%d", n.undone[c]); !strings.Contains(it.Redo+" ", by+" ") {
			it.Redo += by
		}
	}
}

// settleReminders takes away the answers to what is answered, and says what the answer was.
func (n *settler) settleReminders(it *item) {
	var ids []int64
	first := map[int64]string{} // what the first choice of each reminder says
	for _, c := range it.Choices {
		if id := reminderOf(c); id != 0 && !slices.Contains(ids, id) {
			ids, first[id] = append(ids, id), c.Text
		}
	}
	for _, id := range ids {
		fate, over := n.fateOf(n.reminders[id], first[id], *it)
		if !over {
			continue
		}
		it.Choices = slices.DeleteFunc(slices.Clone(it.Choices), func(c event.Choice) bool { return reminderOf(c) == id })
		if fate != "" && len(ids) > 1 {
			fate = fmt.Sprintf("#%d: %s", id, fate)
		}
		if fate != "" {
			n.add(it, fate)
		}
	}
}

// fateOf returns what has come of a reminder, which a choice answers, since an item has told of it; over is false where it still waits for
// an answer.
func (n *settler) fateOf(r event.Reminder, choice string, it item) (fate string, over bool) {
	w := n.visit.words
	isLater := func(t time.Time) bool { return !t.Before(it.Time) }
	switch {
	case r.ID == 0, r.Seq > it.Seq && it.Kind == "note": // it is gone, or was told again
		return "", true
	case r.State == event.ReminderCancelled:
		return w.Text("fate.cancelled"), true
	case r.State == event.ReminderRefused:
		return w.Text("fate.refused"), true
	case strings.Contains(choice, "agree"):
		return w.Text("fate.agreed"), r.State != event.ReminderWaiting
	case it.Kind != "note" && r.State == event.ReminderOpen && !isLater(r.Changed): // one that comes again has more than one answer
		return "", false
	case isLater(r.Seen):
		return w.Text("done"), true
	case isLater(r.Changed):
		return w.Text("fate.moved", n.server.day(w, r.Due)), true
	}
	return "", r.State == event.ReminderDone || r.State == event.ReminderMissed
}

// settleLists makes boxes of the lines of a reply that are things on a list. Each list of the turn is one block of them: where the reply has
// other blocks, none is surely a list's.
func (n *settler) settleLists(it *item) {
	if len(it.lists) == 0 || it.Text == "" {
		return
	}
	lines, block := strings.Split(it.Text, "\n"), -1
	made := make([]textLine, len(lines))
	for i, line := range lines {
		made[i].Text = line
		text, isThing := cutBox(line)
		if !isThing {
			continue
		}
		if i == 0 || !hasBox(lines[i-1]) {
			block++
		}
		if block >= len(it.lists) {
			return
		}
		name := it.lists[block]
		same := slices.DeleteFunc(slices.Clone(n.lists[name]), func(one ListItem) bool { return one.Text != text })
		if len(same) == 1 && !strings.HasSuffix(text, "…") { // which may be cut
			tick, thing := tickCommand(name, same[0])
			made[i] = textLine{text, same[0].Ticked, tick, thing}
		}
	}
	if block == len(it.lists)-1 && slices.ContainsFunc(made, func(l textLine) bool { return l.Tick != "" }) {
		it.Lines = made
	}
}

// hasBox reports whether a line is a thing on a list.
func hasBox(line string) bool {
	_, has := cutBox(line)
	return has
}

// cutBox cuts the box off a line that is a thing on a list.
func cutBox(line string) (text string, is bool) {
	for _, box := range []string{"[ ] ", "[x] "} {
		if text, is = strings.CutPrefix(line, box); is {
			return text, true
		}
	}
	return "", false
}

// plainWords is a text that means itself in a command.
var plainWords = lazyregexp.New(`^\pL[\pL\pM\pN -]*$`)

// tickCommand is what somebody could type to tick a thing off, or to open it again, and how it has the thing.
func tickCommand(list string, one ListItem) (line, thing string) {
	line, thing = "/tick "+list+" ", one.Text
	if one.Ticked {
		line += "open=true "
	}
	if !plainWords().MatchString(one.Text) {
		raw, _ := json.Marshal([]string{one.Text}) // a string always has a JSON form
		thing = string(raw)
	}
	return line + thing, thing
}

// day writes a time with its day as a person's language has it.
func (s *Server) day(w words, t time.Time) string { return day(w, t.In(s.cfg.Zone())) }

func day(w words, t time.Time) string {
	return when.Describe(when.Reading{Start: t.Truncate(time.Minute)}, w.Lang, t)
}

// now is by what an item differs from what it was at first.
func (it item) now() string {
	return fmt.Sprint(it.Fates, it.Redo, it.Undo, it.Changes, lists.Map(it.Choices, func(c event.Choice) string { return c.Text }), it.Lines)
}
