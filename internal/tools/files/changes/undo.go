package changes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sort"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
)

// Options say how [Writer.Undo] goes about it.
type Options struct {
	Force  bool // take back also what was changed since; what is there then is kept as any other content
	DryRun bool // only look
}

// Undone is a change that was taken back.
type Undone struct {
	Change event.Change
	By     event.Change // what took it back; zero in a dry run, and when the change had never happened
	Forced bool         // something later was replaced, too; taking By back brings it again
	Note   string
}

// Conflict is a change that cannot be taken back as things are.
type Conflict struct {
	Change event.Change
	Found  event.FileState // what is there now
	Why    string
	Later  int64 // a later change of the same file that stays
	Force  bool  // with Force it could be
}

// ConflictError says that nothing was taken back.
type ConflictError struct{ Conflicts []Conflict }

func (e *ConflictError) Error() string {
	if len(e.Conflicts) == 1 {
		return fmt.Sprintf("%s: %s; nothing was taken back", e.Conflicts[0].Change.Path, e.Conflicts[0].Why)
	}
	return fmt.Sprintf("%d changes cannot be taken back, so none was", len(e.Conflicts))
}

// reversal is a change that is about to be taken back.
type reversal struct {
	change event.Change
	of     *Writer // who changes the file
	at     tree.Path
	found  event.FileState // what must be there when it is done
	last   int64           // a later change of the same file that stays
	part   int64           // what took back the first change of the same call, or 0
	idle   bool            // it had never happened
	forced bool
}

// Undo takes back the changes of those numbers; all are the changes that are remembered. The newest goes
// first. Every file is looked at before the first is touched: when one is not as its change left it, or a later
// change of it stays, nothing happens and the error is a [*ConflictError]. When one fails half way, those before it are
// made again. Taking a change back is a change, and can be taken back itself.
func (w *Writer) Undo(ctx context.Context, all []event.Change, numbers []int64, how Options) ([]Undone, error) {
	if w.log == nil {
		return nil, errors.New("take changes back: none are remembered")
	}
	plan, err := w.plan(ctx, all, numbers, how.Force)
	if err != nil {
		return nil, err
	}
	var done []Undone
	firsts := takenApart(all) // by a call, the change that took back the first of it
	var waiting []reversal    // rows that cannot be as they were yet
	for len(plan) > 0 {
		t := plan[0]
		u := Undone{Change: t.change, Forced: t.forced}
		t.part = firsts[t.change.GroupID()]
		if !how.DryRun {
			u.By, u.Note, err = w.revert(ctx, t)
			if same, others := splitRow(plan); err != nil && len(others) > 0 {
				waiting, plan = append(waiting, same...), others
				continue
			}
			if err != nil {
				return nil, errors.Join(err, w.redo(context.WithoutCancel(ctx), done))
			}
		}
		firsts[t.change.GroupID()] = cmp.Or(t.part, u.By.ID)
		done, plan, waiting = append(done, u), append(waiting, plan[1:]...), nil
	}
	return done, nil
}

// splitRow splits a plan that begins with the change of a row into those of that row and the others: a row may need another to be as it was
// first, as a reminder for somebody needs their yes. Of a plan that begins with a file there are no others.
func splitRow(plan []reversal) (same, others []reversal) {
	for _, t := range plan {
		if t.change.Path == plan[0].change.Path || !plan[0].change.IsRow() {
			same = append(same, t)
		} else {
			others = append(others, t)
		}
	}
	return same, others
}

// takenApart returns, for each call of which only some changes were taken back, the change that took back the first of them: there an
// undo was cut short, and taking back the others belongs to the same undo.
func takenApart(all []event.Change) map[int64]int64 {
	calls := map[int64]int64{} // by a change, its call
	for _, c := range all {
		calls[c.ID] = c.GroupID()
	}
	firsts := map[int64]int64{}
	for _, c := range all {
		if c.Undoes != 0 && c.InForce() {
			firsts[calls[c.Undoes]] = c.GroupID()
		}
	}
	return firsts
}

