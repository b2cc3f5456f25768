// Package changes changes files so that a person can take it back. A [Writer] replaces and deletes files of a tree. What was
// there before is kept in a [Log] first, with its permissions, owner and extended attributes; then the file is replaced as a
// whole; then the log learns whether it happened. A process that dies in between leaves a change that was begun, and
// [Writer.Reconcile] finds out from the file which it was.
//
// [Writer.Undo] takes changes back, the newest first, all or none. It never overwrites what somebody else did since, unless it is
// forced; then that is kept, too. Taking back is a change like any other, so that it can be taken back itself.
package changes

import (
	"context"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
)

// Log remembers what the file tools change, so that a person can take it back.
type Log interface {
	// Keep makes durable that c is about to happen, together with the content that it replaces; nil where there is none
	// or it is too large. It returns the number of the change. After an error the change must not happen.
	Keep(ctx context.Context, c event.Change, content []byte) (id int64, err error)

	// Settle says whether a change happened. What was kept and never settled was cut short: the file tells.
	Settle(ctx context.Context, id int64, happened bool) error

	// Image returns a content that was kept, by its SHA-256 in hexadecimal.
	Image(ctx context.Context, sum string) ([]byte, error)
}

// next is what comes to a name, and why.
type next struct {
	tree.Content

	tool   string // who brings it
	undoes int64  // the change that this takes back
	part   int64  // the first change of the same call, or 0
	what   string // the command that is taken back
	done   string // what is done to a file that comes to a new name: "moved"
}

// must reports whether what n replaces has to be kept, or else stays.
func (n next) must() bool { return n.Kind == event.NoFile || n.undoes != 0 }

// keep has a change kept before it happens. Without a log there is nothing to do. What is too large to be kept is
// replaced all the same, and the note says so; it is never deleted. Path and After of c are known.
func (w *Writer) keep(
	ctx context.Context, dir *tree.Dir, p tree.Path, old *tree.Existing, n next, c event.Change,
) (_ event.Change, note string, bad *tools.Error) {
	if w.log == nil {
		return c, "", nil
	}
	before, content, why, bad := old.State()
	if bad != nil {
		return c, "", bad
	}
	if why != "" && n.must() {
		return c, "", p.Denied("stays as it is: " + why + ", so nobody could take this back").Suggest("leave it, or ask a person to do it")
	}
	if why != "" {
		note = "this cannot be taken back: " + why
	}
	c.Cause = tools.CallerFrom(ctx).Cause(n.tool)
	c.Undoes, c.Part, c.What = n.undoes, n.part, n.what
	c.Folders, c.Before = dir.Made, before
	var err error
	if c.ID, err = w.log.Keep(ctx, c, content); err != nil {
		return c, "", tools.StorageFailed("%s was not changed, because what it is could not be kept for undo: %v", p.Name(), err)
	}
	return c, note, nil
}

// settle writes to the log whether a change happened. That it could not is no failure of the change: whoever wants
// to take it back looks at the file.
func (w *Writer) settle(ctx context.Context, id int64, happened bool) {
	if w.log != nil {
		_ = w.log.Settle(context.WithoutCancel(ctx), id, happened)
	}
}
