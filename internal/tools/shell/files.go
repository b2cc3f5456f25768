package shell

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"hob/internal/event"
	"hob/internal/linux"
)

// Bounds on what a command may name.
const (
	maxNamed    = 64       // files
	maxPatterns = 16       // patterns of names
	maxWithin   = 4        // command lines within command lines
	maxFolders  = 8        // folders that names may be relative to
	maxSummed   = 16 << 20 // bytes of a file that is read to the end
)

// naming finds the files that a command names.
type naming struct {
	ctx        context.Context
	root       *os.Root
	dirs       []string // the workspace's names, all absolute
	unconfined bool     // what lies outside the workspace could be run, too

	folders    []nameBase // that names may be relative to; the workspace is the first
	patterns   int
	tried      map[string]bool // whether there is anything of that name
	lines      map[line]bool
	gitSeen    bool              // git's were looked at
	found      map[string]string // sums, by path in the workspace; "" is not there
	roles      map[string]role   // what the command does with a file, by path
	unchanged  bool              // nothing that came before in the line could change a file
	now        role              // what it does with the word that is looked at
	copying    bool              // the bytes of files that run are kept
	copied     int64             // so many
	copies     map[string]*os.File
	incomplete bool // there may be more that cannot be told
}

// nameBase is a folder in the workspace from which names go out.
type nameBase struct {
	rel     string // "." is the workspace
	entered bool   // the command goes there, and does not just name it
}

// A role is what a command does with a file that it names, as far as its words tell; they add up.
type role uint8

const (
	runs  role = 1 << iota // it runs it, or has an interpreter run it
	early                  // and nothing before that could change it
	uses                   // something else, too: it may change it
)

// filesNamed returns the files in the workspace that a command names, by path, and whether there may be more that cannot
// be told. dirs are the workspace's names, the first without links.
func filesNamed(ctx context.Context, dirs []string, language, text string, far bool) ([]event.BoundFile, bool, error) {
	root, err := os.OpenRoot(dirs[0])
	if err != nil {
		return nil, false, fmt.Errorf("look at what the command would run: %w", err)
	}
	defer root.Close()
	n := newNaming(ctx, root, dirs, far)
	files, err := n.files(language, text)
	return files, n.incomplete, err
}

func newNaming(ctx context.Context, root *os.Root, dirs []string, far bool) *naming {
	return &naming{ctx: ctx, root: root, dirs: dirs, unconfined: far, folders: []nameBase{{".", true}}, unchanged: true,
		tried: map[string]bool{}, lines: map[line]bool{}, found: map[string]string{}, roles: map[string]role{}, copies: map[string]*os.File{}}
}

// files returns the files that a command names, by path.
func (n *naming) files(language, text string) ([]event.BoundFile, error) {
	if language == "python" || language == "node" {
		n.modules(language, text)
	} else {
		n.enter(text, 0)
		n.line(text, true, 0)
	}
	for _, literal := range literals(text) { // whatever the reading made of it
		n.argument(literal, false)
	}
	if err := context.Cause(n.ctx); err != nil {
		return nil, err
	}
	if len(n.found) > maxNamed || n.patterns > maxPatterns {
		return nil, fmt.Errorf("the command names too many files to be approved, more than %d: name fewer of them", maxNamed)
	}
	files := make([]event.BoundFile, 0, len(n.found))
	for _, name := range slices.Sorted(maps.Keys(n.found)) {
		sum := n.found[name]
		if sum == toSum {
			var err error
			if sum, err = n.sum(name); err != nil {
				return nil, fmt.Errorf("look at what the command would run: %w", err)
			}
		}
		files = append(files, event.BoundFile{Path: name, Sum: sum})
	}
	return files, nil
}

// toSum stands for the sum of a file that is there.
const toSum = "?"

// inside returns the path in the workspace of a name in one of its folders. It reports false for what is outside.
func (n *naming) inside(name, folder string) (string, bool) {
	if name == "" || len(name) > 4096 || strings.ContainsRune(name, 0) {
		return "", false
	}
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		name, folder = strings.TrimLeft(rest, "/"), "."
	}
	for _, dir := range n.dirs {
		if rest, ok := strings.CutPrefix(name, dir); ok && (rest == "" || rest[0] == '/') {
			name, folder = strings.TrimLeft(rest, "/"), "."
		}
	}
	if strings.HasPrefix(name, "/") {
		return "", false
	}
	rel := folder + "/" + name
	clean := path.Clean(rel)
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return "", false
	}
	if slices.Contains(strings.Split(rel, "/"), "..") {
		return rel, true // which is not the same where a folder is a link
	}
	return clean, true
}

