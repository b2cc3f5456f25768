package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
)

// undoResult renders the changes taken back, or why none were. With --json an error is part of the
// value.
func undoResult(s *app.Environment, u commands.UndoRequest, done commands.UndoReport, err error) result {
	got := result{value: done.WithoutTexts(), failure: err}
	switch {
	case err != nil:
		done.Error = err.Error()
		got.value = done.WithoutTexts()
	case len(done.Conflicts) > 0:
		got.failure = conflictError(s, u, done.Conflicts)
	case done.Error != "":
		got.failure = exit.Errorf(exit.Failed, "%s: hob undo --list shows what was changed", done.Error)
	}
	if got.failure != nil {
		return got
	}
	dry := ""
	if u.DryRun {
		dry = "would be done: "
	}
	shown := done.Undone
	if len(shown) > maxShown+1 {
		shown = shown[:maxShown]
	}
	for _, d := range shown {
		got.text += dry + d.Text + "\n"
	}
	if left := len(done.Undone) - len(shown); left > 0 {
		got.text += fmt.Sprintf("%sand %d more; --json names them\n", dry, left)
	}
	return got
}

// maxShown limits how many undone changes are listed one by one.
const maxShown = 50

// conflictError says which conflicts prevent the undo, and how to go on.
func conflictError(s *app.Environment, u commands.UndoRequest, conflicts []commands.Conflict) error {
	now := s.Clock()()
	forced, numbers, why := true, []string{}, ""
	for _, c := range conflicts {
		why += fmt.Sprintf("%s: %s\nhob: ", cmp.Or(c.DisplayPath, s.DisplayPath(c.Path)), display.Clean(c.Why))
		if c.Force && c.After.Kind != event.Row && c.Current.Kind != event.Row { // a row has no size or time to compare
			why += fmt.Sprintf("  change %d left %s; now there is %s\nhob: ", c.Change, commands.DescribeState(c.After, now), commands.DescribeState(c.Current, now))
		}
		forced = forced && c.Force
		numbers = append(numbers, fmt.Sprint(c.Change))
		if c.Later != 0 {
			numbers = append(numbers, fmt.Sprint(c.Later))
		}
	}
	advice := ""
	if c := conflicts[0]; len(conflicts) == 1 && c.Later != 0 && len(u.Numbers) > 0 {
		advice = fmt.Sprintf(": hob undo %s takes back both", strings.Join(numbers, " "))
	} else if forced {
		advice = ": --force takes it back all the same, and keeps what is there now"
	}
	return exit.Errorf(exit.Failed, "%snothing was taken back%s", why, advice)
}

// changesTable has a row for the changes of each call.
func changesTable(calls []commands.ListedChange, zone *time.Location) *table {
	t := newTable("NUMBER", "WHEN", "CHAT", "WHAT", "PATH", "BYTES", "STATE").in(zone)
	for _, c := range calls {
		size := ""
		if c.Files {
			size = display.Bytes(c.Bytes)
		}
		t.add(c.Number, c.Time, cmp.Or(c.Chat, "-"), c.Did, c.What, size, c.State)
	}
	return t
}
