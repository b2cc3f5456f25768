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

	"hob/internal/atomicfile"
	"hob/internal/lists"
	"hob/internal/tomlfile"
)

// Editor writes configuration files.
type Editor struct {
	// Keep replaces a file so that it can be taken back: replace writes text in the place of the file at path. nil: nobody keeps what
	// is replaced.
	Keep func(path, text string, replace func() error) error
}

// replace puts text in the place of the file at path.
func (e Editor) replace(path, text string) error {
	if e.Keep == nil {
		return replaceFile(path, text)
	}
	return e.Keep(path, text, func() error { return replaceFile(path, text) })
}

// SetModel writes the model's name into the [ollama] table of the file at path, as [Editor.Set] does.
func (e Editor) SetModel(path, name string) error {
	_, err := checkModel(name)
	if err == nil && name == "" {
		err = errors.New("must not be empty")
	}
	if err != nil {
		return fmt.Errorf("set model: the name %w", err)
	}
	return e.edit(path, "set model", "ollama", "model", tomlfile.Quote(name), name)
}

// Keys are the names of all keys that [Editor.Set] takes, such as "shell.timeout", in the order in which Show prints them.
func Keys() []string {
	c := Default()
	return lists.Map(keysOf(&c), func(k key) string { return k.table + "." + k.name })
}

// Set writes the value of a key such as "shell.timeout" into the file at path. The value is TOML, or the text that stands for it
// where it is a text: 5m is "5m". It makes the file, and its folder, where there is none. All other bytes of the file stay. The
// new file replaces the old one in one step and keeps its mode and owner; of two calls at once one waits. What [Check] would
// refuse in the new value is refused, and so is a file that does not parse.
func (e Editor) Set(path, name, value string) error {
	c := Default()
	all := keysOf(&c)
	i := slices.IndexFunc(all, func(k key) bool { return k.table+"."+k.name == name })
	if i < 0 {
		return noKey(all, name)
	}
	k := all[i]
	written, decoded, err := readValue(k, value)
	if err != nil {
		return fmt.Errorf("%s %w", k.path(), err)
	}
	return e.edit(path, "set "+name, k.table, k.name, written, decoded)
}

// Quoted is a name as an error shows it.
func Quoted(name string) string { return tomlfile.Name(name) }

// noKey is the error for a name of which there is no key.
func noKey(all []key, name string) error {
	if table, _, _ := strings.Cut(name, "."); table == "mcp" {
		return fmt.Errorf("%s is a matter of the file alone: hob config edit opens it, and docs/mcp.md has the keys of [mcp.NAME]", Quoted(name))
	}
	hint := nearest(name, Keys())
	if hint == "" {
		hint = nearest(name[strings.LastIndex(name, ".")+1:], lists.Map(all, func(k key) string { return k.name }))
	}
	if hint != "" {
		return fmt.Errorf("there is no key %s: did you mean %s?", Quoted(name), hint)
	}
	return fmt.Errorf("there is no key %s: hob config show lists them, as TABLE.KEY", Quoted(name))
}

// readValue reads a value for a key: as TOML, and where that is none, or no value for the key, as a text. It returns how the value
// is written, and what the decoder reads.
func readValue(k key, value string) (written string, decoded any, err error) {
	if tree, bad := tomlfile.Decode("v = " + value + "\n"); bad == nil && len(tree) == 1 {
		if err = k.set(tree["v"]); err == nil {
			return strings.TrimSpace(value), tree["v"], nil
		}
	}
	if asText := k.set(value); asText == nil || err == nil {
		return tomlfile.Quote(value), value, asText
	}
	return "", nil, err
}

// edit writes a value into the file at path. what names the act, for errors.
func (e Editor) edit(path, what, table, name, written string, value any) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // replace the file, not the link to it
	}
	unlock, err := lock(path)
	if err != nil {
		return fmt.Errorf("%s: %w", what, explainUnwritable(err, path, table, name, written))
	}
	defer unlock()
	src, err := read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", what, err)
	}
	if _, bad := tomlfile.Decode(src); bad != nil {
		return fmt.Errorf("%s: %s: %w; mend it first", what, path, bad)
	}
	edited, ok := tomlfile.Set(src, table, name, written, value)
	switch {
	case !ok:
		return fmt.Errorf("%s: %s is written in a way that cannot be edited safely; put %s = %s into its [%s] table yourself", what, path, name, written, table)
	case edited == src:
		return nil
	}
	if _, _, problems := parse(path, edited); len(problems) > 0 {
		if _, _, old := parse(path, src); len(old) == 0 {
			return fmt.Errorf("%s: %w", what, joinProblems(problems))
		}
	}
	if err := e.replace(path, edited); err != nil {
		return fmt.Errorf("%s: %w", what, explainUnwritable(err, path, table, name, written))
	}
	return nil
}

func explainUnwritable(err error, path, table, name, written string) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%s cannot be changed from here: %w; as its owner, put %s = %s into its [%s] table", path, err, name, written, table)
	}
	return err
}

// lock makes the folder of a file, and keeps other editors of the file waiting until unlock. It locks the folder: the file is
// replaced.
func lock(path string) (unlock func(), err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	return atomicfile.LockFolder(dir)
}

// Replace writes a whole configuration file, as an editor left it, if [Check] finds nothing wrong in it. before is what the file
// held when editing began: where it holds something else by now, nothing is written.
func (e Editor) Replace(path, before, text string) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if err := checkText(path, text); err != nil {
		return err
	}
	unlock, err := lock(path)
	if err != nil {
		return err
	}
	defer unlock()
	if src, err := read(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	} else if src != before {
		return fmt.Errorf("%s was changed meanwhile by somebody else: nothing is written", path)
	}
	return e.replace(path, text)
}

// Read returns the text of a configuration file; "" if there is none.
func Read(path string) (string, error) {
	src, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return src, err
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

// ChangesRights reports whether somebody may do anything else with one text of a configuration file than with another. What says only
// which model of the same servers answers, and what time it is, gives nobody a right.
func ChangesRights(before, after string) bool {
	a, errA := tomlfile.Decode(before)
	b, errB := tomlfile.Decode(after)
	if errA != nil || errB != nil {
		return before != after
	}
	for _, tree := range []map[string]any{a, b} {
		for _, harmless := range []string{"ollama.model", "time.zone", "time.place", "notify.quiet", "notify.per_hour"} {
			table, key, _ := strings.Cut(harmless, ".")
			if keys, ok := tree[table].(map[string]any); ok {
				if delete(keys, key); len(keys) == 0 {
					delete(tree, table)
				}
			}
		}
	}
	return !reflect.DeepEqual(a, b)
}
