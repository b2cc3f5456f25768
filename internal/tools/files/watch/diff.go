package watch

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
)

// Why something cannot be taken back.
const (
	whyLarge  = "too large"
	whyMany   = "too many"
	whyUnkept = "there was no room or time to keep what they were"
)

// after finds out what a command has changed, and has it recorded and marked. What would run with the rights of others loses them
// first.
func (w *Watcher) after(ctx context.Context, n *snapshot) Seen {
	limit := time.Now().Add(w.time)
	defer w.lockTree(ctx)()
	now := w.look(ctx, limit, n.walk)
	rights := w.removeRights(n, now)
	seen := w.changes(ctx, n, now, limit)
	seen.Rights = rights
	w.mark(ctx, n, now, &seen)
	return seen
}

// changes has it recorded what is different now.
func (w *Watcher) changes(ctx context.Context, n *snapshot, now *walk, limit time.Time) Seen {
	if !n.complete || !now.complete {
		if !n.differs(now) {
			return Seen{}
		}
		return Seen{Why: "there are too many files in the workspace"}
	}
	d := diff{Watcher: w, snapshot: n, now: now, limit: limit, why: map[string]int{}}
	names := d.touchedNames()
	if len(names) == 0 {
		return Seen{}
	}
	if err := d.readOtherChanges(ctx); err != nil && n.fault == nil {
		n.fault = err
	}
	for _, rel := range names {
		d.compare(rel)
	}
	d.record(ctx)
	return d.sum()
}

// lockTree waits until no tool is half way through a change. Where that takes long, it is not waited for.
func (w *Watcher) lockTree(ctx context.Context) (end func()) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	end, err := w.tree.Turn(ctx)
	if err != nil {
		return func() {}
	}
	return end
}

// differs reports whether two looks that may both be incomplete show a change. A folder's times tell of what is in it.
func (s *walk) differs(now *walk) bool {
	if s.top != now.top {
		return true
	}
	for rel, was := range s.seen {
		if is, ok := now.seen[rel]; ok && is != was {
			return true
		}
	}
	return false
}

// diff is what a command did.
type diff struct {
	*Watcher
	*snapshot

	now   *walk
	limit time.Time
	bytes int64 // read after the command
	base  string
	made  map[string][]event.Change // by path, what tools changed meanwhile, the newest first

	changes []event.Change
	seen    Seen
	why     map[string]int
}

// touched reports whether something may have happened to rel.
func (d *diff) touched(rel string) bool {
	was, is := d.snapshot.seen[rel], d.now.seen[rel]
	switch {
	case d.hidden(rel) || d.now.hidden(rel):
		return false
	case was.kind == event.Folder && is.kind == event.Folder:
		return was.mode != is.mode
	}
	return was != is || was.kind != event.Folder && d.began-was.changed < clockStep
}

// touchedNames returns what something may have happened to.
func (d *diff) touchedNames() []string {
	var names []string
	for rel := range d.snapshot.seen {
		if d.touched(rel) {
			names = append(names, rel)
		}
	}
	for rel := range d.now.seen {
		if _, was := d.snapshot.seen[rel]; !was && d.touched(rel) {
			names = append(names, rel)
		}
	}
	slices.Sort(names)
	return names
}

// readOtherChanges finds out what tools changed meanwhile.
func (d *diff) readOtherChanges(ctx context.Context) error {
	d.made = map[string][]event.Change{}
	top, err := d.tree.Workspace().Root.Open(".")
	if err != nil {
		return err
	}
	defer top.Close()
	if d.base, err = tree.RealPath(top); err != nil {
		return err
	}
	changes, err := d.rec.Since(ctx, d.newest)
	for _, c := range changes {
		d.made[c.Path] = append(d.made[c.Path], c)
	}
	return err
}

// compare adds what happened to rel.
func (d *diff) compare(rel string) {
	was, is := d.snapshot.seen[rel], d.now.seen[rel]
	before, why := d.before(rel, was)
	after, whyNot := d.after(rel, is)
	why = cmp.Or(why, whyNot)
	if was == is && (why != "" || before.Same(after)) || before.Kind == after.Kind && before.Same(after) {
		return // looked at only because it could not be told from its times
	}
	if why != "" && was.kind == is.kind && was.mode == is.mode && was.size == is.size && was.content == is.content {
		return // another name of it came or went
	}
	if why == "" {
		if made := d.made[filepath.Join(d.base, rel)]; made != nil {
			if before, why = stateBetween(made, before, after); why == "" && before.Same(after) {
				return
			}
		}
	}
	if after.Kind == event.Folder && d.madeIn(rel) {
		return
	}
	if before.HasContent() || after.HasContent() {
		d.count(before, after)
	}
	if why != "" {
		d.addLost(why)
		return
	}
	c := event.Change{Path: filepath.Join(d.base, rel), Before: before, After: after}
	if before.Kind != event.NoFile && after.Kind != event.NoFile && (before.Kind == event.Folder) != (after.Kind == event.Folder) {
		made := c
		c.After, made.Before = event.FileState{}, event.FileState{}
		d.changes = append(d.changes, made)
	}
	d.changes = append(d.changes, c)
}

