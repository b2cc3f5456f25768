package tree

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/schema"
	"hob/internal/tools"
)

// Path is a name in an open folder. Nothing need be there.
type Path struct {
	In  *Top
	Rel string // clean and local; "." is the folder itself

	workspace bool // In is the workspace
}

// InWorkspace reports whether p lies in the workspace, and not in a granted folder.
func (p Path) InWorkspace() bool { return p.workspace }

// Shown is the name that people and models know p by: relative to the workspace, or absolute elsewhere.
func (p Path) Shown() string {
	if p.workspace && IsHandle(p.Rel) {
		return "./" + p.Rel
	}
	if p.workspace {
		return p.Rel
	}
	return filepath.Join(p.In.Dir, p.Rel)
}

// Name is [Path.Shown], quoted where it could be misread.
func (p Path) Name() string { return display.Quote(p.Shown()) }

// With is another name in the same open folder.
func (p Path) With(rel string) Path { return Path{In: p.In, Rel: rel, workspace: p.workspace} }

// At is a name in the workspace, clean and local.
func (t *Tree) At(rel string) Path { return Path{In: t.Workspace(), Rel: rel, workspace: true} }

// Resolve finds the open folder that path is in. It looks at no file.
func (t *Tree) Resolve(path string) (Path, *tools.Error) {
	switch {
	case strings.TrimSpace(path) == "":
		return Path{}, tools.Invalid(event.CodeRequiredField, "the path is empty")
	case strings.ContainsRune(path, 0):
		return Path{}, tools.Invalid(event.CodeInvalidValue, "the path %s holds a NUL", strconv.Quote(schema.Shorten(path)))
	case len(path) > MaxPath:
		return Path{}, tools.Invalid(event.CodeInvalidValue, "the path is longer than %d bytes", MaxPath)
	case !utf8.ValidString(path):
		return Path{}, tools.Invalid(event.CodeInvalidValue, "the path is not valid UTF-8")
	case IsHandle(path):
		return Path{}, notAFile(path)
	}
	if path == "~" || strings.HasPrefix(path, "~/") {
		path = "." + path[1:]
	}
	clean := filepath.Clean(path)
	if !filepath.IsAbs(clean) {
		if !filepath.IsLocal(clean) {
			return Path{}, tools.Denied(event.CodePathTraversal, "%s leads out of the workspace", display.Quote(path)).
				Suggest(`use a path inside the workspace; "." is its top`)
		}
		return t.At(clean), nil
	}
	best, depth := Path{}, -1
	for i := range t.tops {
		top := &t.tops[i]
		for _, dir := range []string{top.Dir, top.Real} {
			if rel, ok := Inside(dir, clean); ok && len(dir) > depth {
				best, depth = Path{In: top, Rel: rel, workspace: i == 0}, len(dir)
			}
		}
	}
	if depth < 0 {
		return Path{}, tools.Denied(event.CodePermissionDenied, "%s is outside of the workspace", display.Quote(path)).
			Suggest(`use a path relative to the workspace; "." is its top`)
	}
	return best, nil
}

// ResolveFile is [Tree.Resolve] for a file that is to be changed: the name of a folder is refused.
func (t *Tree) ResolveFile(path string) (Path, *tools.Error) {
	p, bad := t.Resolve(path)
	if last := path[strings.LastIndexByte(path, '/')+1:]; bad == nil && (last == "" || last == "." || last == ".." || p.Rel == ".") {
		bad = tools.Invalid(event.CodeInvalidValue, "%s is the name of a folder; add the name of a file", display.Quote(path))
	}
	return p, bad
}

// Inside returns path relative to dir, when it lies there. Both are clean and absolute.
func Inside(dir, path string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return rel, true
}

