package files

import (
	"context"
	"fmt"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
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

func (f *FileTool) deleteTool() tools.Tool {
	return tools.New(f.changing(tools.Def{
		Name:           "delete_file",
		Description:    "Delete a file.",
		CapabilitiesOf: f.capabilitiesOf,
		ResourcesOf:    f.linkResourcesOf,
	}), f.delete)
}

// delete removes a file; of a link the link, not where it leads. What cannot be kept stays.
func (f *FileTool) delete(ctx context.Context, in deleteArgs) (tools.Result, error) {
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
	done, bad := f.changes.Delete(ctx, p, "delete_file")
	if bad != nil {
		return f.origins.Beside(ctx, p, bad)
	}
	d := deleteData{Path: p.Shown(), Bytes: done.Bytes, Note: done.Note}
	what := fmt.Sprintf("%d bytes", d.Bytes)
	if done.Link {
		what = "a link"
	}
	text := fmt.Sprintf("deleted %s, %s", display.Quote(d.Path), what) + inBrackets(d.Note)
	did := event.Effect{Kind: "deleted", Target: d.Path, Detail: what, Path: done.Real, Bytes: d.Bytes, Change: done.Change}
	return tools.Result{Text: text, Data: d, Effects: []event.Effect{did}}, nil
}
