package origins

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/tools/files/tree"
)

// manyMarks is how many marks are put up with before those are looked for that are of no file any more.
const manyMarks = 2000

// Taint returns where all comes from that a command could read: the join of the labels of all that is marked in the folders
// that are open and still there. What cannot be found out counts as a stranger's.
func (o *Tracker) Taint(ctx context.Context) event.Label {
	if o.store == nil {
		return event.Label{}
	}
	marks, err := o.store.All(ctx)
	if err != nil {
		return event.Label{Untrusted: true, Private: true, Source: "file:."}
	}
	if len(marks) > manyMarks {
		o.prune(ctx, marks)
	}
	o.mu.Lock()
	l := o.loose
	o.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(marks)) {
		joined := l.Join(marks[path])
		if joined == l {
			continue
		}
		if now, _ := o.applies(path); now {
			l = joined
		}
	}
	return l
}

// applies reports whether a mark of path says something of what is in the open folders now, and whether it could.
func (o *Tracker) applies(path string) (now, open bool) {
	at := o.targetOf(path)
	for _, top := range o.tree.Tops() {
		if _, above := tree.Inside(at, top.Real); above {
			return true, true
		}
		if rel, in := tree.Inside(top.Real, at); in {
			open = true
			if _, err := top.Root.Lstat(rel); err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ENOTDIR) {
				return true, true
			}
		}
	}
	return false, open
}

// targetOf returns what a mark is of.
func (o *Tracker) targetOf(path string) string {
	if path == LooseMark(o.top()) || filepath.Base(path) == NameMark {
		return filepath.Dir(path)
	}
	return path
}

// prune forgets marks of what is not there any more, and could not be brought back either. It does so only while nobody
// looks at files or changes them, and no command runs that could have moved them. It keeps marks of folders that are not
// open, which may be again.
func (o *Tracker) prune(ctx context.Context, marks map[string]event.Label) {
	if !o.reading.TryLock() {
		return
	}
	defer o.reading.Unlock()
	if len(marks) < o.patient {
		return
	}
	end, mine := o.tree.TryTurn()
	if !mine {
		return
	}
	defer end()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.commands > 0 {
		return
	}
	kept, err := o.mayComeBack(ctx)
	if err != nil {
		return
	}
	var lost []string
	for path := range marks {
		if now, open := o.applies(path); open && !now && !kept[o.targetOf(path)] {
			lost = append(lost, path)
		}
	}
	slices.Sort(lost)
	if len(lost) > 0 && o.store.Forget(ctx, lost) != nil {
		return
	}
	o.patient = max(manyMarks, 2*(len(marks)-len(lost)))
}

// mayComeBack returns the paths of all that is kept for undo, and of all folders above it.
func (o *Tracker) mayComeBack(ctx context.Context) (map[string]bool, error) {
	kept := map[string]bool{}
	if o.kept == nil {
		return kept, nil
	}
	changes, err := o.kept.Since(ctx, 0)
	for _, c := range changes {
		for at := c.Path; c.Before.Kind != event.NoFile && !kept[at]; at = filepath.Dir(at) {
			kept[at] = true
		}
	}
	return kept, err
}

// markLoose makes it known, durably, that from now on a command may write what strangers had a hand in. o.mu is held. After an
// error it is known all the same, as long as this hob lives.
func (o *Tracker) markLoose(ctx context.Context, from event.Label) error {
	if o.loose.Untrusted {
		return nil
	}
	o.loose = from
	loose := LooseMark(o.top())
	if !o.begun {
		marks, err := o.store.Of(ctx, []string{loose})
		if left, was := marks[loose]; err == nil && was {
			err = o.store.Mark(ctx, []string{o.top()}, left)
		}
		if err != nil {
			return err
		}
		o.begun = true
	}
	return o.store.Mark(ctx, []string{loose}, from)
}

// BeginCommand notes that a command starts whose work comes from there. That this could not be made durable matters only
// if hob is killed before the command ends, and is found out again then.
func (o *Tracker) BeginCommand(ctx context.Context, from event.Label) {
	if o.store == nil {
		return
	}
	o.mu.Lock()
	o.commands++ // what is marked from now on it may read
	o.mu.Unlock()
	if from = from.Join(o.Taint(ctx)); from.Untrusted {
		o.mu.Lock()
		defer o.mu.Unlock()
		_ = o.markLoose(ctx, from)
	}
}

// EndCommand notes that nothing of a command runs any more. Where strangers may have had a hand in what it did, that is
// what it returns, and the paths of wrote are marked. After an error the whole workspace counts as theirs, and is
// marked as soon as that works.
func (o *Tracker) EndCommand(ctx context.Context, wrote func() []string) (from event.Label, err error) {
	if o.store == nil {
		return event.Label{}, nil
	}
	o.mu.Lock()
	from = o.loose // nothing of the command is left that could be told of what comes from now on
	o.mu.Unlock()
	var paths []string
	if from.Untrusted {
		paths = wrote()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.commands--
	if o.owed || from.Untrusted && !o.begun {
		paths = []string{o.top()}
	}
	if len(paths) > 0 {
		err = o.store.Mark(ctx, paths, from)
		o.owed, o.begun = err != nil, o.begun || err == nil
	}
	if o.owed || o.commands > 0 || !o.loose.Untrusted {
		return from, err
	}
	if err = o.store.Forget(ctx, []string{LooseMark(o.top())}); err == nil {
		o.loose = event.Label{}
	}
	return from, err
}
