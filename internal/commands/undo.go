package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/markdown"
	"hob/internal/tools"
)

// Changes are what was changed in files.
type Changes interface {
	// Undo takes changes back: all that the request means, or nothing. Where there is nothing to take back, and where something
	// stands in the way, the report says so. An error is a [*BusyError], or that it could not be done.
	Undo(ctx context.Context, r UndoRequest) (UndoReport, error)
}

// UndoRequest says which changes are to be taken back.
type UndoRequest struct {
	Numbers []int64 // of changes; none: the fields below say which, else the last change
	Turn    bool    // all of the last turn
	Last    int     // so many of the last changes; 0 and 1: the last
	Since   time.Duration
	Chat    event.Chat // only what this chat changed; "" is all
	Force   bool       // take back what was changed since, too; what is there now is kept
	DryRun  bool
	Beside  bool         // turns of other chats may run meanwhile
	By      tools.Caller // who asks
}

// UndoReport is what became of it: `hob undo --json` prints it, without the texts.
type UndoReport struct {
	DryRun    bool       `json:"dry_run"`
	Undone    []Undone   `json:"undone"`
	Conflicts []Conflict `json:"conflicts"`       // why nothing was taken back
	Error     string     `json:"error,omitempty"` // likewise
	Meant     []int64    `json:"meant,omitempty"` // numbers of the changes that the request meant when it was made
}

// Undone is a change that was taken back.
type Undone struct {
	Change int64           `json:"change"`
	By     int64           `json:"by"` // the change that did it
	Path   string          `json:"path"`
	Did    string          `json:"did"` // what was taken back
	Now    event.FileState `json:"now"`
	Forced bool            `json:"forced"`
	Note   string          `json:"note,omitempty"`
	Text   string          `json:"text,omitempty"` // a sentence about the file
}

// Conflict is a change that cannot be taken back as things are.
type Conflict struct {
	Change int64           `json:"change"`
	Path   string          `json:"path"`
	Why    string          `json:"why"`
	Later  int64           `json:"later,omitempty"` // a later change of the same file
	Force  bool            `json:"force"`           // with force it would be done
	Left   event.FileState `json:"left"`
	Found  event.FileState `json:"found"`
	Shown  string          `json:"shown,omitempty"` // the path as people know it
}

// ErrNothing says that there is nothing to take back.
var ErrNothing = errors.New("there is nothing to take back")

// BusyError says that a turn runs, which may change files.
type BusyError struct{ Chat event.Chat }

func (e *BusyError) Error() string {
	return fmt.Sprintf("a turn runs in %s, which may change files: let it end, or stop it with hob stop %s, and undo then", e.Chat, e.Chat)
}

const (
	mostUndo  = 100 // changes that are taken back at once
	mostFiles = 20  // that are named
)

// The words that the arguments of /undo can be.
const (
	wordChange = "change" // numbers of changes follow
	wordLast   = "last"   // how many follows
	wordTurn   = "turn"
	wordSince  = "since" // a duration follows
	wordAll    = "all-chats"
	wordForce  = "force"
	wordDry    = "dry-run"
)

// Args are the arguments of /undo that ask for the same. Who asks they do not say.
func (u UndoRequest) Args() string {
	var words []string
	add := func(is bool, some ...string) {
		if is {
			words = append(words, some...)
		}
	}
	add(u.Turn, wordTurn)
	add(u.Last > 0, wordLast, strconv.Itoa(u.Last))
	add(u.Since > 0, wordSince, u.Since.String())
	add(len(u.Numbers) > 0, wordChange)
	for _, n := range u.Numbers {
		add(true, strconv.FormatInt(n, 10))
	}
	add(u.Chat == "", wordAll)
	add(u.Force, wordForce)
	add(u.DryRun, wordDry)
	return strings.Join(words, " ")
}

// undoArgs reads the arguments of /undo. change says that a number alone is that of a change; else it is how many.
func undoArgs(by Request, change bool) (u UndoRequest, err error) {
	u = UndoRequest{Chat: by.Chat, By: by.caller()}
	for words := strings.Fields(strings.ToLower(by.Args)); len(words) > 0 && err == nil; {
		word := strings.TrimPrefix(words[0], "--")
		words = words[1:]
		next := func() (text string) {
			if len(words) > 0 {
				text, words = words[0], words[1:]
			}
			return text
		}
		switch word {
		case wordChange:
			change = true
		case wordLast:
			u.Last, err = number(next(), 1, mostUndo)
		case wordSince:
			u.Since, err = time.ParseDuration(next())
		case wordTurn:
			u.Turn = true
		case wordForce:
			u.Force = true
		case wordDry:
			u.DryRun = true
		case wordAll:
			u.Chat = ""
		default:
			err = u.addNumber(word, change)
		}
	}
	return u, err
}

// addNumber reads a number: that of a change, or how many.
func (u *UndoRequest) addNumber(word string, change bool) (err error) {
	if !change {
		u.Last, err = number(word, 1, mostUndo)
		return err
	}
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n <= 0 {
		return fmt.Errorf("%s is no number of a change: /undo takes back the last turn, /undo 12 change 12", word)
	}
	u.Numbers = append(u.Numbers, n)
	return nil
}