// plan looks at every change and at the file it left.
func (w *Writer) plan(ctx context.Context, all []event.Change, numbers []int64, force bool) ([]reversal, error) {
	var changes []event.Change
	stay := map[string][]event.Change{} // of a path, the changes that stay in force
	for _, c := range all {
		if slices.Contains(numbers, c.ID) {
			changes = append(changes, c)
		} else if c.InForce() {
			stay[c.Path] = append(stay[c.Path], c)
		}
	}
	for _, n := range numbers {
		if !slices.ContainsFunc(changes, func(c event.Change) bool { return c.ID == n }) {
			return nil, fmt.Errorf("there is no change %d: hob undo --list shows those that there are", n)
		}
	}
	sort.Slice(changes, func(i, j int) bool { return changes[i].ID > changes[j].ID })
	var plan []reversal
	var conflicts []Conflict
	will := forecast{left: map[string]event.FileState{}, empty: map[string]bool{}}
	for _, c := range changes {
		t := reversal{change: c, last: after(c, stay[c.Path])}
		if bad := w.examine(ctx, &t, will, force); bad != nil {
			conflicts = append(conflicts, *bad)
		}
		plan = append(plan, t)
		if !t.idle {
			will.add(t)
		}
	}
	if conflicts != nil {
		return nil, &ConflictError{conflicts}
	}
	return plan, nil
}

// after returns the number of the last of the changes in force that came after c and build on it, or 0. One that takes back
// what itself came after c does not: the two are as if they had never been.
func after(c event.Change, stay []event.Change) int64 {
	last := int64(0)
	for _, s := range stay {
		if s.ID > c.ID && s.Undoes < c.ID {
			last = max(last, s.ID)
		}
	}
	return last
}

// examine looks at one change, and completes what is known of it.
func (w *Writer) examine(ctx context.Context, t *reversal, will forecast, force bool) *Conflict {
	c := t.change
	conflict := func(format string, args ...any) *Conflict {
		return &Conflict{Change: c, Found: t.found, Why: fmt.Sprintf(format, args...)}
	}
	if why := w.look(ctx, t, will); why != "" {
		return conflict("%s", why)
	}
	switch {
	case c.UndoneBy != 0:
		return conflict("it was taken back already, by change %d", c.UndoneBy)
	case c.Lost:
		return conflict("what was there before is not kept: it was too large, or it is too long ago")
	case (c.Before.Kind == event.Folder || c.After.Kind == event.Folder) && t.found.HasContent():
		return conflict("there is a file of that name now")
	case t.found.Kind == event.Folder && c.Before.Kind != event.Folder && c.After.Kind != event.Folder:
		return conflict("there is a folder of that name now")
	case c.Before.HasContent():
		if _, err := w.log.Image(ctx, c.Before.Sum); err != nil {
			return conflict("what was there before cannot be read: %v", err)
		}
	}
	if t.idle = c.Stage == event.StageBegun && t.found.Same(c.Before) && !t.found.Same(c.After); t.idle {
		return nil
	}
	why := ""
	if t.last != 0 {
		why = fmt.Sprintf("change %d of it came later", t.last)
	} else if !t.found.Same(c.After) && !t.found.Same(c.Before) {
		why = w.whyChanged(ctx, c)
	}
	if why != "" && t.found.HasContent() && t.found.Sum == "" {
		return conflict("%s, and it is too large to be kept now", why)
	}
	if why != "" && !force {
		bad := conflict("%s", why)
		bad.Later, bad.Force = t.last, true
		return bad
	}
	t.forced = why != ""
	return nil
}

// look finds out what is there now, or will be once the changes after it are taken back. It returns why that cannot be said.
func (w *Writer) look(ctx context.Context, t *reversal, will forecast) (why string) {
	if t.change.IsRow() { // nothing lies below another
		var err error
		then, known := will.left[t.change.Path]
		if t.found = then; !known {
			t.found, err = w.rowState(ctx, t.change.Path)
		}
		if err != nil {
			return err.Error()
		}
		return ""
	}
	then, known := will.at(t.change.Path)
	var err error
	if t.of, t.at, err = w.of(t.change.Path); err != nil {
		return err.Error()
	}
	if t.found = then; !known {
		var bad *tools.Error
		if t.found, bad = t.of.tree.StateAt(t.at); bad != nil {
			return bad.Message
		}
	}
	return ""
}

