package files

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/tree"
)

type moveArgs struct {
	Path string `json:"path"`
	To   string `json:"to" jsonschema:"new name, or a folder ending in /"`
}

// moveData is the Data of move_file and copy_file.
type moveData struct {
	From  string `json:"from"`
	Path  string `json:"path"` // where it is now
	Bytes int64  `json:"bytes"`
	Note  string `json:"note,omitempty"`
}

func (f *FileTool) moveTool() tools.Tool {
	return tools.New(f.changing(tools.Def{
		Name:           "move_file",
		Description:    "Move or rename a file.",
		CapabilitiesOf: f.moveCapabilitiesOf,
		ResourcesOf:    f.moveResourcesOf,
		Aliases:        []string{"mv"},
		Examples:       []string{"move_file may.txt bills/", "move_file may.txt june.txt"},
	}), f.move)
}

func (f *FileTool) copyTool() tools.Tool {
	return tools.New(f.changing(tools.Def{
		Name:           "copy_file",
		Description:    "Copy a file.",
		CapabilitiesOf: f.copyCapabilitiesOf,
		ResourcesOf:    f.copyResourcesOf,
		Aliases:        []string{"cp"},
		Examples:       []string{"copy_file may.txt bills/", "copy_file may.txt june.txt"},
	}), f.copy)
}

// resolveMove returns the file that is to be moved or copied and its new name. A folder is where it goes to under the name that it has:
// one that is there, or a name that ends in a slash.
func (f *FileTool) resolveMove(in moveArgs) (from, to tree.Path, bad *tools.Error) {
	if from, bad = f.tree.ResolveFile(in.Path); bad != nil {
		return from, to, bad
	}
	if to, bad = f.tree.Resolve(in.To); bad != nil {
		return from, to, bad
	}
	last := in.To[strings.LastIndexByte(in.To, '/')+1:]
	folder := last == "" || last == "." || last == ".." || to.Rel == "."
	if info, err := to.In.Root.Stat(to.Rel); folder || err == nil && info.IsDir() {
		to = to.With(filepath.Join(to.Rel, filepath.Base(from.Rel)))
	}
	return from, to, nil
}

// copy makes a file of the content of another. It never overwrites.
func (f *FileTool) copy(ctx context.Context, in moveArgs) (tools.Result, error) {
	return f.bring(ctx, in, "copied", "copy_file", f.changes.Copy)
}

// move gives a file another name. It never overwrites, and what could not be taken back stays where it is.
func (f *FileTool) move(ctx context.Context, in moveArgs) (tools.Result, error) {
	return f.bring(ctx, in, "moved", "move_file", f.changes.Move)
}

// bring does what a tool does with a file and its new name, and says that it was done.
func (f *FileTool) bring(
	ctx context.Context, in moveArgs, kind, tool string, do func(_ context.Context, from, to tree.Path, tool string) (changes.Moved, *tools.Error),
) (tools.Result, error) {
	from, to, bad := f.resolveMove(in)
	if bad != nil {
		return tools.Result{}, bad
	}
	defer f.origins.Look()()
	done, bad := do(ctx, from, to, tool)
	if bad != nil {
		return f.origins.Beside(ctx, from, bad)
	}
	d := moveData{From: from.Shown(), Path: to.Shown(), Bytes: done.Bytes, Note: done.Note}
	text := fmt.Sprintf("%s %s to %s, %d bytes", kind, display.Quote(d.From), display.Quote(d.Path), d.Bytes) + inBrackets(d.Note)
	did := event.Effect{
		Kind: kind, Target: d.Path, From: d.From, Detail: "from " + d.From, Path: done.Real, Bytes: d.Bytes, Sum: done.Sum, Change: done.Change,
	}
	return tools.Result{Text: text, Data: d, Effects: []event.Effect{did}}, nil
}
