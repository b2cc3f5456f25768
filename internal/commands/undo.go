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
	"hob/internal/lists"
	"hob/internal/markdown"
	"hob/internal/tools"
)

// Changes is the log of changes: of files, facts, reminders, permissions, settings, skills and stories.
type Changes interface {
	// Changes returns the newest n changes that the person may take back, all for 0: those of one call as one. chat "" is all chats.
	Changes(ctx context.Context, by tools.Caller, chat event.Chat, n int) ([]ListedChange, error)
	// Undo undoes all changes that the request selects, or none. The report says so if there are
	// none, if conflicts prevent it, or if the owner has to be asked. An error is a [*BusyError] or a failure.
	Undo(ctx context.Context, r UndoRequest) (UndoReport, error)
}

// UndoRequest selects the changes to undo.
type UndoRequest struct {
	Numbers          []int64 // of changes; empty: the other fields select, else the last change
	Turn             bool    // all changes of the last turn
	Of               int64   // all changes of that turn
	Last             int     // that many changes; 0 and 1: the last
	Since            time.Duration
	Day              time.Time  // all changes of the day that begins then
	Chat             event.Chat // only changes of this chat; "": of all
	Force            bool       // even if a file has changed since; its current state is kept
	DryRun           bool
	BesideOtherTurns bool // turns of other chats may run meanwhile
	By               tools.Caller
	NoAsking         bool   // whoever requests it asks the owner, where they have to be asked
	Approved         string // the question to which the owner has said yes
}

// UndoReport is the result of an undo: `hob undo --json` prints it, without the texts.
type UndoReport struct {
	DryRun    bool           `json:"dry_run"`
	Undone    []UndoneChange `json:"undone"`
	Conflicts []Conflict     `json:"conflicts"`         // why nothing was undone
	Error     string         `json:"error,omitempty"`   // likewise
	Selected  []int64        `json:"meant,omitempty"`   // numbers of the changes that the request selected
	Remains   []string       `json:"remains,omitempty"` // what was done beside them and cannot be taken back
	// Rights are what somebody may do again once the changes are taken back. Where there are some, nothing is before the owner has
	// said yes.
	Rights []string `json:"rights,omitempty"`
}

// Question is what the owner is asked; "" if nobody is.
func (r UndoReport) Question() string {
	numbers := lists.Map(r.Selected, func(n int64) string { return strconv.FormatInt(n, 10) })
	if len(r.Rights) == 0 {
		return ""
	}
	return strings.Join(numbers, ",") + " " + strings.Join(r.Rights, "; ")
}

// UndoneChange is a change that was undone.
type UndoneChange struct {
	Change int64           `json:"change"`
	By     int64           `json:"by"` // the change that undid it
	Path   string          `json:"path"`
	Did    string          `json:"did"` // the kind of change
	Now    event.FileState `json:"now"`
	Forced bool            `json:"forced"`
	Note   string          `json:"note,omitempty"`
	Text   string          `json:"text,omitempty"` // a sentence about the file
}

// Conflict is a reason why a change cannot be undone.
type Conflict struct {
	Change      int64           `json:"change"`
	Path        string          `json:"path"`
	Why         string          `json:"why"`
	Later       int64           `json:"later,omitempty"` // a later change of the same file
	Force       bool            `json:"force"`           // force would undo it
	After       event.FileState `json:"left"`            // the state after the change
	Current     event.FileState `json:"found"`           // the state now
	DisplayPath string          `json:"shown,omitempty"` // the path for people
}

// ErrNothingToUndo means that the request selected no change.
var ErrNothingToUndo = errors.New("there is nothing to take back")

// BusyError means that a running turn may change files.
type BusyError struct{ Chat event.Chat }

func (e *BusyError) Error() string {
	return fmt.Sprintf("a turn runs in %s, which may change files: let it end, or stop it with hob stop %s, and undo then", e.Chat, e.Chat)
}

