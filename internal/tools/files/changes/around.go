package changes

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"hob/internal/event"
	"hob/internal/tools/files/tree"
)

// Planned is what somebody else is about to make of a file or folder.
type Planned struct {
	Path string // absolute
	Kind event.FileKind
	Text string
	Mode fs.FileMode // of a new one; one that is there keeps its own
}

// state is what is at its path afterwards, where before was.
func (p Planned) state(before event.FileState) event.FileState {
	st := event.FileState{Kind: p.Kind, Mode: p.Mode}
	if before.Kind == p.Kind {
		st.Mode = before.Mode
	}
	if p.Kind != event.Folder {
		sum := sha256.Sum256([]byte(p.Text))
		st.Size, st.Sum = int64(len(p.Text)), hex.EncodeToString(sum[:])
	}
	return st
}

// Around keeps changes that do makes of some files and folders, all by one call, as the changes of tools are kept: announced before, and
// settled after. They are those of the cause of ctx, and are taken back together.
func (w *Writer) Around(ctx context.Context, all []Planned, do func() error) error {
	cause, _ := event.CauseFrom(ctx)
	var begun []int64
	settle := func(happened bool) {
		for _, id := range begun {
			w.settle(ctx, id, happened)
		}
	}
	for _, p := range all {
		c, err := w.announce(ctx, p, cause)
		if err != nil {
			settle(false)
			return err
		}
		cause.Part = cmp.Or(cause.Part, c.ID)
		begun = append(begun, c.ID)
	}
	err := do()
	settle(err == nil)
	return err
}

// announce has it kept that p is about to be made.
func (w *Writer) announce(ctx context.Context, p Planned, cause event.Cause) (event.Change, error) {
	if dir, err := filepath.EvalSymlinks(filepath.Dir(p.Path)); err == nil {
		p.Path = filepath.Join(dir, filepath.Base(p.Path))
	}
	c := event.Change{Cause: cause, Path: p.Path}
	at, bad := w.tree.Resolve(p.Path)
	if bad != nil {
		return c, bad
	}
	if c.Before, bad = w.tree.StateAt(at); bad != nil {
		return c, bad
	}
	var image []byte
	if c.Before.Kind == event.RegFile {
		var err error
		if image, err = os.ReadFile(p.Path); err != nil {
			return c, err
		}
	}
	c.After = p.state(c.Before)
	id, err := w.log.Keep(ctx, c, image)
	c.ID = id
	return c, err
}

// Beside returns a writer that takes back what another has changed, too: the files of the paths that are the other's, which it alone
// reaches.
func (w *Writer) Beside(other *Writer, isOthers func(path string) bool) *Writer {
	both := *w
	both.other, both.isOthers = other, isOthers
	return &both
}

// of returns who changes the file at a path, and where it is for them.
func (w *Writer) of(path string) (*Writer, tree.Path, error) {
	by := w
	if w.other != nil && w.isOthers(path) {
		by = w.other
	}
	at, bad := by.tree.Resolve(path)
	if bad != nil {
		return by, at, errors.New("it is in none of the folders that are open to hob now")
	}
	return by, at, nil
}
