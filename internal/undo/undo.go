// Package undo takes back what hob has changed: files, rows of the journal, turns of stories, and hob's own files.
//
// A [Log] lists the changes that somebody may take back, and takes them back, all that were chosen or none. What would give somebody
// rights again is taken back only once the owner has said yes: [Log.Tool] asks for that.
package undo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hob/internal/campaigns"
	"hob/internal/commands"
	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/tools"
	"hob/internal/tools/files/changes"
)

// Config is what a [Log] needs of the hob whose changes it takes back.
type Config struct {
	// Open opens everything in which changes can be taken back: the folders of the tools, the rows of the journal, stories, and
	// hob's own files.
	Open       func() (w *changes.Writer, closeFiles func(), err error)
	IsOwn      func(path string) bool   // a file is the configuration, or one of the owner's skills
	IsSkill    func(path string) bool   // likewise only of the skills
	ConfigPath string                   // the configuration file
	Display    func(path string) string // a path for people
	Report     func(text string)        // says something to who has started hob
	Now        func() time.Time         // in the zone of the household
}

// Log is the changes of a journal.
type Log struct {
	db  *store.DB
	cfg Config
}

// New returns the changes of a journal.
func New(db *store.DB, cfg Config) *Log { return &Log{db, cfg} }

// Undo takes changes back. The caller makes sure that no turn changes files meanwhile.
func (l *Log) Undo(ctx context.Context, r commands.UndoRequest) (commands.UndoReport, error) {
	report := commands.UndoReport{DryRun: r.DryRun, Undone: []commands.UndoneChange{}, Conflicts: []commands.Conflict{}}
	writer, closeFiles, err := l.cfg.Open()
	if err != nil {
		return report, err
	}
	defer closeFiles()
	kept := l.db.Changes(store.Limits{})
	all, err := l.settled(ctx, writer)
	if err != nil {
		return report, err
	}
	var passed []event.Change
	if report.Selected, passed, err = choosePossible(ctx, kept, r, all); err != nil {
		return report, err
	}
	if report.Remains = l.describePassed(passed); len(report.Selected) == 0 {
		report.Error = commands.ErrNothingToUndo.Error()
		return report, nil
	}
	by := tools.WithCaller(ctx, r.By)
	done, err := writer.Undo(by, all, report.Selected, changes.Options{Force: r.Force, DryRun: true}) // what cannot be done is said before anybody is asked
	if err == nil {
		var left []string
		left, err = l.findRemains(ctx, r, all, report.Selected)
		report.Remains = append(report.Remains, left...)
	}
	if err == nil {
		report.Rights, err = l.findWidened(ctx, kept, r.By.Person(), all, report.Selected)
	}
	if len(report.Rights) > 0 && err == nil && r.By.Level < event.Owner {
		return report, errors.New("only the owner can take that back: it gives somebody more rights than they have now")
	}
	if err == nil && !r.DryRun && (len(report.Rights) == 0 || r.Approved != "" && r.Approved == report.Question()) {
		done, err = l.undoWhole(by, writer, all, report.Selected, r.Force)
	} else if !r.DryRun {
		done = nil
	}
	if refused := (*changes.ConflictError)(nil); errors.As(err, &refused) {
		report.Conflicts, report.Error = l.describeConflicts(refused.Conflicts), err.Error()
		return report, nil
	}
	report.Undone = append(report.Undone, l.describeUndone(done)...)
	if err != nil || r.DryRun || len(done) == 0 {
		return report, err
	}
	return report, kept.Prune(ctx)
}

func (l *Log) describeUndone(all []changes.Undone) (list []commands.UndoneChange) {
	now := l.cfg.Now()
	for _, d := range all {
		c := d.Change
		u := commands.UndoneChange{Change: c.ID, By: d.By.ID, Path: c.Path, Did: c.Verb(), Now: c.Before, Forced: d.Forced, Note: d.Note}
		u.Text = commands.DescribeUndone(l.describe(c), c, u, now)
		list = append(list, u)
	}
	return list
}

func (l *Log) describeConflicts(all []changes.Conflict) (list []commands.Conflict) {
	for _, c := range all {
		list = append(list, commands.Conflict{
			Change: c.Change.ID, Path: c.Change.Path, Why: c.Why, Later: c.Later, Force: c.Force, After: c.Change.After, Current: c.Found,
			DisplayPath: l.describe(c.Change),
		})
	}
	return list
}