// undoLast takes back the last change of a chat, or the last n; others' changes never.
func (d Deps) undoLast(ctx context.Context, by Request) (Answer, error) {
	u, err := undoArgs(by, false)
	if err != nil {
		return Answer{}, err
	}
	u.Chat, u.Beside = by.Chat, true
	a, err := d.undo(ctx, u)
	if busy := (*BusyError)(nil); errors.As(err, &busy) {
		return Answer{}, errors.New("something is being done here: wait until that has ended, or /stop it, and then /undo")
	}
	return a, err
}

// undoTurn takes back what the last turn of a chat changed, or changes by their numbers, of whatever chat they are.
func (d Deps) undoTurn(ctx context.Context, by Request) (Answer, error) {
	u, err := undoArgs(by, true)
	if err != nil {
		return Answer{}, err
	}
	switch {
	case len(u.Numbers) > 0:
		u.Chat = ""
	case u.Last == 0 && u.Since == 0 && u.Chat != "":
		u.Turn = true
	}
	return d.undo(ctx, u)
}

// undo takes changes back and says what became of the files. What was changed since is left alone, unless somebody has read
// what it was and says so.
func (d Deps) undo(ctx context.Context, u UndoRequest) (Answer, error) {
	r, err := d.Changes.Undo(ctx, u)
	switch {
	case err != nil:
		return Answer{}, err
	case len(r.Conflicts) > 0:
		return r.inTheWay(), nil
	case len(r.Undone) == 0 && u.Chat != "":
		return Answer{Text: "There is nothing to take back in this chat.", Data: r}, nil
	case len(r.Undone) == 0:
		return Answer{Text: "There is nothing to take back.", Data: r}, nil
	}
	return r.takenBack(), nil
}

// takenBack says what was taken back, and how to make it again.
func (r UndoReport) takenBack() Answer {
	var lines []string
	again := UndoRequest{Chat: "here"}
	for _, one := range r.Undone {
		if one.By != 0 {
			again.Numbers = append(again.Numbers, one.By)
		}
		lines = append(lines, "- "+safe(one.Text))
	}
	a := Answer{Text: "**Taken back**\n" + firstLines(lines, mostFiles, ""), Data: r}
	if r.DryRun {
		a.Text = "**Would be taken back**\n" + firstLines(lines, mostFiles, "")
	} else if len(again.Numbers) > 0 {
		a.Choices = [][]Choice{{{"Make it again", "/undo " + again.Args()}}}
	}
	return a
}

// inTheWay says why nothing was taken back, and how to do it all the same where that is possible: what is there now is kept
// then.
func (r UndoReport) inTheWay() Answer {
	var lines []string
	force := UndoRequest{Chat: "here", Force: true}
	possible := true
	for _, c := range r.Conflicts {
		line := "- " + safe(c.Shown+": "+c.Why)
		if c.Force {
			line += markdown.Escape(fmt.Sprintf("; change %d left %s, now there is %s", c.Change, StateWords(c.Left), StateWords(c.Found)))
		}
		lines = append(lines, line)
		possible = possible && c.Force
	}
	force.Numbers = r.Meant
	a := Answer{Text: "**Nothing was taken back**\n" + firstLines(lines, mostFiles, ""), Data: r}
	if possible {
		a.Choices = [][]Choice{{{"Take it back all the same", "/undo " + force.Args()}}}
	}
	return a
}

// StateWords describes what is at a path, for a person who compares it with something else.
func StateWords(st event.FileState) string {
	switch st.Kind {
	case event.NoFile:
		return "no file"
	case event.Link:
		return "a link of " + Moment(st.Time)
	case event.Folder:
		return fmt.Sprintf("a folder, %v", st.Mode)
	}
	return fmt.Sprintf("%s of %s, %v", display.Bytes(st.Size), Moment(st.Time), st.Mode)
}

// UndoneWords says what became of a file. shown is its path as people know it.
func UndoneWords(shown string, c event.Change, u Undone) string {
	text, at := shown, Moment(c.Time)
	switch {
	case c.Stage == event.Begun && u.By == 0:
		text += " is as it was: the change of " + at + " had been cut short"
	case c.Before.Kind == event.NoFile:
		text += " is gone: it was made at " + at
	case c.After.Kind == event.NoFile:
		text += " is back: it was deleted at " + at + sizeWords(c.Before)
	default:
		text += " is as it was before " + at + sizeWords(c.Before)
	}
	if u.Note != "" {
		text += "; " + u.Note
	}
	if u.Forced && u.By != 0 {
		text += fmt.Sprintf("; what was there since is kept: hob undo %d brings it back", u.By)
	}
	return text
}

func sizeWords(st event.FileState) string {
	switch st.Kind {
	case event.Link:
		return " (a link)"
	case event.Folder:
		return " (a folder)"
	}
	return " (" + display.Bytes(st.Size) + ")"
}

// Clear leaves out what is for people: the JSON is then that of hob undo.
func (r UndoReport) Clear() UndoReport {
	r.Meant, r.Undone, r.Conflicts = nil, slices.Clone(r.Undone), slices.Clone(r.Conflicts)
	for i := range r.Undone {
		r.Undone[i].Text = ""
	}
	for i := range r.Conflicts {
		r.Conflicts[i].Shown = ""
	}
	return r
}
