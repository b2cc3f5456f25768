package files

import (
	"context"
	"fmt"
	"io/fs"

	"hob/internal/event"
	"hob/internal/tools"
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
	s, bad := f.resolveFile(in.Path)
	if bad != nil {
		return tools.Result{}, bad
	}
	defer f.origins.look()()
	end, bad := f.begin(ctx, s)
	if bad != nil {
		return tools.Result{}, bad
	}
	defer end()
	dir, _, bad := f.openFolder(ctx, s, false)
	if bad != nil {
		return f.beside(ctx, s, bad)
	}
	defer dir.close()
	old, bad := f.look(s, dir)
	if bad == nil && old == nil {
		bad = f.missing(s, fs.ErrNotExist)
	}
	if bad != nil {
		return f.beside(ctx, s, bad)
	}
	defer old.close()
	done, bad := f.install(ctx, dir, s, old, next{kind: event.NoFile, tool: "delete_file"})
	if bad != nil {
		return f.beside(ctx, s, bad)
	}
	d := deleteData{Path: s.shown(), Bytes: old.info.Size(), Note: done.note}
	what := fmt.Sprintf("%d bytes", d.Bytes)
	if old.link() {
		what = "a link"
	}
	text := fmt.Sprintf("deleted %s, %s", phrase.Quote(d.Path), what)
	if d.Note != "" {
		text += " (" + d.Note + ")"
	}
	did := event.Effect{Kind: "deleted", Target: d.Path, Detail: what, Path: done.path, Bytes: d.Bytes}
	return tools.Result{Text: text, Data: d, Effects: []event.Effect{did}}, nil
}
