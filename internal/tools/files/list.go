package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/origins"
	"hob/internal/tools/files/tree"
)

// Bounds of a walk.
const (
	maxEntries = 100_000 // names looked at
	maxListed  = 1000    // lines of list_files
)

type listArgs struct {
	Path      string `json:"path"`
	Recursive bool   `json:"recursive,omitempty"`
	Hidden    bool   `json:"include_hidden,omitempty" quiet:"true"`
}

// dirRenamed has the old name of the path of a folder.
func dirRenamed() map[string]string { return map[string]string{"dir": "path"} }

// listData is the Data of list_files.
type listData struct {
	Dir   string   `json:"dir"`
	Count int      `json:"count"` // of all items, also those not shown
	Items []string `json:"items"` // those shown; names of folders end in "/"
}

func (f *FileTool) listTool() tools.Tool {
	return tools.New(tools.Def{
		Name:         "list_files",
		Description:  `List the files in a folder; "." is the workspace.`,
		Capabilities: tools.Reads | tools.Private,
		Scopes:       tools.PrivateScopes(),
		Aliases:      []string{"ls"},
		Command:      "list_files [path:string=.] [include_hidden:boolean] [recursive:boolean]",
		Examples:     []string{"list_files notes"},
		Renamed:      dirRenamed(),
	}, f.list)
}

func (f *FileTool) list(ctx context.Context, in listArgs) (tools.Result, error) {
	p, bad := f.tree.Resolve(in.Path)
	if bad != nil {
		return tools.Result{}, bad
	}
	d := listData{Dir: p.Shown(), Items: []string{}}
	defer f.origins.Look()()
	var b strings.Builder
	share, shown := f.share(), origins.Shown{}
	w := walk{f: f, ctx: ctx, recursive: in.Recursive, hidden: in.Hidden, visit: func(e entry) bool {
		d.Count++
		if line := e.line(); len(d.Items) < maxListed && b.Len()+len(line) < share-200 {
			b.WriteString(line)
			d.Items = append(d.Items, e.shown())
			shown.Add(p.In.Real, e.path)
		}
		return true
	}}
	if bad := w.start(p); bad != nil {
		return f.origins.Beside(ctx, p, bad)
	}
	var notes []string
	if len(d.Items) < d.Count {
		notes = append(notes, fmt.Sprintf("the first %d are shown; list a folder of it to see more", len(d.Items)))
	}
	if w.full {
		notes = append(notes, "there are more than could be counted")
	}
	if w.closed > 0 {
		notes = append(notes, display.Count(w.closed, "folder")+" could not be opened")
	}
	b.WriteString(strings.Join(append([]string{display.Count(d.Count, "item")}, notes...), "; "))
	return tools.Result{Text: b.String(), Data: d, Label: f.origins.Label(ctx, p, shown)}, nil
}

// entry is something in a folder.
type entry struct {
	rel  string // to the folder that is walked
	path string // absolute, without links in its folders; not to be used where nothing is known of where files come from
	at   tree.Path
	mode fs.FileMode
	size int64
}

func (e entry) shown() string {
	if e.mode.IsDir() {
		return e.rel + "/"
	}
	return e.rel
}

// line is what list_files says of e. A name that could be misread is quoted.
func (e entry) line() string {
	switch name := display.Quote(e.shown()); {
	case e.mode.IsDir():
		return "DIR  " + name + "\n"
	case e.mode.IsRegular():
		return fmt.Sprintf("FILE %s (%s)\n", name, display.Bytes(e.size))
	default:
		return fmt.Sprintf("FILE %s (%s)\n", name, tree.KindOf(e.mode))
	}
}

// walk visits what is in a folder, in the order of names, folders before what is in them. It follows no links.
type walk struct {
	f         *FileTool
	ctx       context.Context
	recursive bool
	hidden    bool             // hidden ones too
	visit     func(entry) bool // false ends the walk

	seen   int
	full   bool // there was more than a bound allowed
	closed int  // folders that could not be opened
	over   bool // visit had enough
}

// start walks the folder at p.
func (w *walk) start(p tree.Path) *tools.Error {
	entries, bad := w.names(p, "")
	if bad != nil {
		return bad
	}
	return w.each(entries, 1)
}

func (w *walk) each(entries []entry, level int) *tools.Error {
	for _, e := range entries {
		if w.ctx.Err() != nil {
			return tools.EndedError(w.ctx, "the walk through the folders", "")
		}
		if w.seen++; w.seen > maxEntries {
			w.full = true
			return nil
		}
		if w.over = !w.visit(e); w.over {
			return nil
		}
		if !w.recursive || !e.mode.IsDir() {
			continue
		}
		if level >= tree.MaxLevels {
			w.full = true
			continue
		}
		below, bad := w.names(e.at, e.rel)
		if bad != nil {
			w.closed++
			continue
		}
		if bad := w.each(below, level+1); bad != nil {
			return bad
		}
		if w.over || w.full && w.seen > maxEntries {
			return nil
		}
	}
	return nil
}

// names returns what is in the folder at p, sorted; prefix is its path in the walk.
func (w *walk) names(p tree.Path, prefix string) ([]entry, *tools.Error) {
	dir, err := p.In.Root.OpenFile(p.Rel, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, w.noFolder(p, err)
	}
	defer dir.Close()
	if bad := w.f.tree.Guard(p, dir); bad != nil {
		return nil, bad
	}
	found, err := dir.ReadDir(tree.MaxNames + 1)
	if err != nil && err != io.EOF {
		return nil, p.Fault(err)
	}
	if len(found) > tree.MaxNames {
		w.full = true
	}
	real, err := w.f.origins.RealPath(dir)
	if err != nil {
		return nil, p.Fault(err)
	}
	slices.SortFunc(found, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	entries := make([]entry, 0, len(found))
	for _, d := range found {
		name := d.Name()
		if strings.HasPrefix(name, tree.TempPrefix) || !w.hidden && strings.HasPrefix(name, ".") {
			continue
		}
		e := entry{rel: filepath.Join(prefix, name), at: p.With(filepath.Join(p.Rel, name)), mode: d.Type()}
		e.path = filepath.Join(real, name)
		if e.mode.IsRegular() {
			// By the open folder and not by d.Info, which would go by the path and through whatever is there now.
			if info, err := p.In.Root.Lstat(e.at.Rel); err == nil {
				e.mode, e.size = info.Mode(), info.Size()
			}
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// noFolder says why s cannot be listed.
func (w *walk) noFolder(p tree.Path, err error) *tools.Error {
	if errors.Is(err, unix.ENOTDIR) {
		if info, err := p.In.Root.Stat(p.Rel); err == nil && !info.IsDir() {
			return tools.Invalid(event.CodeInvalidValue, "%s is no folder", p.Name()).Suggest("use read_file to see what is in it")
		}
	}
	e := p.Fault(err)
	if e.Code == event.CodeFileNotFound {
		e.Code, e.Message = event.CodeDirNotFound, fmt.Sprintf("there is no folder %s", p.Name())
		e.Suggestion = `"." is the top of the workspace`
		if near := w.f.tree.Near(p); len(near) > 0 {
			e.Suggestion = "did you mean " + strings.Join(near, " or ") + "?"
		}
	}
	return e
}
