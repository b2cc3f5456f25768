// Package watch looks after what commands change in the workspace, so that a person can take it back, and so that it is known
// where it comes from. A [Watcher] looks at the names, sizes and times there before and after a command. Before it, the contents
// that the command could destroy are kept; after it, what differs is recorded as changes, marked as strangers' where strangers
// had a hand in it, and freed of the rights of others (set-uid and set-gid bits, file capabilities).
//
// A look is bounded in time, names and bytes, and [Seen] says what a bound cost.
package watch

import (
	"cmp"
	"context"
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools/files/origins"
	"hob/internal/tools/files/tree"
)

// Seen is what a command has changed: numbers of files and links.
type Seen struct {
	Created, Changed, Deleted int
	Lost                      int    // of these, so many cannot be taken back
	Change                    int64  // the number by which the others are taken back; 0: there are none
	Why                       string // that is
	Rights                    Rights // what ran with the rights of others

	Label event.Label // untrusted where strangers had a hand in what it did or in anything that it could read
	Doubt string      // why from now on all that is in the workspace counts as theirs
}

// Recorder remembers what changes without asking first, many files at once.
type Recorder interface {
	// Mark returns the number of the newest change, 0 if there is none, and a word that is another one whenever
	// contents were let go of meanwhile.
	Mark(ctx context.Context) (newest int64, pruned string, err error)

	// KeepImages makes contents durable that somebody may change soon, all or none.
	KeepImages(ctx context.Context, contents [][]byte) error

	// Since returns the changes after that number, the newest first.
	Since(ctx context.Context, number int64) ([]event.Change, error)

	// Record makes durable that changes have happened, all by one call, and returns those that are remembered: not
	// those whose content is not there.
	Record(ctx context.Context, changes []event.Change) ([]event.Change, error)
}

// The bounds of a [Watcher]. Of more, what was changed last is kept.
const (
	maxContent = 1 << 20  // bytes of a file that is kept
	maxFresh   = 32 << 20 // bytes that are read and kept before one command
	maxAll     = 64 << 20 // bytes of all files that a command could be taken back for
	maxFiles   = 5000     // of these files
	maxChanges = 6000     // changes of one command that are recorded, those of folders too
	maxAfter   = 64 << 20 // bytes that are read after a command
	maxNames   = 50_000   // names in the workspace: where there are more, nothing is kept
	batchBytes = 8 << 20  // bytes kept in one go
	lookTime   = time.Second
	longLook   = 10 * time.Second              // for one look around where more depends on it than undo
	clockStep  = int64(100 * time.Millisecond) // a file system's clock may stand still for so long
)

// Watcher looks after what commands change. That is found out by looking at the names, sizes and times in the
// workspace before and after them. Before a command the contents that it could destroy are kept; those of files that
// have not changed since are known to be kept already.
//
// Two commands that run at the same time cannot be told apart: what one changes while the other runs belongs to the one
// that ends first. What is kept of a command that hob did not live to see the end of is only let go of in time.
//
// A nil Watcher looks after nothing.
type Watcher struct {
	tree    *tree.Tree
	rec     Recorder
	origins *origins.Tracker
	time    time.Duration // for a look around where only undo depends on it
	turn    sync.Mutex    // held while there is a look around

	known  map[identity]event.FileState // whose contents are kept
	pruned string                       // as the Recorder had it when that was so
}

// New returns the watcher of a tree: nil where nothing is kept, or nothing can change. It looks around for that long before
// a command, and again after it; 0 means a second.
func New(t *tree.Tree, rec Recorder, o *origins.Tracker, looks time.Duration) *Watcher {
	if rec == nil || t.Workspace().ReadOnly {
		return nil
	}
	return &Watcher{tree: t, rec: rec, origins: o, time: cmp.Or(looks, lookTime)}
}

// snapshot is what there was before a command.
type snapshot struct {
	command string
	*walk
	newest int64                      // change
	kept   map[string]event.FileState // of the files that can be brought back
	fault  error                      // why others are not kept
}

// Before notes what there is before a command starts. What it returns must be called when nothing of that runs any
// more, also where it never began; only the first call does anything.
// Neither ever fails the command: what could not be kept is only told of. What the command writes comes from there.
func (w *Watcher) Before(ctx context.Context, command string, from event.Label) (after func(context.Context) Seen) {
	if w == nil {
		return func(context.Context) Seen { return Seen{} }
	}
	w.turn.Lock()
	defer w.turn.Unlock()
	n := &snapshot{command: display.Brief(command), kept: map[string]event.FileState{}}
	var pruned string
	limit := time.Now().Add(w.time)
	w.origins.BeginCommand(context.WithoutCancel(ctx), from)
	done := w.lockTree(ctx)
	n.newest, pruned, n.fault = w.rec.Mark(ctx)
	n.walk = w.look(ctx, limit, nil)
	done()
	if w.pruned != pruned {
		w.known, w.pruned = nil, pruned
	}
	if n.fault == nil && n.complete {
		n.fault = w.keep(ctx, n, limit)
	}
	var seen Seen
	var once sync.Once
	return func(ctx context.Context) Seen {
		once.Do(func() {
			w.turn.Lock()
			defer w.turn.Unlock()
			seen = w.after(ctx, n)
		})
		return seen
	}
}

