package commands

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
)

// ListedChange is what one call has changed, in a list.
type ListedChange struct {
	Number int64      `json:"change"`
	Time   time.Time  `json:"time"`
	Chat   event.Chat `json:"chat,omitempty"`
	By     string     `json:"by,omitempty"`
	Did    string     `json:"did"`
	What   string     `json:"what"` // for people
	Bytes  int64      `json:"bytes"`
	Files  bool       `json:"-"`               // some of it are files, which have a size
	State  string     `json:"state,omitempty"` // what became of it, for people
	Undo   bool       `json:"undoable"`        // as far as is known without looking
	Undoes bool       `json:"-"`               // it took another back
}

// maxListed is how many changes a list has, unless it is asked for more or fewer.
const maxListed = 20

// maxOffered is how many of them can be taken back by a button.
const maxOffered = 5

// listChanges lists what there is to take back, if the arguments ask for that: list, or list 5.
func (d Deps) listChanges(ctx context.Context, by Request) (a Answer, isList bool, err error) {
	word, rest, _ := strings.Cut(strings.TrimSpace(by.Args), " ")
	if strings.TrimPrefix(strings.ToLower(word), "--") != argList {
		return a, false, nil
	}
	n := maxListed
	if rest = strings.TrimSpace(rest); rest != "" {
		if n, err = parseNumber(rest, 1, MaxUndo); err != nil {
			return a, true, err
		}
	}
	chat := event.Chat("")
	if !by.isPrivate() {
		chat = by.Chat
	}
	all, err := d.Changes.Changes(ctx, by.caller(), chat, n)
	if err != nil || len(all) == 0 {
		return Answer{Text: "There is nothing to take back.", Data: all}, true, err
	}
	var lines []string
	var choices [][]Choice
	for _, c := range all {
		if c.Undo && c.State == "" && len(choices) < maxOffered && by.Surface != Terminal { // which has no buttons, and the line below the list
			choices = append(choices, []Choice{{fmt.Sprintf("Take back #%d", c.Number), fmt.Sprintf("/undo #%d", c.Number)}})
		}
		line := "- " + d.timeFor(by, c.Time) + " " + escape(c.describe())
		lines = append(lines, line)
	}
	return Answer{Text: "**Changes**, the newest first\n" + strings.Join(lines, "\n"), Data: all, Choices: choices}, true, nil
}

// describe says what was done, what became of it, and how it is undone: "made notes/tea.md; undo with /undo #41". The parts between its
// marks are translated one by one.
func (c ListedChange) describe() string {
	did := c.Did
	if did == "created" {
		did = "made"
	}
	what := c.What
	if strings.Contains(what, ";") { // it must not look like the parts behind it
		what = display.Quote(what)
	}
	text := did + " " + what + "; "
	switch {
	case !c.Undo:
		return strings.TrimSuffix(text+fmt.Sprintf("#%d, ", c.Number)+c.State, ", ")
	case c.State != "":
		text += c.State + "; "
	}
	return text + fmt.Sprintf("undo with /undo #%d", c.Number)
}