// NoChangeError means that there is no change of that number for the person who asks.
type NoChangeError struct{ Number int64 }

func (e *NoChangeError) Error() string {
	return fmt.Sprintf("there is no change %d: hob undo --list shows those that there are", e.Number)
}

// Bounds of undo.
const (
	MaxUndo  = 100 // changes in one undo
	maxFiles = 20  // in one answer
)

// The arguments of /undo.
const (
	argChange   = "change" // numbers of changes follow
	argLast     = "last"   // a count follows
	argTurn     = "turn"
	argOf       = "of"    // the number of a turn follows
	argSince    = "since" // a duration follows
	argDay      = "day"   // a date follows
	argAllChats = "all-chats"
	argForce    = "force"
	argDryRun   = "dry-run"
	argList     = "list"
	argNoAsking = "no-asking" // whoever calls asks the owner themselves
)

// Args returns the arguments of /undo for the same request, without the person.
func (u UndoRequest) Args() string {
	var words []string
	add := func(is bool, some ...string) {
		if is {
			words = append(words, some...)
		}
	}
	add(u.Turn, argTurn)
	add(u.Of > 0, argOf, strconv.FormatInt(u.Of, 10))
	add(u.Last > 0, argLast, strconv.Itoa(u.Last))
	add(u.Since > 0, argSince, u.Since.String())
	add(!u.Day.IsZero(), argDay, u.Day.Format(time.DateOnly))
	add(len(u.Numbers) > 0, argChange)
	for _, n := range u.Numbers {
		add(true, strconv.FormatInt(n, 10))
	}
	add(u.Chat == "", argAllChats)
	add(u.Force, argForce)
	add(u.DryRun, argDryRun)
	add(u.NoAsking, argNoAsking)
	return strings.Join(words, " ")
}

// parseUndoArgs parses the arguments of /undo. With change, a lone number is that of a change, else
// a count. #41 is change 41 everywhere. Days are those of now's zone.
func parseUndoArgs(by Request, change bool, now time.Time) (u UndoRequest, err error) {
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
		case argChange:
			change = true
		case argLast:
			u.Last, err = parseNumber(next(), 1, MaxUndo)
		case argSince:
			u.Since, err = ParseSpan(next())
		case argDay:
			u.Day, err = time.ParseInLocation(time.DateOnly, next(), now.Location())
		case yesterday:
			u.Day = dayBefore(now)
		case argTurn:
			u.Turn = true
		case argOf:
			u.Of, err = strconv.ParseInt(next(), 10, 64)
		case argForce:
			u.Force = true
		case argDryRun:
			u.DryRun = true
		case argAllChats:
			u.Chat = ""
		case argNoAsking:
			u.NoAsking = true
		default:
			number, marked := strings.CutPrefix(word, "#")
			err = u.addNumber(number, change || marked)
		}
	}
	return u, err
}

// ParseSpan reads a time such as 90m, 1h30m or 2d.
func ParseSpan(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		n, err = strconv.Atoi(days)
		d = time.Duration(n) * 24 * time.Hour
	}
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("since %s: say how long ago, such as 30m, 1h or 2d", text)
	}
	return d, nil
}

// addNumber parses a number: that of a change, or a count.
func (u *UndoRequest) addNumber(word string, change bool) (err error) {
	if !change {
		u.Last, err = parseNumber(word, 1, MaxUndo)
		return err
	}
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n <= 0 {
		return fmt.Errorf("%s is no number of a change: /undo takes back the last turn, /undo #12 change 12, and /undo list shows them", word)
	}
	u.Numbers = append(u.Numbers, n)
	return nil
}

