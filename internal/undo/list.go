package undo

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/tools"
)

// List returns the newest changes that somebody may take back, and those of the newest n calls in a line each; 0 is all. chat ""
// is all chats.
func (l *Log) List(ctx context.Context, by tools.Caller, chat event.Chat, n int) (shown []event.Change, calls []commands.ListedChange, err error) {
	all, err := l.db.Changes(store.Limits{}).Since(ctx, 0)
	if err != nil {
		return nil, nil, err
	}
	wholes := map[int64]int64{} // for each change, the number of all that its call changed
	for _, c := range all {
		wholes[c.ID] = c.GroupID()
	}
	calls = []commands.ListedChange{}
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && all[end].GroupID() == all[i].GroupID() {
			end++
		}
		some := all[i:end]
		if i = end; chat != "" && some[0].Chat != chat || slices.ContainsFunc(some, func(c event.Change) bool { return !mayUndo(by, c) }) {
			continue
		}
		if n > 0 && len(calls) == n {
			break
		}
		line := l.listCall(some, wholes)
		if line.Files && mayRead(by, chat, some[0]) && some[0].What == "" && some[0].Undoes == 0 {
			words, err := l.askedBy(ctx, some[0])
			if err != nil {
				return nil, nil, err
			}
			if words != "" {
				line.What += " (" + words + ")"
			}
		}
		shown = append(shown, some...)
		calls = append(calls, line)
	}
	return shown, calls, nil
}

// listCall returns what one call has changed.
func (l *Log) listCall(changes []event.Change, wholes map[int64]int64) commands.ListedChange {
	c := changes[0]
	line := commands.ListedChange{Number: c.GroupID(), Time: c.Time, Chat: c.Chat, By: c.By, Did: c.Verb(), What: l.describe(c), Undo: true}
	for _, one := range changes {
		if one.Verb() != line.Did {
			line.Did = "changed"
		}
		line.Undo = line.Undo && one.InForce() && !one.Lost
		if one.IsRow() {
			continue
		}
		line.Files = true
		if one.After.Kind != event.NoFile {
			line.Bytes += one.After.Size
		} else {
			line.Bytes += one.Before.Size
		}
	}
	switch first := changes[len(changes)-1]; {
	case len(changes) > 1 && first.IsRow():
		line.What = fmt.Sprintf("%s and %d more", l.describe(first), len(changes)-1)
	case len(changes) > 1:
		line.What = display.Count(len(changes), "path")
	}
	if c.What != "" && !c.IsRow() {
		line.What += ": " + c.What
	}
	c.Undoes, c.UndoneBy = cmp.Or(wholes[c.Undoes], c.Undoes), cmp.Or(wholes[c.UndoneBy], c.UndoneBy)
	line.State, line.Undoes = describeFate(c), c.Undoes != 0
	return line
}

// mayRead reports whether somebody may read the words that led to a change: in their chat, "" for all of theirs. An owner may take back what
// others did in chats of their own, and does not read what they said there.
func mayRead(by tools.Caller, chat event.Chat, c event.Change) bool {
	return chat != "" || c.IsBy(by.Person())
}

// askedBy returns the words of the person whose turn made a change, "" where it was a command, or somebody else's text.
func (l *Log) askedBy(ctx context.Context, c event.Change) (string, error) {
	if c.Turn == 0 {
		return "", nil
	}
	for e, err := range l.db.Chat(ctx, c.Chat, c.Turn-1) {
		if err != nil {
			return "", err
		}
		said, ok := e.Body.(event.Said)
		if !ok || e.Seq != c.Turn || said.Command || said.Label.Untrusted {
			break
		}
		return display.Brief(display.Clean(cmp.Or(said.Own, said.Text))), nil
	}
	return "", nil
}

// describeFate returns the fate of a change, and whether it can be taken back.
func describeFate(c event.Change) string {
	var words []string
	if c.Undoes != 0 {
		words = append(words, fmt.Sprintf("takes back %d", c.Undoes))
	}
	switch {
	case c.UndoneBy != 0:
		words = append(words, fmt.Sprintf("taken back by %d", c.UndoneBy))
	case c.Lost:
		words = append(words, "can no longer be taken back")
	case c.Stage == event.StageBegun:
		words = append(words, "cut short")
	}
	return strings.Join(words, ", ")
}
