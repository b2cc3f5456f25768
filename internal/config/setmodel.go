package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"

	"github.com/BurntSushi/toml"

	"hob/internal/atomicfile"
)

// SetModel writes the model's name into the [ollama] table of the file at path. It makes the file, and its folder,
// where there is none. All other bytes of the file stay. The new file replaces the old one in one step and keeps its
// mode and owner; of two calls at once the last one wins. A file that does not parse is refused.
func SetModel(path, name string) error {
	err := checkModel(name)
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
	edited, err := withModel(path, src, name)
	if err != nil {
		return fmt.Errorf("set model: %w", err)
	}
	if edited == src {
		return nil
	}
	if err := replaceFile(path, edited); err != nil {
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
			return fmt.Errorf("set model: %s cannot be changed from here: %w; as its owner, put model = %s into its [ollama] table", path, err, quote(name))
		}
		return fmt.Errorf("set model: %w", err)
	}
	return nil
}

// withModel returns src with the one value changed. It is its own judge: what the decoder reads in the new text is
// what it read in the old one, but for this value, or it is an error.
func withModel(path, src, name string) (string, error) {
	before, err := decode(path, src)
	if err != nil {
		return "", err
	}
	edited := insertModel(src, quote(name))
	after, err := decode(path, edited)
	if err == nil {
		table, isTable := before["ollama"].(map[string]any)
		if !isTable {
			table = map[string]any{}
		}
		table["model"] = name
		before["ollama"] = table
		if reflect.DeepEqual(before, after) {
			return edited, nil
		}
	}
	return "", fmt.Errorf("%s is written in a way that cannot be edited safely; put model = %s into its [ollama] table yourself", path, quote(name))
}

func decode(path, src string) (map[string]any, error) {
	tree := map[string]any{}
	if _, err := toml.Decode(src, &tree); err != nil {
		return nil, fmt.Errorf("%w; mend it first", syntax(path, src, err))
	}
	return tree, nil
}

func insertModel(src, value string) string {
	l, model, table := scan(src), []string{"ollama", "model"}, []string{"ollama"}
	newline := "\n"
	if strings.Contains(src, "\r\n") {
		newline = "\r\n"
	}
	put := func(from, to int, s string) string { return src[:from] + s + src[to:] }

	for _, e := range l.entries {
		if slices.Equal(e.path, model) {
			return put(e.start, e.end, value)
		}
	}
	for _, h := range l.headers {
		if slices.Equal(h.path, table) {
			line := "model = " + value + newline
			if !strings.HasSuffix(src[:h.after], "\n") {
				line = newline + line
			}
			return put(h.after, h.after, line)
		}
	}
	for _, e := range l.entries {
		switch {
		case slices.Equal(e.path, table) && e.start < len(src) && src[e.start] == '{': // ollama = { host = "..." }
			inside := strings.TrimSpace(src[e.start+1 : max(e.start+1, e.end-1)])
			if inside == "" {
				return put(e.start, e.end, "{ model = "+value+" }")
			}
			return put(e.start+1, e.start+1, " model = "+value+",")
		case e.under == 0 && !e.inline && len(e.path) > 1 && e.path[0] == "ollama": // ollama.host = "..."
			return put(e.at, e.at, "ollama.model = "+value+newline)
		}
	}
	end := ""
	switch {
	case src != "" && !strings.HasSuffix(src, "\n"):
		end = newline + newline
	case src != "":
		end = newline
	}
	return src + end + "[ollama]" + newline + "model = " + value + newline
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
