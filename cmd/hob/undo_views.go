package main

import (
	"cmp"
	"fmt"
	"strings"

	"hob/internal/app"
	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/exit"
)

// undone says what was taken back, or why nothing was.
func (a *program) undone(s *app.Environment, u commands.UndoRequest, done commands.UndoReport, err error) error {
	switch {
	case err != nil:
		return err
	case len(done.Conflicts) > 0:
		return a.refused(s, u, done.Conflicts)
	case done.Error != "":
		return exit.Errorf(exit.Failed, "%s: hob undo --list shows what was changed", done.Error)
	}
	dry := ""
	if u.DryRun {
		dry = "would be done: "
	}
	for i, d := range done.Undone {
		line := dry + d.Text
		if i == mostTold && len(done.Undone) > mostTold+1 {
			line = fmt.Sprintf("%sand %d more; --json names them", dry, len(done.Undone)-mostTold)
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

// refused says what stands in the way, and how to go on.
func (a *program) refused(s *app.Environment, u commands.UndoRequest, conflicts []commands.Conflict) error {
	forced, numbers := true, []string{}
	for _, c := range conflicts {
		fmt.Fprintf(a.Stderr, "hob: %s: %s\n", s.DisplayPath(c.Path), display.Clean(c.Why))
		if c.Force {
			fmt.Fprintf(a.Stderr, "hob:   change %d left %s; now there is %s\n", c.Change, commands.DescribeState(c.After), commands.DescribeState(c.Current))
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
	return exit.Errorf(exit.Failed, "nothing was taken back%s", advice)
}

// changesTable returns a row for what each call has changed. all are the changes that are remembered.
func changesTable(s *app.Environment, all, shown []event.Change) *table {
	t := newTable("NUMBER", "WHEN", "CHAT", "WHAT", "PATH", "BYTES", "STATE")
	wholes := map[int64]int64{}
	for _, c := range all {
		wholes[c.ID] = c.Whole()
	}
	for len(shown) > 0 {
		n := 1
		for n < len(shown) && shown[n].Whole() == shown[0].Whole() {
			n++
		}
		addChanges(t, s, shown[:n], wholes)
		shown = shown[n:]
	}
	return t
}

// addChanges adds the row of what one call has changed. wholes has, for each change, the number of all that its call changed.
func addChanges(t *table, s *app.Environment, changes []event.Change, wholes map[int64]int64) {
	c, did, what, size := changes[0], changes[0].Did(), s.DisplayPath(changes[0].Path), int64(0)
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
		what = display.Count(len(changes), "path")
	}
	if c.What != "" {
		what += ": " + c.What
	}
	c.Undoes, c.UndoneBy = cmp.Or(wholes[c.Undoes], c.Undoes), cmp.Or(wholes[c.UndoneBy], c.UndoneBy)
	t.add(c.Whole(), c.Time, cmp.Or(c.Chat, "-"), did, what, display.Bytes(size), standingOf(c))
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

func (a *program) undoneJSON(done commands.UndoReport, err error) error {
	if done = done.WithoutTexts(); err != nil {
		done.Error = err.Error()
	}
	return a.printResult(result{value: done, failure: failUnless(done.Error == "")}, true)
}