// Real returns the absolute path of p, without links in its folders as far as those exist, and how many do not.
func (p Path) Real() (path string, missing int) {
	if p.Rel == "." {
		return p.In.Real, 0
	}
	rest := filepath.Base(p.Rel)
	for dir := filepath.Dir(p.Rel); ; dir = filepath.Dir(dir) {
		if at, err := p.In.Root.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK, 0); err == nil {
			real, err := RealPath(at)
			at.Close()
			if err == nil {
				return filepath.Join(real, rest), missing
			}
		}
		if dir == "." {
			return filepath.Join(p.In.Real, p.Rel), missing
		}
		rest, missing = filepath.Join(filepath.Base(dir), rest), missing+1
	}
}

// OpenRegular opens a regular file for reading.
func (t *Tree) OpenRegular(p Path) (*os.File, fs.FileInfo, *tools.Error) {
	info, err := p.In.Root.Stat(p.Rel) // before opening: opening a device can do something
	if err != nil {
		return nil, nil, t.Missing(p, err)
	}
	if bad := p.Regular(info); bad != nil {
		return nil, nil, bad
	}
	// What was looked at may have been replaced by a FIFO, a terminal or a device by now: none of them may block or
	// become ours, and each is found out below.
	file, err := p.In.Root.OpenFile(p.Rel, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, t.Missing(p, err)
	}
	if info, err = file.Stat(); err != nil {
		file.Close()
		return nil, nil, p.Fault(err)
	}
	bad := p.Regular(info)
	if bad == nil {
		bad = t.Guard(p, file)
	}
	if bad != nil {
		file.Close()
		return nil, nil, bad
	}
	return file, info, nil
}

// Missing is [Path.Fault] for a file that should be there: it adds the names it may have been meant to be.
func (t *Tree) Missing(p Path, err error) *tools.Error {
	e := p.Fault(err)
	if e.Code != event.CodeFileNotFound {
		return e
	}
	e.Message = fmt.Sprintf("there is no file %s", p.Name())
	e.Suggestion = "use list_files to see what there is"
	if near := t.Near(p); len(near) > 0 {
		e.Suggestion = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return e
}

// Near returns files of p's own name in folders beside it, and names beside it that resemble its own, the nearest first: two at most.
func (t *Tree) Near(p Path) []string {
	dir, err := p.In.Root.Open(filepath.Dir(p.Rel))
	if err != nil {
		return nil
	}
	defer dir.Close()
	if t.Guard(p, dir) != nil {
		return nil
	}
	names, _ := dir.Readdirnames(1000)
	near := t.within(p, names)
	for _, name := range nearest(filepath.Base(p.Rel), names, 2) {
		near = append(near, p.With(filepath.Join(filepath.Dir(p.Rel), name)).Name())
	}
	return near[:min(len(near), 2)]
}

// within returns the files of p's very name in the folders beside it, from a to z: what somebody has sent lies in inbox.
func (t *Tree) within(p Path, beside []string) (found []string) {
	slices.Sort(beside)
	for _, name := range beside {
		in := p.With(filepath.Join(filepath.Dir(p.Rel), name))
		if info, err := p.In.Root.Lstat(in.Rel); err != nil || !info.IsDir() || strings.HasPrefix(name, ".") {
			continue
		}
		dir, err := p.In.Root.Open(in.Rel)
		if err != nil {
			continue
		}
		file := p.With(filepath.Join(in.Rel, filepath.Base(p.Rel)))
		if info, err := p.In.Root.Lstat(file.Rel); t.Guard(in, dir) == nil && err == nil && info.Mode().IsRegular() {
			found = append(found, file.Name())
		}
		dir.Close()
	}
	return found
}

// nearest returns up to n of names that are like name, the most alike first.
func nearest(name string, names []string, n int) []string {
	type scored struct {
		name  string
		score float64
	}
	var all []scored
	for _, other := range names {
		if score := Likeness(name, other); score > 0.5 && !strings.HasPrefix(other, TempPrefix) {
			all = append(all, scored{other, score})
		}
	}
	sort.Slice(all, func(i, j int) bool {
		if a, b := all[i], all[j]; a.score != b.score {
			return a.score > b.score
		}
		return all[i].name < all[j].name
	})
	return lists.Map(all[:min(n, len(all))], func(one scored) string { return one.name })
}
