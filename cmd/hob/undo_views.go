package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"hob/internal/app"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/tools/files/changes"
)

// undone says what was taken back, or why nothing was.
func (a *program) undone(s *app.Environment, u undoing, done []changes.Undone, err error) error {
	var refused *changes.ConflictError
	switch {
	case errors.As(err, &refused):
		return a.refused(s, u, refused.Conflicts)
	case errors.Is(err, errNothing):
		return exit.Errorf(exit.Failed, "%v: hob undo --list shows what was changed", err)
	case err != nil:
		return err
	}
	dry := ""
	if u.how.DryRun {
		dry = "would be done: "
	}
	for i, d := range done {
		line := dry + sentence(s, d)
		if i == mostTold && len(done) > mostTold+1 {
			line = fmt.Sprintf("%sand %d more; --json names them", dry, len(done)-mostTold)
		}
		if _, err := fmt.Fprintln(a.stdout, line); err != nil {
			return err
		}
		if i == mostTold {
			break
		}
	}
	return nil
}

// mostTold is how many files a person is told of one by one.
const mostTold = 50

// sentence says what became of a file.
func sentence(s *app.Environment, d changes.Undone) string {
	c := d.Change
	text, at := shownPath(s, c.Path), moment(c.Time)
	switch {
	case c.Stage == event.Begun && d.By.ID == 0:
		text += " is as it was: the change of " + at + " had been cut short"
	case c.Before.Kind == event.NoFile:
		text += " is gone: it was made at " + at
	case c.After.Kind == event.NoFile:
		text += " is back: it was deleted at " + at + bytesOf(c.Before)
	default:
		text += " is as it was before " + at + bytesOf(c.Before)
	}
	if d.Note != "" {
		text += "; " + d.Note
	}
	if d.Forced && d.By.ID != 0 {
		text += fmt.Sprintf("; what was there since is kept: hob undo %d brings it back", d.By.ID)
	}
	return text
}

// refused says what stands in the way, and how to go on.
func (a *program) refused(s *app.Environment, u undoing, conflicts []changes.Conflict) error {
	forced, numbers := true, []string{}
	for _, c := range conflicts {
		fmt.Fprintf(a.Stderr, "hob: %s: %s\n", shownPath(s, c.Change.Path), display.Clean(c.Why))
		if c.Force {
			fmt.Fprintf(a.Stderr, "hob:   change %d left %s; now there is %s\n", c.Change.ID, look(c.Change.After), look(c.Found))
		}
		forced = forced && c.Force
		numbers = append(numbers, fmt.Sprint(c.Change.ID))
		if c.Later != 0 {
			numbers = append(numbers, fmt.Sprint(c.Later))
		}
	}
	advice := ""
	if c := conflicts[0]; len(conflicts) == 1 && c.Later != 0 && len(u.numbers) > 0 {
		advice = fmt.Sprintf(": hob undo %s takes back both", strings.Join(numbers, " "))
	} else if forced {
		advice = ": --force takes it back all the same, and keeps what is there now"
	}
	return exit.Errorf(exit.Failed, "nothing was taken back%s", advice)
}

// look describes what is at a path, for a person who compares it with something else.
func look(st event.FileState) string {
	switch st.Kind {
	case event.NoFile:
		return "no file"
	case event.Link:
		return "a link of " + moment(st.Time)
	case event.Folder:
		return fmt.Sprintf("a folder, %v", st.Mode)
	}
	return fmt.Sprintf("%s of %s, %v", display.Bytes(st.Size), moment(st.Time), st.Mode)
}

func bytesOf(st event.FileState) string {
	switch st.Kind {
	case event.Link:
		return " (a link)"
	case event.Folder:
		return " (a folder)"
	}
	return " (" + display.Bytes(st.Size) + ")"
}

