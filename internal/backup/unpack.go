package backup

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// unpacker writes members below folders that it never leaves.
type unpacker struct {
	roots map[string]*os.Root // by path
	dirs  []folder
}

// folder is one whose permissions and time are set when all is in it.
type folder struct {
	root *os.Root
	rel  string
	mode fs.FileMode
	time time.Time
}

// add writes a member at rel below path; "" is path itself.
func (u *unpacker) add(path, rel string, h *tar.Header, content io.Reader) error {
	above := filepath.Dir(path)
	root, err := u.root(above)
	if err != nil {
		return err
	}
	name := filepath.Join(filepath.Base(path), rel)
	if err := u.write(root, name, h, content); err != nil {
		return fmt.Errorf("unpack %s: %w", h.Name, err)
	}
	return nil
}

func (u *unpacker) root(path string) (*os.Root, error) {
	if r := u.roots[path]; r != nil {
		return r, nil
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	r, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	u.roots[path] = r
	return r, nil
}

func (u *unpacker) write(root *os.Root, name string, h *tar.Header, content io.Reader) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	mode := fs.FileMode(h.Mode).Perm()
	switch h.Typeflag {
	case tar.TypeDir:
		u.dirs = append(u.dirs, folder{root, name, mode, h.ModTime})
		return root.MkdirAll(name, 0o700)
	case tar.TypeSymlink:
		return root.Symlink(h.Linkname, name)
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	if err = errors.Join(err, f.Chmod(mode), f.Close()); err != nil {
		return err
	}
	return root.Chtimes(name, h.ModTime, h.ModTime)
}

// finish sets what folders are like, the innermost first.
func (u *unpacker) finish() error {
	for _, d := range slices.Backward(u.dirs) {
		if err := errors.Join(d.root.Chtimes(d.rel, d.time, d.time), d.root.Chmod(d.rel, d.mode)); err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
	}
	return nil
}

func (u *unpacker) close() {
	for _, r := range u.roots {
		r.Close()
	}
}
