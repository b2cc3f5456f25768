// Package origins keeps where the content of files comes from: which of them strangers may have had a hand in. A file that was
// written while a conversation held their words, or by a command that could read them, is marked before it is written, and stays
// so whatever is written to it later. Every result about a file carries the label that its marks make.
//
// Marks are kept in a [Store], by the absolute path without links. Two marks there are of no file. They have names that no tool
// writes, so that nothing is ever there:
//
//   - FOLDER/.hob-tmp-name says of the name of a folder what a mark of the folder would say of all that is in it.
//   - WORKSPACE/.hob-tmp-command is there while a command is at work that may write what strangers had a hand in. It holds
//     for the whole workspace. When the command has ended, what it changed is marked first and then this is taken away; a
//     hob that was killed before that leaves it there, and the next one makes it a mark of the workspace.
//
// What is marked stays marked until nothing is there any more and no content of it is kept for undo: what is brought back
// is what it was.
package origins

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
)

// Two marks are of no file.
const (
	NameMark  = tree.TempPrefix + "name"    // in a folder: marks its name
	looseMark = tree.TempPrefix + "command" // in the workspace: a command is at work there
)

// LooseMark is the path of the mark that a command is at work in the workspace top.
func LooseMark(top string) string { return filepath.Join(top, looseMark) }

// MarkOf returns what a mark in [Store] is of, for people: a file or folder with all that is in it, or the folder of which
// only the name is marked, or that in which a command was at work.
func MarkOf(mark string) (path string, name, command bool) {
	switch filepath.Base(mark) {
	case NameMark:
		return filepath.Dir(mark), true, false
	case looseMark:
		return filepath.Dir(mark), false, true
	}
	return mark, false, false
}

// Tracker finds out and marks where the content of the files in a tree comes from.
type Tracker struct {
	tree    *tree.Tree
	store   Store        // nil: nothing is known
	kept    Kept         // nil: nothing can be brought back
	reading sync.RWMutex // held for reading from before files are looked at until it is known where they come from
	patient int          // so many marks are put up with before they are looked through; guarded by reading

	mu       sync.Mutex
	commands int         // at work
	loose    event.Label // untrusted while one of them may write what strangers had a hand in
	begun    bool        // what a killed hob left was looked for
	owed     bool        // what a command has changed could not be marked: all of the workspace must be
}

// New returns the tracker of a tree. store may be nil: then nothing is known. kept may be nil: then nothing is brought back.
func New(t *tree.Tree, store Store, kept Kept) *Tracker {
	return &Tracker{tree: t, store: store, kept: kept, patient: manyMarks}
}

// Known reports whether it is kept where files come from.
func (o *Tracker) Known() bool { return o.store != nil }

// top is the workspace, without links.
func (o *Tracker) top() string { return o.tree.Workspace().Real }

// Look is called before files are looked at that a result will show; what it returns when their label is known. In
// between no mark is forgotten.
func (o *Tracker) Look() (done func()) {
	if o.store == nil {
		return func() {}
	}
	o.reading.RLock()
	return o.reading.RUnlock
}

// Shown are paths whose content or names a result shows, and with false the marks of names.
type Shown map[string]bool

// Add adds a file or folder that is shown under its path in the folder top; both are absolute.
func (s Shown) Add(top, path string) {
	s[path] = true
	rel, ok := tree.Inside(top, path)
	for ok && rel != "." {
		mark := filepath.Join(top, rel, NameMark)
		if _, known := s[mark]; known {
			return
		}
		s[mark], rel = false, filepath.Dir(rel)
	}
}

// AddPath adds the name p.
func (s Shown) AddPath(p tree.Path) {
	path, _ := p.Real()
	s.Add(p.In.Real, path)
}

// Label is the label of a result about p that shows those files.
func (o *Tracker) Label(ctx context.Context, p tree.Path, shown Shown) event.Label {
	l := event.Label{Private: true, Source: "file:" + p.Shown()}
	if o.store == nil {
		return l
	}
	o.mu.Lock()
	l.Untrusted = o.loose.Untrusted
	o.mu.Unlock()
	paths := []string{LooseMark(o.top())}
	for path, file := range shown {
		paths = append(paths, path)
		if file && strings.Contains(path, "/"+tree.TempPrefix) {
			l.Untrusted = true // nobody looks after what has such names
		}
	}
	if l.Untrusted {
		return l
	}
	marks, err := o.store.Of(ctx, paths)
	l.Untrusted = err != nil // what cannot be known may be anybody's
	for _, m := range marks {
		l.Untrusted = l.Untrusted || m.Untrusted
	}
	return l
}

// Beside is the result beside an error about p, whose words may hold a line of that file, or names of those beside it.
func (o *Tracker) Beside(ctx context.Context, p tree.Path, bad *tools.Error) (tools.Result, error) {
	if o.store == nil || p.In == nil {
		return tools.Result{}, bad
	}
	path, _ := p.Real()
	shown := Shown{}
	shown.Add(p.In.Real, path)
	for _, name := range o.tree.Near(p) {
		shown.Add(p.In.Real, filepath.Join(filepath.Dir(path), name))
	}
	return tools.Result{Label: o.Label(ctx, p, shown)}, bad
}

// RealPath is [tree.RealPath] where it matters where files come from.
func (o *Tracker) RealPath(file *os.File) (string, error) {
	if o.store == nil {
		return "", nil
	}
	return tree.RealPath(file)
}

// Mark makes it durable that strangers may have had a hand in what is about to be written to those paths, if the call was
// made from anything of theirs.
func (o *Tracker) Mark(ctx context.Context, p tree.Path, paths ...string) *tools.Error {
	from := tools.CallerFrom(ctx).Label
	if o.store == nil || !from.Untrusted || len(paths) == 0 {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	err := o.store.Mark(ctx, paths, from)
	if err == nil && o.commands > 0 {
		err = o.markLoose(ctx, from) // one of them may read it, and take it anywhere
	}
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return p.Waiting(ctx)
	}
	return tools.StorageFailed("%s was not changed, because it could not be kept that its content comes from elsewhere: %s",
		p.Name(), display.Reason(err))
}

// WithOrigin returns ctx for writing the content of the file at that absolute path anew: its caller has the label of the file,
// too, so that what is written is marked as that is.
func (o *Tracker) WithOrigin(ctx context.Context, p tree.Path, path string) (context.Context, *tools.Error) {
	if o.store == nil {
		return ctx, nil
	}
	marks, err := o.store.Of(ctx, []string{path, LooseMark(o.top())})
	if err != nil && ctx.Err() != nil {
		return ctx, p.Waiting(ctx)
	} else if err != nil {
		return ctx, tools.StorageFailed("%s was not changed, because it is not known where its content comes from: %s",
			p.Name(), display.Reason(err))
	}
	o.mu.Lock()
	label := o.loose
	o.mu.Unlock()
	for _, mark := range slices.Sorted(maps.Keys(marks)) {
		label = marks[mark].Join(label)
	}
	caller := tools.CallerFrom(ctx)
	caller.Label = caller.Label.Join(label)
	return tools.WithCaller(ctx, caller), nil
}

// MarkFolders marks the names of the folders that will be made for p.
func (o *Tracker) MarkFolders(ctx context.Context, p tree.Path) *tools.Error {
	if o.store == nil || !tools.CallerFrom(ctx).Label.Untrusted {
		return nil
	}
	path, missing := p.Real()
	var names []string
	for dir := filepath.Dir(path); missing > 0; dir, missing = filepath.Dir(dir), missing-1 {
		names = append(names, filepath.Join(dir, NameMark))
	}
	return o.Mark(ctx, p, names...)
}