// describe returns what a change is of, for people.
func (l *Log) describe(c event.Change) string {
	kind, key, _ := strings.Cut(c.Path, "/")
	switch what := display.Clean(c.What); {
	case !c.IsRow():
		return l.cfg.Display(c.Path)
	case what != "" && kind == "consent": // its key is two numbers
		return fmt.Sprintf("%s (%s)", kind, what)
	case what != "":
		return fmt.Sprintf("%s %s (%s)", kind, display.Clean(key), what)
	default:
		return kind + " " + display.Clean(key)
	}
}

// mayUndo reports whether somebody may see a change and take it back: their own, and an owner all. Whom hob talks to is the owner's to
// change: who came by a code would throw themselves out by a button of /undo list.
func mayUndo(by tools.Caller, c event.Change) bool {
	return by.Level >= event.Owner || c.IsBy(by.Person()) && !strings.HasPrefix(c.Path, "person/")
}

// choosePossible is chooseChanges without reminders that were told since, unless the request names their changes: of those nothing is left to take
// back, and they must not keep what came before them from being taken back. They are passed, the newest first.
func choosePossible(ctx context.Context, kept *store.Changes, r commands.UndoRequest, all []event.Change) (chosen []int64, passed []event.Change, err error) {
	for all = slices.Clone(all); ; {
		if chosen, err = chooseChanges(r, all); err != nil || len(r.Numbers) > 0 {
			return chosen, nil, err
		}
		before := len(passed)
		for _, c := range all {
			if !slices.Contains(chosen, c.ID) {
				continue
			}
			why, err := kept.ByHob(ctx, c)
			if err != nil {
				return nil, nil, err
			}
			if why != "" {
				passed = append(passed, c)
			}
		}
		if len(passed) == before {
			return chosen, passed, nil
		}
		all = slices.DeleteFunc(all, func(c event.Change) bool {
			return slices.ContainsFunc(passed, func(p event.Change) bool { return p.ID == c.ID })
		})
	}
}

// describePassed says which changes an undo has passed by.
func (l *Log) describePassed(passed []event.Change) []string {
	switch len(passed) {
	case 0:
		return nil
	case 1:
		return []string{l.describe(passed[0]) + ", whose time has come"}
	}
	return []string{fmt.Sprintf("%s and %d more, whose time has come", l.describe(passed[0]), len(passed)-1)}
}

// chooseChanges returns the numbers of the changes that a request selects.
func chooseChanges(r commands.UndoRequest, all []event.Change) ([]int64, error) {
	all = slices.DeleteFunc(slices.Clone(all), func(c event.Change) bool { return !mayUndo(r.By, c) })
	chosen, err := chooseOwn(r, all)
	for _, c := range all {
		if err == nil && slices.Contains(chosen, c.ID) && campaigns.IsStory(c) && c.Chat.Shared() && r.By.Level < event.Owner {
			err = fmt.Errorf("change %d is a turn that several play: /undo there asks them", c.ID)
		}
	}
	return chosen, err
}

func chooseOwn(r commands.UndoRequest, all []event.Change) ([]int64, error) {
	switch {
	case len(r.Numbers) > 0:
		chosen := changes.Together(all, r.Numbers)
		for _, n := range r.Numbers {
			if !slices.ContainsFunc(all, func(c event.Change) bool { return c.ID == n }) {
				return nil, &commands.NoChangeError{Number: n}
			}
		}
		for _, c := range all {
			if r.Chat != "" && c.Chat != r.Chat && slices.Contains(chosen, c.ID) {
				return nil, fmt.Errorf("change %d was not made in this chat", c.ID)
			}
		}
		return chosen, nil
	case r.Of > 0:
		return changes.OfTurn(all, r.Chat, r.Of), nil
	case r.Turn:
		return changes.LastTurn(all, r.Chat), nil
	case !r.Day.IsZero():
		return changes.Between(all, r.Chat, r.Day, r.Day.AddDate(0, 0, 1)), nil
	case r.Since > 0:
		return changes.Since(all, r.Chat, time.Now().Add(-r.Since)), nil
	}
	return lastChanges(all, r.Chat, max(r.Last, 1)), nil
}

// lastChanges returns the numbers of the newest n changes of a chat. A call's changes count as one.
func lastChanges(all []event.Change, chat event.Chat, n int) []int64 {
	var chosen []int64
	for left := slices.Clone(all); n > 0; n-- {
		some := changes.LastCall(left, chat)
		if len(some) == 0 {
			break
		}
		chosen = append(chosen, some...)
		left = slices.DeleteFunc(left, func(c event.Change) bool { return slices.Contains(some, c.ID) })
	}
	return chosen
}