// undoLast undoes the last change of a chat, or the last n, or changes by number: in private those of any chat.
func (d Deps) undoLast(ctx context.Context, by Request) (Answer, error) {
	if answer, isList, err := d.listChanges(ctx, by); isList {
		return answer, err
	}
	u, err := parseUndoArgs(by, false, d.Now())
	if err != nil {
		return Answer{}, err
	}
	if u.Chat, u.BesideOtherTurns = by.Chat, true; len(u.Numbers) > 0 && by.isPrivate() {
		u.Chat = ""
	}
	a, err := d.undo(ctx, by, u)
	if busy := (*BusyError)(nil); errors.As(err, &busy) {
		return Answer{}, errors.New("something is being done here: wait until that has ended, or /stop it, and then /undo")
	}
	return a, err
}

// undoTurn undoes the changes of a chat's last turn, or changes by number from any chat.
func (d Deps) undoTurn(ctx context.Context, by Request) (Answer, error) {
	if answer, isList, err := d.listChanges(ctx, by); isList {
		return answer, err
	}
	u, err := parseUndoArgs(by, true, d.Now())
	if err != nil {
		return Answer{}, err
	}
	switch {
	case len(u.Numbers) > 0:
		u.Chat = ""
	case u.Of == 0 && u.Last == 0 && u.Since == 0 && u.Day.IsZero() && u.Chat != "":
		u.Turn = true
	}
	return d.undo(ctx, by, u)
}

// undo undoes changes and reports on them. What has changed since stays, unless the request forces it. What gives rights back is a
// question to the owner, in this chat.
func (d Deps) undo(ctx context.Context, by Request, u UndoRequest) (Answer, error) {
	r, err := d.Changes.Undo(ctx, u)
	none := (*NoChangeError)(nil)
	switch {
	case errors.As(err, &none) && !u.NoAsking: // in a chat
		return Answer{}, fmt.Errorf("there is no change %d: /undo list shows those that there are", none.Number)
	case err != nil:
		return Answer{}, err
	case len(r.Conflicts) > 0:
		return r.renderConflicts(d.Now()), nil
	case len(r.Rights) > 0 && !u.DryRun && u.NoAsking:
		return Answer{Data: r}, nil
	case len(r.Rights) > 0 && !u.DryRun:
		return r.ask(ctx, by, d.Inbox)
	case len(r.Undone) == 0 && u.Of != 0:
		return Answer{Text: r.renderRemains() + "Nothing of that is left to take back.", Data: r}, nil
	case len(r.Undone) == 0 && u.Chat != "":
		return Answer{Text: r.renderRemains() + "There is nothing to take back in this chat.", Data: r}, nil
	case len(r.Undone) == 0:
		return Answer{Text: r.renderRemains() + "There is nothing to take back.", Data: r}, nil
	}
	return r.renderUndone(), nil
}

// ask asks the owner, in their chat, about an undo that gives rights back.
func (r UndoReport) ask(ctx context.Context, by Request, in Inbox) (Answer, error) {
	if !by.isPrivate() {
		return Answer{}, errors.New("that gives rights back: say it in a private chat with me, where I can ask you")
	}
	numbers, rights, _ := strings.Cut(r.Question(), " ")
	line := fmt.Sprintf(`/undo_rights %s "%s"`, numbers, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(rights))
	a := Answer{Text: r.renderRemains() + "That gives rights back, so it needs your yes here: " + escape(rights) + ".", Data: r}
	return a, in.SubmitCommand(ctx, by, line)
}

// renderRemains says what cannot be taken back; "" is nothing.
func (r UndoReport) renderRemains() string {
	if len(r.Remains) == 0 {
		return ""
	}
	return "**Remains**, because nothing takes it back: " + escape(strings.Join(r.Remains, ", ")) + "\n\n"
}

// renderUndone lists the undone changes, with a choice to redo them.
func (r UndoReport) renderUndone() Answer {
	var lines []string
	again := UndoRequest{Chat: "here"}
	for _, one := range r.Undone {
		if one.By != 0 {
			again.Numbers = append(again.Numbers, one.By)
		}
		lines = append(lines, "- "+escape(one.Text))
	}
	a := Answer{Text: r.renderRemains() + "**Taken back**\n" + truncateLines(lines, maxFiles, ""), Data: r}
	if r.DryRun {
		a.Text = r.renderRemains() + "**Would be taken back**\n" + truncateLines(lines, maxFiles, "")
	} else if len(again.Numbers) > 0 {
		a.Choices = [][]Choice{{{"Make it again", "/undo " + again.Args()}}}
	}
	return a
}

