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

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/phrase"
)

// Bounds of a walk.
const (
	maxEntries = 100_000 // names looked at
	maxNames   = 50_000  // names of one folder
	maxLevels  = 64      // folders in folders
	maxListed  = 1000    // lines of list_files
)

type listArgs struct {
	Dir       string `json:"dir" jsonschema:"\".\" is the workspace"`
	Recursive bool   `json:"recursive,omitempty"`
	Hidden    bool   `json:"include_hidden,omitempty" quiet:"true"`
}

// listData is the Data of list_files.
type listData struct {
	Dir   string   `json:"dir"`
	Count int      `json:"count"` // of all items, also those not shown
	Items []string `json:"items"` // those shown; names of folders end in "/"
}

func (f *Tool) listTool() tools.Tool {
	return tools.New(tools.Def{
		Name:        "list_files",
		Description: "List what is in a folder.",
		Powers:      tools.Reads | tools.Private,
		Scopes:      tools.AtHome(),
		Aliases:     []string{"ls"},
		Examples:    []string{"list_files notes"},
	}, f.list)
}

func (f *Tool) list(ctx context.Context, in listArgs) (tools.Result, error) {
	s, bad := f.resolve(in.Dir)
	if bad != nil {
		return tools.Result{}, bad
	}
	d := listData{Dir: s.shown(), Items: []string{}}
	defer f.origins.look()()
	var b strings.Builder
	share, shown := f.share(), shownFiles{}
	w := walk{f: f, ctx: ctx, recursive: in.Recursive, hidden: in.Hidden, visit: func(e entry) bool {
		d.Count++
		line := e.line()
		if len(d.Items) < maxListed && b.Len()+len(line) < share-200 {
			b.WriteString(line)
			d.Items = append(d.Items, e.shown())
			shown.add(s.in.real, e.path)
		}
		return true
	}}
	if bad := w.start(s); bad != nil {
		return f.beside(ctx, s, bad)
	}
	var notes []string
	if len(d.Items) < d.Count {
		notes = append(notes, fmt.Sprintf("the first %d are shown; list a folder of it to see more", len(d.Items)))
	}
	if w.full {
		notes = append(notes, "there are more than could be counted")
	}
	if w.closed > 0 {
		notes = append(notes, phrase.Count(w.closed, "folder", "folders")+" could not be opened")
	}
	b.WriteString(strings.Join(append([]string{phrase.Count(d.Count, "item", "items")}, notes...), "; "))
	return tools.Result{Text: b.String(), Data: d, Label: f.labelOf(ctx, s, shown)}, nil
}

// entry is something in a folder.
type entry struct {
	rel  string // to the folder that is walked
	path string // absolute, without links in its folders; not to be used where nothing is known of where files come from
	at   spot
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
	switch name := phrase.Quote(e.shown()); {
	case e.mode.IsDir():
		return "DIR  " + name + "\n"
	case e.mode.IsRegular():
		return fmt.Sprintf("FILE %s (%s)\n", name, phrase.Bytes(e.size))
	default:
		return fmt.Sprintf("FILE %s (%s)\n", name, kindOf(e.mode))
	}
}

// walk visits what is in a folder, in the order of names, folders before what is in them. It follows no links.
type walk struct {
	f         *Tool
	ctx       context.Context
	recursive bool
	hidden    bool             // hidden ones too
	visit     func(entry) bool // false ends the walk

	seen   int
	full   bool // there was more than a bound allowed
	closed int  // folders that could not be opened
	over   bool // visit had enough
}

// start walks the folder at s.
func (w *walk) start(s spot) *tools.Error {
	entries, bad := w.names(s, "")
	if bad != nil {
		return bad
	}
	return w.each(entries, 1)
}

func (w *walk) each(entries []entry, level int) *tools.Error {
	for _, e := range entries {
		if w.ctx.Err() != nil {
			return tools.Ended(w.ctx, "the walk through the folders", "")
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
		if level >= maxLevels {
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

// names returns what is in the folder at s, sorted; prefix is its path in the walk.
func (w *walk) names(s spot, prefix string) ([]entry, *tools.Error) {
	dir, err := s.in.root.OpenFile(s.rel, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, w.noFolder(s, err)
	}
	defer dir.Close()
	if bad := w.f.guard(s, dir); bad != nil {
		return nil, bad
	}
	found, err := dir.ReadDir(maxNames + 1)
	if err != nil && err != io.EOF {
		return nil, s.fault(err)
	}
	if len(found) > maxNames {
		w.full = true
	}
	real, err := w.f.realOf(dir)
	if err != nil {
		return nil, s.fault(err)
	}
	slices.SortFunc(found, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	entries := make([]entry, 0, len(found))
	for _, d := range found {
		name := d.Name()
		if strings.HasPrefix(name, TempPrefix) || !w.hidden && strings.HasPrefix(name, ".") {
			continue
		}
		e := entry{rel: filepath.Join(prefix, name), at: s.with(filepath.Join(s.rel, name)), mode: d.Type()}
		e.path = filepath.Join(real, name)
		if e.mode.IsRegular() {
			// By the open folder and not by d.Info, which would go by the path and through whatever is there now.
			if info, err := s.in.root.Lstat(e.at.rel); err == nil {
				e.mode, e.size = info.Mode(), info.Size()
			}
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// noFolder says why s cannot be listed.
func (w *walk) noFolder(s spot, err error) *tools.Error {
	if errors.Is(err, unix.ENOTDIR) {
		if info, err := s.in.root.Stat(s.rel); err == nil && !info.IsDir() {
			e := tools.Invalid(event.CodeInvalidValue, "%s is no folder", s.name())
			e.Suggestion = "use read_file to see what is in it"
			return e
		}
	}
	e := s.fault(err)
	if e.Code == event.CodeFileNotFound {
		e.Code, e.Message = event.CodeDirNotFound, fmt.Sprintf("there is no folder %s", s.name())
		e.Suggestion = `"." is the top of the workspace`
		if near := w.f.near(s); len(near) > 0 {
			e.Suggestion = "did you mean " + strings.Join(near, " or ") + "?"
		}
	}
	return e
}
