package folder

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// place is where the folder of a skill is.
type place struct {
	dir   string // absolute
	in    string // the folder that dir must really lie in, "" where any will do
	shown string // how problems name it
}

// openFolder is the folder of a skill, open for one reading. What happens to its name meanwhile matters no more.
type openFolder struct{ root *os.Root }

// Errors that a person or a model is told in these words.
var (
	errLinkedFolder = errors.New("it is a link: put the folder itself here, hob follows no links to skills")
	errNoFolder     = errors.New("it is no folder")
	errHardLink     = errors.New("it has a second name (a hard link), by which it may be a file from elsewhere: put a copy in its place")
	errEscapes      = errors.New("it is a link that leads out of the folder: put a copy in its place")
)

func (p place) open() (*openFolder, error) {
	if p.in == "" {
		root, err := openRoot(p.dir)
		return &openFolder{root: root}, err
	}
	above, err := openRoot(p.in)
	if err != nil {
		return nil, err
	}
	defer above.Close()
	name := filepath.Base(p.dir)
	info, err := above.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errLinkedFolder
	case !info.IsDir():
		return nil, errNoFolder
	}
	root, err := above.OpenRoot(name)
	return &openFolder{root: root}, err
}

// openRoot opens a folder. It looks first, because opening a named pipe would wait for somebody to write to it.
func openRoot(dir string) (*os.Root, error) {
	if info, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, errNoFolder
	}
	return os.OpenRoot(dir)
}

func (o *openFolder) close() {
	if o.root != nil {
		o.root.Close()
	}
}

// readSkillFile returns SKILL.md, cut where it is too large, and how large it is.
func (o *openFolder) readSkillFile() ([]byte, int64, error) {
	file, info, err := o.file(skillFile)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, maxSkillFile+1))
	return raw, max(info.Size(), int64(len(raw))), err
}

// file opens a regular file with one name.
func (o *openFolder) file(name string) (fs.File, fs.FileInfo, error) {
	info, err := o.root.Stat(name) // before opening: opening a device can do something
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		return nil, nil, err
	}
	// It may be another by now, which must neither block nor become ours, and is found out below.
	file, err := o.root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err = file.Stat()
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// regular is nil for a regular file that has no other name. A hard link reaches any file of the machine from within a folder,
// and an archive that somebody unpacked may hold one.
func regular(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return errors.New("it is a folder")
	case mode&fs.ModeNamedPipe != 0:
		return errors.New("it is a named pipe and no file: remove it")
	case mode&fs.ModeDevice != 0:
		return errors.New("it is a device and no file: remove it")
	case !mode.IsRegular():
		return errors.New("it is no regular file: remove it")
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Nlink > 1 {
		return errHardLink
	}
	return nil
}

// isMissing reports whether there is nothing of that name.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) }

// explainError is an error without the operation and the path, in words that help.
func explainError(err error) error {
	e := (*fs.PathError)(nil)
	if !errors.As(err, &e) || e.Err == nil {
		return err
	}
	switch {
	case e.Err.Error() == "path escapes from parent": // os.Root has no exported error for it
		return errEscapes
	case errors.Is(e.Err, fs.ErrPermission):
		return errors.New("hob may not read it: give its user the right to")
	case errors.Is(e.Err, unix.ELOOP):
		return errors.New("it is a link that leads to itself: remove it")
	case errors.Is(e.Err, fs.ErrNotExist):
		return errors.New("it is not there")
	}
	return e.Err
}

// likeSkillFile returns a name in the folder that was probably meant to be SKILL.md.
func (o *openFolder) likeSkillFile() string {
	entries, _ := o.list(".")
	for _, e := range entries {
		if strings.EqualFold(e.Name(), skillFile) || strings.EqualFold(e.Name(), "skill.md.txt") || strings.EqualFold(e.Name(), "skills.md") {
			return e.Name()
		}
	}
	return ""
}

// list returns what is in a folder, from a to z, and whether that is all.
func (o *openFolder) list(name string) (entries []fs.DirEntry, all bool) {
	dir, err := o.root.OpenFile(name, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, false
	}
	defer dir.Close()
	entries, err = dir.ReadDir(2 * maxFiles)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, len(entries) < 2*maxFiles && (err == nil || err == io.EOF)
}

// walk names the files of the folder that can be pages, from a to z. Hidden ones and what programs leave behind are none.
func (r *reading) walk(in *openFolder) []string {
	var names []string
	looked, full := 0, false
	var into func(dir string, depth int)
	into = func(dir string, depth int) {
		if depth > maxDepth {
			r.add(Warning, dir, 0, "folders are looked into %d deep, and this one is left out: move it up", maxDepth)
			return
		}
		entries, all := in.list(dir)
		if !all {
			r.add(Warning, dir, 0, "the folder cannot be read, or has more than %d names, and some are left out", 2*maxFiles)
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			looked++
			switch {
			case len(names) >= maxFiles, looked > 5*maxFiles:
				full = true
				return
			case strings.HasPrefix(e.Name(), "."), e.Name() == "node_modules", e.Name() == "__pycache__", name == skillFile:
			case e.IsDir():
				into(name, depth+1)
			case r.page(in, name):
				names = append(names, name)
			}
		}
	}
	into(".", 0)
	if full {
		r.add(Warning, "", 0, "there are more than %d files, and the rest is not listed: move out what the skill does not need", maxFiles)
	}
	slices.Sort(names)
	return names
}

// page reports whether a file can be listed, and warns where it cannot.
func (r *reading) page(in *openFolder, name string) bool {
	if _, hides := hiddenRune(name); hides || strings.ContainsAny(name, "\n\r\t\\") || !fs.ValidPath(name) {
		r.add(Warning, "", 0, "the file name %+q has characters that cannot be asked for, and is left out: rename it", name)
		return false
	}
	info, err := in.root.Stat(name)
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		r.add(Warning, name, 0, "%s; it is left out", explainError(err))
		return false
	}
	return true
}