// look looks around until limit, or, where it matters where files come from, until it has seen all.
func (w *Watcher) look(ctx context.Context, limit time.Time, since *walk) *walk {
	if w.origins.Known() {
		ctx, limit = context.WithoutCancel(ctx), limit.Add(max(0, longLook-w.time))
	}
	return w.walk(ctx, limit, since)
}

// keep keeps the contents of files, those that were changed last first.
func (w *Watcher) keep(ctx context.Context, n *snapshot, limit time.Time) error {
	files := w.worthKeeping(n.walk)
	b := batch{rec: w.rec, kept: n.kept, known: make(map[identity]event.FileState, len(files))}
	all, fresh := int64(0), int64(0)
	for _, file := range files {
		rel, s := file.rel, file.fileInfo
		if all += s.size; all > maxAll {
			break
		}
		if st, ok := w.known[s.identity]; ok {
			b.known[s.identity], n.kept[rel] = st, st
			continue
		}
		if fresh += s.size; fresh > maxFresh || time.Now().After(limit) {
			break
		}
		st, content, ok := w.contentOf(rel, s)
		if !ok {
			continue
		}
		settled := n.began-s.changed > clockStep
		if err := b.add(ctx, found{rel, s.identity, st, settled}, content); err != nil {
			return err
		}
	}
	err := b.flush(ctx)
	w.known = b.known
	return err
}

// named is a file in the workspace.
type named struct {
	rel string
	fileInfo
}

// worthKeeping returns the files and links that may be kept, those that were changed last first.
func (w *Watcher) worthKeeping(s *walk) []named {
	files := make([]named, 0, len(s.seen))
	for rel, is := range s.seen {
		if is.kind != event.Folder && is.size <= maxContent && w.undoable(rel) {
			files = append(files, named{rel, is})
		}
	}
	sort.Slice(files, func(i, j int) bool {
		a, b := files[i], files[j]
		return cmp.Or(cmp.Compare(b.changed, a.changed), strings.Compare(a.rel, b.rel)) < 0
	})
	return files[:min(len(files), maxFiles)]
}

// found is a file whose content is to be kept.
type found struct {
	rel     string
	id      identity
	state   event.FileState
	settled bool // a change of it from now on shows in its times
}

// batch keeps contents, many in one go.
type batch struct {
	rec      Recorder
	kept     map[string]event.FileState
	known    map[identity]event.FileState
	files    []found
	contents [][]byte
	bytes    int
}

func (b *batch) add(ctx context.Context, file found, content []byte) error {
	b.files, b.contents, b.bytes = append(b.files, file), append(b.contents, content), b.bytes+len(content)
	if b.bytes < batchBytes {
		return nil
	}
	return b.flush(ctx)
}

func (b *batch) flush(ctx context.Context) error {
	if len(b.files) == 0 {
		return nil
	}
	if err := b.rec.KeepImages(ctx, b.contents); err != nil {
		return err
	}
	for _, file := range b.files {
		if b.kept[file.rel] = file.state; file.settled {
			b.known[file.id] = file.state
		}
	}
	b.files, b.contents, b.bytes = nil, nil, 0
	return nil
}

// Detail is for a receipt: "created 1 file, changed 3".
func (s Seen) Detail() string {
	var words []string
	for _, c := range []struct {
		did string
		n   int
	}{{"created", s.Created}, {"changed", s.Changed}, {"deleted", s.Deleted}} {
		if c.n > 0 && len(words) == 0 {
			words = append(words, c.did+" "+display.Count(c.n, "file"))
		} else if c.n > 0 {
			words = append(words, fmt.Sprintf("%s %d", c.did, c.n))
		}
	}
	if len(words) == 0 {
		return s.Rights.detail()
	}
	return "; " + strings.Join(words, ", ") + s.Rights.detail()
}

// Note is lines for the model about what cannot be taken back, what cannot be told any more and which rights were removed, or nothing.
func (s Seen) Note() string {
	note := ""
	switch {
	case s.Why == "":
	case s.Lost == 0:
		note = "\n[what it changed cannot be taken back: " + s.Why + "]"
	default:
		note = fmt.Sprintf("\n[%s cannot be taken back: %s]", display.Count(s.Lost, "changed file"), s.Why)
	}
	if s.Doubt != "" {
		note += "\n[all that is in the workspace counts as somebody else's now: " + s.Doubt + "]"
	}
	return note + s.Rights.Note
}