// madeIn reports whether a tool has made a file in the folder rel, and with it, it may be, the folder.
func (d *diff) madeIn(rel string) bool {
	for path := range d.made {
		if strings.HasPrefix(path, filepath.Join(d.base, rel)+"/") {
			return true
		}
	}
	return false
}

// stateBetween returns what a tool had left before the command changed it, for it is recorded how that came about. What the
// command had done before, nobody knows.
func stateBetween(made []event.Change, before, after event.FileState) (left event.FileState, why string) {
	last, first := made[0], made[len(made)-1]
	left = last.After
	if last.Stage == event.StageBegun && after.Same(last.Before) {
		left = last.Before
	}
	if !first.Before.Same(before) {
		return left, "changed by several at the same time"
	}
	return left, ""
}

// before is what was there, with its content if that is kept.
func (d *diff) before(rel string, was fileInfo) (st event.FileState, why string) {
	st, kept := d.kept[rel]
	switch {
	case was.kind == event.NoFile || was.kind == event.Folder || kept:
		if !kept {
			st = was.state()
		}
		return st, ""
	case was.size > maxContent:
		return was.state(), whyLarge
	case d.fault != nil:
		return was.state(), whyUnkept
	}
	return was.state(), whyMany
}

// after is what is there now, with its sum.
func (d *diff) after(rel string, is fileInfo) (st event.FileState, why string) {
	switch {
	case is.kind == event.NoFile || is.kind == event.Folder:
		return is.state(), d.nameless(rel)
	case is.size > tree.MaxFile:
		return is.state(), whyLarge
	case d.bytes+is.size > maxAfter || time.Now().After(d.limit):
		return is.state(), whyMany
	}
	d.bytes += is.size
	st, _, ok := d.contentOf(rel, is)
	if !ok {
		return st, "cannot be read"
	}
	return st, d.nameless(rel)
}

func (d *diff) nameless(rel string) string {
	if !d.undoable(rel) {
		return "strange names"
	}
	return ""
}

func (d *diff) count(before, after event.FileState) {
	switch c := (event.Change{Before: before, After: after}); {
	case !before.HasContent():
		d.seen.Created++
	case c.After.HasContent():
		d.seen.Changed++
	default:
		d.seen.Deleted++
	}
}

func (d *diff) addLost(why string) {
	d.seen.Lost++
	d.why[why]++
}

// rank orders changes so that they can be taken back from the last to the first: what was made goes before what it
// took the place of comes back, a folder comes back before what was in it.
func rank(c event.Change) int {
	switch folder := c.Before.Kind == event.Folder || c.After.Kind == event.Folder; {
	case c.After.Kind == event.NoFile && !folder:
		return 0
	case c.After.Kind == event.NoFile:
		return 1
	case c.Before.Kind != event.NoFile:
		return 2
	case folder:
		return 3
	}
	return 4
}

// record has the changes remembered.
func (d *diff) record(ctx context.Context) {
	sort.SliceStable(d.changes, func(i, j int) bool {
		a, b := d.changes[i], d.changes[j]
		if ra, rb := rank(a), rank(b); ra != rb {
			return ra < rb
		} else if ra == 1 {
			return a.Path > b.Path
		}
		return a.Path < b.Path
	})
	changes := d.changes[:min(len(d.changes), maxChanges)]
	for range len(d.changes) - len(changes) {
		d.addLost(whyMany)
	}
	caller := tools.CallerFrom(ctx)
	for i := range changes {
		changes[i].Cause = caller.Cause("run_command")
		changes[i].What = d.command
	}
	if len(changes) == 0 {
		return
	}
	made := []event.Change(nil)
	if d.fault == nil {
		made, _ = d.rec.Record(ctx, changes) // what is not recorded is told of
	}
	if len(made) > 0 {
		d.seen.Change = made[0].ID
	}
	for range len(changes) - len(made) {
		d.addLost(whyUnkept)
	}
}

// sum says what was seen.
func (d *diff) sum() Seen {
	d.seen.Why = strings.Join(slices.Sorted(maps.Keys(d.why)), ", ")
	return d.seen
}
