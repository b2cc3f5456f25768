package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"hob/internal/atomicfile"
	"hob/internal/tomlfile"
)

// SetModel writes the model's name into the [ollama] table of the file at path. It makes the file, and its folder,
// where there is none. All other bytes of the file stay. The new file replaces the old one in one step and keeps its
// mode and owner; of two calls at once the last one wins. A file that does not parse is refused.
func SetModel(path, name string) error {
	_, err := checkModel(name)
	if err == nil && name == "" {
		err = errors.New("must not be empty")
	}
	if err != nil {
		return fmt.Errorf("set model: the name %w", err)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // replace the file, not the link to it
	}
	src, err := read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("set model: %w", err)
	}
	if _, bad := tomlfile.Decode(src); bad != nil {
		return fmt.Errorf("set model: %s: %w; mend it first", path, bad)
	}
	edited, ok := tomlfile.Set(src, "ollama", "model", name)
	switch {
	case !ok:
		return fmt.Errorf("set model: %s is written in a way that cannot be edited safely; put model = %s into its [ollama] table yourself", path, tomlfile.Quote(name))
	case edited == src:
		return nil
	}
	if err := replaceFile(path, edited); err != nil {
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
			return fmt.Errorf("set model: %s cannot be changed from here: %w; as its owner, put model = %s into its [ollama] table", path, err, tomlfile.Quote(name))
		}
		return fmt.Errorf("set model: %w", err)
	}
	return nil
}

// replaceFile replaces the file at path, or makes it. The new one has the mode and the owner of the old one. A new file can be read by
// all: it holds no secret, and a daemon with a user of its own has to read what root wrote.
func replaceFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	mode := fs.FileMode(0o644)
	old, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("look at old file: %w", err)
	case !old.Mode().IsRegular():
		return fmt.Errorf("replace file: %s is no regular file", path)
	default:
		mode = old.Mode().Perm()
	}
	return atomicfile.Replace(path, mode, func(f *os.File) error {
		if old != nil {
			if err := keepOwner(f, old); err != nil {
				return err
			}
		}
		if _, err := f.WriteString(text); err != nil {
			return fmt.Errorf("write new file: %w", err)
		}
		return nil
	})
}

// keepOwner gives f the owner of the old file.
func keepOwner(f *os.File, old fs.FileInfo) error {
	owner, ok := old.Sys().(*syscall.Stat_t)
	if !ok || int(owner.Uid) == os.Geteuid() && int(owner.Gid) == os.Getegid() {
		return nil
	}
	if err := f.Chown(int(owner.Uid), int(owner.Gid)); err != nil {
		return fmt.Errorf("keep the file's owner: %w", err)
	}
	return nil
}