// revert takes one change back, if the file is still what it was when it was looked at.
func (w *Writer) revert(ctx context.Context, t reversal) (by event.Change, note string, err error) {
	c, p := t.change, t.at
	if t.idle {
		return by, "", w.log.Settle(ctx, c.ID, false)
	}
	if c.IsRow() {
		by, err = w.revertRow(ctx, t)
		return by, "", err
	}
	if c.Before.Kind == event.Folder || c.After.Kind == event.Folder {
		return t.of.revertFolder(ctx, t)
	}
	n := next{Content: tree.Content{Kind: c.Before.Kind, Like: &c.Before}, tool: "undo", undoes: c.ID, part: t.part, what: c.What}
	if n.Kind != event.NoFile {
		if n.Raw, err = w.log.Image(ctx, c.Before.Sum); err != nil {
			return by, "", err
		}
	}
	end, bad := t.of.tree.Begin(ctx, p)
	if bad != nil {
		return by, "", bad
	}
	defer end()
	return t.of.revertFile(ctx, t, n)
}

// revertFile puts n in the place of what a change left. The caller has its turn.
func (w *Writer) revertFile(ctx context.Context, t reversal, n next) (by event.Change, note string, err error) {
	c, p := t.change, t.at
	dir, undo, bad := w.tree.OpenDir(ctx, p, n.Kind != event.NoFile)
	if bad != nil && bad.Code == event.CodeFileNotFound {
		by, err = w.keepGone(ctx, t)
		return by, "", err
	} else if bad != nil {
		return by, "", bad
	}
	defer dir.Close()
	done, bad := w.putBack(ctx, dir, t, n)
	if bad != nil {
		undo()
		return by, "", bad
	}
	if n.Kind == event.NoFile {
		tree.RemoveFolders(p.With(filepath.Dir(p.Rel)), c.Folders)
	}
	return done.change, done.note, nil
}

// keepGone has it kept that a file which is to go is gone already, with its folder.
func (w *Writer) keepGone(ctx context.Context, t reversal) (by event.Change, err error) {
	by = event.Change{Cause: t.cause(ctx), Path: t.change.Path}
	if by.ID, err = w.log.Keep(ctx, by, nil); err == nil {
		w.settle(ctx, by.ID, true)
	}
	return by, err
}

// cause says that t is taken back.
func (t reversal) cause(ctx context.Context) event.Cause {
	c := tools.CallerFrom(ctx).Cause("undo")
	c.Undoes, c.Part, c.What = t.change.ID, t.part, t.change.What
	return c
}

// putBack puts what was there before in the place of what the change left.
func (w *Writer) putBack(ctx context.Context, dir *tree.Dir, t reversal, n next) (installed, *tools.Error) {
	old, bad := w.tree.Look(t.at, dir)
	if bad != nil {
		return installed{}, bad
	}
	defer old.Close()
	st, _, _, bad := old.State()
	if bad != nil {
		return installed{}, bad
	}
	if !st.Same(t.found) {
		return installed{}, tools.StorageFailed("%s was changed at the same moment; nothing was taken back, try again", t.at.Name()).Retry()
	}
	return w.replace(ctx, dir, t.at, old, n)
}

// redo makes changes again that were taken back.
func (w *Writer) redo(ctx context.Context, done []Undone) error {
	for _, u := range slices.Backward(done) {
		if u.By.ID == 0 {
			continue
		}
		again, name := reversal{change: u.By, found: u.By.After}, u.By.Path
		if !u.By.IsRow() {
			of, at, err := w.of(u.By.Path)
			if err != nil {
				return err
			}
			again.of, again.at, name = of, at, at.Name()
		}
		if _, _, err := w.revert(ctx, again); err != nil {
			return fmt.Errorf("%s is taken back all the same: %w", name, err)
		}
	}
	return nil
}

// Reconcile finds out of changes that were cut short whether they happened, and settles them in the log. changes are all that
// are remembered, the newest first.
func (w *Writer) Reconcile(ctx context.Context, changes []event.Change) error {
	was := map[string]event.FileState{} // what was at a path before the later changes
	for _, c := range changes {
		if c.Stage == event.StageBegun {
			now, known := was[c.Path]
			if of, p, err := w.of(c.Path); !known && err == nil {
				var bad *tools.Error
				now, bad = of.tree.StateAt(p)
				known = bad == nil
			}
			happened := known && now.Same(c.After)
			void := known && !happened && now.Same(c.Before)
			if happened || void {
				if err := w.log.Settle(ctx, c.ID, happened); err != nil {
					return fmt.Errorf("settle change %d: %w", c.ID, err)
				}
			}
			if void {
				continue
			}
		}
		if c.Stage != event.StageVoid {
			was[c.Path] = c.Before
		}
	}
	return nil
}