// system reports whether a path is one of those that belong to the system.
func system(name string) bool {
	name = path.Clean(name)
	for _, dir := range []string{"/bin/", "/sbin/", "/usr/", "/lib", "/etc/", "/dev/", "/proc/", "/sys/", "/opt/"} {
		if strings.HasPrefix(name, dir) {
			return !strings.HasPrefix(name, "/dev/shm/")
		}
	}
	return false
}

// name looks a name up in all folders that it may be relative to.
func (n *naming) name(name string, missing bool) {
	for _, folder := range n.folders {
		rel, ok := n.inside(name, folder.rel)
		if !ok {
			n.incomplete = n.incomplete || n.unconfined && missing && !system(name)
			continue
		}
		n.look(rel, missing && folder.entered)
	}
}

// glob looks up the files that a pattern stands for, which must all stay what they are.
func (n *naming) glob(pattern string) {
	if n.patterns++; n.patterns > maxPatterns {
		return
	}
	for _, folder := range n.folders {
		rel, ok := n.inside(pattern, folder.rel)
		if !ok {
			n.incomplete = n.incomplete || n.unconfined && !system(pattern)
			continue
		}
		all, err := fs.Glob(n.root.FS(), path.Clean(rel))
		if err != nil || n.ctx.Err() != nil {
			return // to a shell it is no pattern either, and the word as it stands was looked up
		}
		for _, file := range all[:min(len(all), maxNamed+1)] {
			n.look(file, false)
		}
	}
}

func (n *naming) isFolder(rel string) bool {
	info, err := n.root.Stat(rel)
	return err == nil && info.IsDir()
}

// look adds a file if it is there, or else if missing says so.
func (n *naming) look(rel string, missing bool) {
	n.roles[rel] |= n.now
	if was, ok := n.tried[rel]; n.ctx.Err() != nil || ok && (was || !missing) {
		return
	}
	info, err := n.root.Stat(rel)
	gone := errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ENAMETOOLONG)
	n.tried[rel] = !gone
	switch {
	case err == nil && info.Mode().IsRegular():
		n.found[rel] = toSum
	case err != nil && !gone:
		n.incomplete = true // a link that leads out, or a folder that is closed
	case gone && missing:
		n.found[rel] = ""
	}
}

// sum is the SHA-256 of a file, or what stands for it; "" if it has gone meanwhile.
func (n *naming) sum(rel string) (string, error) {
	// A pipe that took its place must not be waited for, and who watches it need not see that it is looked at.
	f, err := n.root.OpenFile(rel, os.O_RDONLY|unix.O_NONBLOCK|linux.ONoAtime, 0)
	if errors.Is(err, unix.EPERM) { // it is somebody else's
		f, err = n.root.OpenFile(rel, os.O_RDONLY|unix.O_NONBLOCK, 0)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if errors.Is(err, fs.ErrPermission) {
		info, err := n.root.Stat(rel)
		if err != nil {
			return "", err
		}
		return insteadOfSum(info), nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSummed {
		return insteadOfSum(info), nil
	}
	h := sha256.New()
	to, err := n.copyOf(rel, info, h)
	if err != nil {
		return "", err
	}
	size, err := io.Copy(to, io.LimitReader(f, maxSummed+1))
	if err != nil {
		return "", err
	}
	if size > maxSummed {
		return insteadOfSum(info), nil
	}
	return hex.EncodeToString(h.Sum(nil)), cmp.Or(context.Cause(n.ctx))
}

// insteadOfSum says of a file what changes with any write to it.
func insteadOfSum(info fs.FileInfo) string {
	changed, number := info.ModTime(), uint64(0)
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		changed, number = linux.ChangeTime(st), st.Ino
	}
	return fmt.Sprintf("%d bytes, file %d, changed %s", info.Size(), number, changed.UTC().Format(time.RFC3339Nano))
}