// renderConflicts lists the conflicts, with a choice to force the undo if that is possible.
func (r UndoReport) renderConflicts(now time.Time) Answer {
	var lines []string
	force := UndoRequest{Chat: "here", Force: true}
	possible := true
	for _, c := range r.Conflicts {
		line := "- " + escape(c.DisplayPath+": "+c.Why)
		if c.Force && c.After.Kind != event.Row && c.Current.Kind != event.Row { // of a row there is no more to say
			line += markdown.Escape(fmt.Sprintf("; change %d left %s, now there is %s", c.Change, DescribeState(c.After, now), DescribeState(c.Current, now)))
		}
		lines = append(lines, line)
		possible = possible && c.Force
	}
	force.Numbers = r.Selected
	if later := r.Conflicts[0].Later; later != 0 && len(r.Conflicts) == 1 {
		lines = append(lines, "\n"+markdown.Escape(fmt.Sprintf("/undo #%d takes back what came later.", later)))
	}
	a := Answer{Text: "**Nothing was taken back**\n" + truncateLines(lines, maxFiles, ""), Data: r}
	if possible {
		a.Choices = [][]Choice{{{"Take it back all the same", "/undo " + force.Args()}}}
	}
	return a
}

// DescribeState describes the file at a path, for a comparison.
func DescribeState(st event.FileState, now time.Time) string {
	switch st.Kind {
	case event.NoFile:
		return "no file"
	case event.Link:
		return "a link of " + FormatTime(st.Time, now)
	case event.Folder:
		return fmt.Sprintf("a folder, %v", st.Mode)
	case event.Row:
		return "something else"
	}
	return fmt.Sprintf("%s of %s, %v", display.Bytes(st.Size), FormatTime(st.Time, now), st.Mode)
}

// DescribeUndone describes an undone change. shown is the path for people.
func DescribeUndone(shown string, c event.Change, u UndoneChange, now time.Time) string {
	text, at := shown, FormatTime(c.Time, now)
	switch {
	case c.Stage == event.StageBegun && u.By == 0:
		text += " is as it was: the change of " + at + " had been cut short"
	case c.Verb() == event.SwitchedOff:
		text += " is on again: it was switched off at " + at
	case c.Verb() == event.SwitchedOn:
		text += " is off again: it was switched on at " + at
	case c.Before.Kind == event.NoFile:
		text += " is gone: it was made at " + at
	case c.After.Kind == event.NoFile:
		text += " is back: it was deleted at " + at + describeSize(c.Before)
	default:
		text += " is as it was before " + at + describeSize(c.Before)
	}
	if u.Note != "" {
		text += "; " + u.Note
	}
	if u.Forced && u.By != 0 {
		text += fmt.Sprintf("; what was there since is kept: hob undo %d brings it back", u.By)
	}
	return text
}

func describeSize(st event.FileState) string {
	switch st.Kind {
	case event.Link:
		return " (a link)"
	case event.Folder:
		return " (a folder)"
	case event.Row:
		return ""
	}
	return " (" + display.Bytes(st.Size) + ")"
}

// WithoutTexts returns the report without texts for people, as hob undo prints its JSON.
func (r UndoReport) WithoutTexts() UndoReport {
	r.Selected, r.Remains, r.Rights, r.Undone, r.Conflicts = nil, nil, nil, slices.Clone(r.Undone), slices.Clone(r.Conflicts)
	for i := range r.Undone {
		r.Undone[i].Text = ""
	}
	for i := range r.Conflicts {
		r.Conflicts[i].DisplayPath = ""
	}
	return r
}
