package backup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// entry is something that lies in a part.
type entry struct {
	root *os.Root // of the part's folder, or of the folder that its file lies in
	rel  string
	name string // of the member
	info fs.FileInfo
}

func (e entry) path() string { return filepath.Join(e.root.Name(), e.rel) }

// walk visits what lies in a part, a folder before what it holds. It follows no links, and calls failed with what cannot be read.
// A file that is gone meanwhile was never there.
func walk(ctx context.Context, p part, visit func(entry) error, failed func(path string, err error)) error {
	at, rel := p.path, "."
	if !folders()[p.member] {
		at, rel = filepath.Split(p.path)
	}
	root, err := os.OpenRoot(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		failed(p.path, err)
		return nil
	}
	defer root.Close()
	var down func(rel, name string) error
	down = func(rel, name string) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		info, err := root.Lstat(rel)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				failed(filepath.Join(at, rel), err)
			}
			return nil
		}
		if err := visit(entry{root, rel, name, info}); err != nil || !info.IsDir() {
			return err
		}
		names, err := namesIn(root, rel)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed(filepath.Join(at, rel), err)
		}
		for _, n := range names {
			if err := down(filepath.Join(rel, n), name+"/"+n); err != nil {
				return err
			}
		}
		return nil
	}
	return down(rel, p.member)
}

func namesIn(root *os.Root, rel string) ([]string, error) {
	dir, err := root.OpenFile(rel, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}