// shownPath is a path as people know it: that of a file in the workspace begins there.
func shownPath(s *app.Environment, path string) string {
	if rel, err := filepath.Rel(app.Resolved(s.WorkspaceDir), path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return display.Clean(path)
}

// moment is a time of today without the day.
func moment(t time.Time) string {
	t = t.Local()
	if t.Format(time.DateOnly) == time.Now().Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}

// changesTable prints changes for people, those of one call in a line. all are the changes that are remembered.
func (a *program) changesTable(s *app.Environment, all, shown []event.Change) error {
	if len(shown) == 0 {
		fmt.Fprintln(a.Stderr, "hob: the agent has changed no files yet")
		return nil
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NUMBER\tWHEN\tCHAT\tWHAT\tPATH\tBYTES\tSTATE")
	wholes := map[int64]int64{}
	for _, c := range all {
		wholes[c.ID] = c.Whole()
	}
	for len(shown) > 0 {
		n := 1
		for n < len(shown) && shown[n].Whole() == shown[0].Whole() {
			n++
		}
		changesRow(s, w, shown[:n], wholes)
		shown = shown[n:]
	}
	return w.Flush()
}

// changesRow prints what one call has changed. wholes has, for each change, the number of all that its call changed.
func changesRow(s *app.Environment, w io.Writer, changes []event.Change, wholes map[int64]int64) {
	c, did, what, size := changes[0], changes[0].Did(), shownPath(s, changes[0].Path), int64(0)
	for _, one := range changes {
		if one.Did() != did {
			did = "changed"
		}
		if one.After.Kind != event.NoFile {
			size += one.After.Size
		} else {
			size += one.Before.Size
		}
	}
	if len(changes) > 1 {
		what = fmt.Sprintf("%d paths", len(changes))
	}
	if c.What != "" {
		what += ": " + display.Clean(c.What)
	}
	c.Undoes, c.UndoneBy = cmp.Or(wholes[c.Undoes], c.Undoes), cmp.Or(wholes[c.UndoneBy], c.UndoneBy)
	fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", c.Whole(), c.Time.Local().Format("2006-01-02 15:04"),
		cmp.Or(display.Clean(string(c.Chat)), "-"), did, what, display.Bytes(size), standingOf(c))
}

// standingOf says what became of a change, and whether it can be taken back.
func standingOf(c event.Change) string {
	var words []string
	if c.Undoes != 0 {
		words = append(words, fmt.Sprintf("takes back %d", c.Undoes))
	}
	switch {
	case c.UndoneBy != 0:
		words = append(words, fmt.Sprintf("taken back by %d", c.UndoneBy))
	case c.Lost:
		words = append(words, "can no longer be taken back")
	case c.Stage == event.Begun:
		words = append(words, "cut short")
	}
	return strings.Join(words, ", ")
}

// listed is a change in `hob undo --list --json`.
type listed struct {
	event.Change
	Did      string `json:"did"`      // created, changed, deleted
	Undoable bool   `json:"undoable"` // as far as is known without looking at the file
}

func (a *program) changesJSON(all []event.Change) error {
	list := []listed{}
	for _, c := range all {
		list = append(list, listed{c, c.Did(), c.InForce() && !c.Lost})
	}
	return a.printJSON(struct {
		Changes []listed `json:"changes"`
	}{list})
}

// undoReport is what `hob undo --json` prints.
type undoReport struct {
	DryRun    bool           `json:"dry_run"`
	Undone    []undoneJSON   `json:"undone"`
	Conflicts []conflictJSON `json:"conflicts"`
	Error     string         `json:"error,omitempty"`
}

type undoneJSON struct {
	Change int64           `json:"change"`
	By     int64           `json:"by"` // the change that did it
	Path   string          `json:"path"`
	Did    string          `json:"did"` // what was taken back
	Now    event.FileState `json:"now"`
	Forced bool            `json:"forced"`
	Note   string          `json:"note,omitempty"`
}

type conflictJSON struct {
	Change int64           `json:"change"`
	Path   string          `json:"path"`
	Why    string          `json:"why"`
	Later  int64           `json:"later,omitempty"` // a later change of the same file
	Force  bool            `json:"force"`           // --force would do it
	Left   event.FileState `json:"left"`
	Found  event.FileState `json:"found"`
}

func (a *program) undoneJSON(u undoing, done []changes.Undone, err error) error {
	r := undoReport{DryRun: u.how.DryRun, Undone: []undoneJSON{}, Conflicts: []conflictJSON{}}
	for _, d := range done {
		r.Undone = append(r.Undone, undoneJSON{d.Change.ID, d.By.ID, d.Change.Path, d.Change.Did(), d.Change.Before, d.Forced, d.Note})
	}
	if refused := (*changes.ConflictError)(nil); errors.As(err, &refused) {
		for _, c := range refused.Conflicts {
			r.Conflicts = append(r.Conflicts, conflictJSON{c.Change.ID, c.Change.Path, c.Why, c.Later, c.Force, c.Change.After, c.Found})
		}
	}
	if err != nil {
		r.Error = err.Error()
	}
	if failure := a.printJSON(r); failure != nil {
		return failure
	}
	if err != nil {
		return exit.Silently(exit.Failed)
	}
	return nil
}
