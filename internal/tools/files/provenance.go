package files

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
	"hob/internal/tools/phrase"
)

// Where the content of files comes from is kept in [Origins], by the path. Two marks there are of no file. They have names
// that no tool writes, so that nothing is ever there:
//
//   - FOLDER/.hob-tmp-name says of the name of a folder what a mark of the folder would say of all that is in it.
//   - WORKSPACE/.hob-tmp-command is there while a command is at work that may write what strangers had a hand in. It holds
//     for the whole workspace. When the command has ended, what it changed is marked first and then this is taken away; a
//     hob that was killed before that leaves it there, and the next one makes it a mark of the workspace.
const (
	nameMark  = tree.TempPrefix + "name"
	looseMark = tree.TempPrefix + "command"
)

// MarkOf returns what a mark in [Origins] is of, for people: a file or folder with all that is in it, or the folder of which
// only the name is marked, or that in which a command was at work.
func MarkOf(mark string) (path string, name, command bool) {
	switch filepath.Base(mark) {
	case nameMark:
		return filepath.Dir(mark), true, false
	case looseMark:
		return filepath.Dir(mark), false, true
	}
	return mark, false, false
}

// provenance is what a Tool knows of where the content of its files comes from. A nil one knows nothing.
//
// What is marked stays marked until nothing is there any more and no content of it is kept for undo: what is brought back
// is what it was. See [Tool.prune].
type provenance struct {
	store   Origins
	top     string       // the workspace, without links
	reading sync.RWMutex // held for reading from before files are looked at until it is known where they come from
	patient int          // so many marks are put up with before they are looked through; guarded by reading

	mu       sync.Mutex
	commands int         // at work
	loose    event.Label // untrusted while one of them may write what strangers had a hand in
	begun    bool        // what a killed hob left was looked for
	owed     bool        // what a command has changed could not be marked: all of the workspace must be
}

// look is called before files are looked at that a result will show; what it returns when their label is known. In
// between no mark is forgotten.
func (o *provenance) look() (done func()) {
	if o == nil {
		return func() {}
	}
	o.reading.RLock()
	return o.reading.RUnlock
}

// shownFiles are paths whose content or names a result shows, and with false the marks of names.
type shownFiles map[string]bool

// add adds a file or folder that is shown under its path in the folder top; both are absolute.
func (s shownFiles) add(top, path string) {
	s[path] = true
	rel, ok := tree.Inside(top, path)
	for ok && rel != "." {
		mark := filepath.Join(top, rel, nameMark)
		if _, known := s[mark]; known {
			return
		}
		s[mark], rel = false, filepath.Dir(rel)
	}
}

// labelOf is the label of a result about s that shows those files.
func (f *Tool) labelOf(ctx context.Context, p tree.Path, shown shownFiles) event.Label {
	l, o := label(p), f.origins
	if o == nil {
		return l
	}
	o.mu.Lock()
	l.Untrusted = o.loose.Untrusted
	o.mu.Unlock()
	paths := []string{filepath.Join(o.top, looseMark)}
	for path, file := range shown {
		paths = append(paths, path)
		if file && strings.Contains(path, "/"+tree.TempPrefix) {
			l.Untrusted = true // nobody looks after what has such names
		}
	}
	if l.Untrusted {
		return l
	}
	marks, err := o.store.OriginsOf(ctx, paths)
	l.Untrusted = err != nil // what cannot be known may be anybody's
	for _, m := range marks {
		l.Untrusted = l.Untrusted || m.Untrusted
	}
	return l
}

// beside is the result beside an error about p, whose words may hold a line of that file, or names of those beside it.
func (f *Tool) beside(ctx context.Context, p tree.Path, bad *tools.Error) (tools.Result, error) {
	if f.origins == nil || p.In == nil {
		return tools.Result{}, bad
	}
	path, _ := p.Real()
	shown := shownFiles{}
	shown.add(p.In.Real, path)
	for _, name := range f.tree.Near(p) {
		shown.add(p.In.Real, filepath.Join(filepath.Dir(path), name))
	}
	return tools.Result{Label: f.labelOf(ctx, p, shown)}, bad
}

// realOf is realPath where it matters where files come from.
func (f *Tool) realOf(file *os.File) (string, error) {
	if f.origins == nil {
		return "", nil
	}
	return tree.RealPath(file)
}

// mark makes it durable that strangers may have had a hand in what is about to be written to those paths, if the call was
// made from anything of theirs.
func (f *Tool) mark(ctx context.Context, p tree.Path, paths ...string) *tools.Error {
	o, from := f.origins, tools.CallerFrom(ctx).Label
	if o == nil || !from.Untrusted || len(paths) == 0 {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	err := o.store.MarkOrigins(ctx, paths, from)
	if err == nil && o.commands > 0 {
		err = o.loosen(ctx, from) // one of them may read it, and take it anywhere
	}
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return p.Waiting(ctx)
	}
	return &tools.Error{
		Type: event.TypeStorage, Code: event.CodeExecutionFailed,
		Message: p.Name() + " was not changed, because it could not be kept that its content comes from elsewhere: " + phrase.Plain(err),
	}
}

// markFolders marks the names of the folders that will be made for p.
func (f *Tool) markFolders(ctx context.Context, p tree.Path) *tools.Error {
	if f.origins == nil || !tools.CallerFrom(ctx).Label.Untrusted {
		return nil
	}
	path, missing := p.Real()
	var names []string
	for dir := filepath.Dir(path); missing > 0; dir, missing = filepath.Dir(dir), missing-1 {
		names = append(names, filepath.Join(dir, nameMark))
	}
	return f.mark(ctx, p, names...)
}

// newProvenance says what a Tool with those folders knows.
func newProvenance(cfg Config, top string) (*provenance, error) {
	if cfg.Origins == nil {
		return nil, nil
	}
	if _, ok := cfg.Keeper.(Recorder); !ok && !cfg.ReadOnly {
		return nil, errors.New("open the workspace: where files come from is to be kept, and nobody looks after what commands change")
	}
	return &provenance{store: cfg.Origins, top: top, patient: manyMarks}, nil
}
