package files

import (
	"context"
	"fmt"
	"io/fs"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
	"hob/internal/tools/phrase"
)

type deleteArgs struct {
	Path string `json:"path"`
}

// deleteData is the Data of delete_file.
type deleteData struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
	Note  string `json:"note,omitempty"`
}

func (f *Tool) deleteTool() tools.Tool {
	return tools.New(tools.Def{
		Name:        "delete_file",
		Description: "Delete a file.",
		Powers:      f.changes(),
		Level:       event.BotAdmin,
		Scopes:      tools.AtHome(),
		PowersOf:    f.powersOf,
		AimsOf:      f.linkAimsOf,
	}, f.delete)
}

// delete removes a file; of a link the link, not where it leads. What cannot be kept stays.
func (f *Tool) delete(ctx context.Context, in deleteArgs) (tools.Result, error) {
	p, bad := f.tree.ResolveFile(in.Path)
	if bad != nil {
		return tools.Result{}, bad
	}
	defer f.origins.Look()()
	end, bad := f.tree.Begin(ctx, p)
	if bad != nil {
		return tools.Result{}, bad
	}
	defer end()
	dir, _, bad := f.tree.OpenDir(ctx, p, false)
	if bad != nil {
		return f.origins.Beside(ctx, p, bad)
	}
	defer dir.Close()
	old, bad := f.tree.Look(p, dir)
	if bad == nil && old == nil {
		bad = f.tree.Missing(p, fs.ErrNotExist)
	}
	if bad != nil {
		return f.origins.Beside(ctx, p, bad)
	}
	defer old.Close()
	done, bad := f.install(ctx, dir, p, old, next{Content: tree.Content{Kind: event.NoFile}, tool: "delete_file"})
	if bad != nil {
		return f.origins.Beside(ctx, p, bad)
	}
	d := deleteData{Path: p.Shown(), Bytes: old.Info.Size(), Note: done.note}
	what := fmt.Sprintf("%d bytes", d.Bytes)
	if old.IsLink() {
		what = "a link"
	}
	text := fmt.Sprintf("deleted %s, %s", phrase.Quote(d.Path), what)
	if d.Note != "" {
		text += " (" + d.Note + ")"
	}
	did := event.Effect{Kind: "deleted", Target: d.Path, Detail: what, Path: done.path, Bytes: d.Bytes}
	return tools.Result{Text: text, Data: d, Effects: []event.Effect{did}}, nil
}
