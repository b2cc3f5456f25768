package files

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
)

type folderArgs struct {
	Path string `json:"path"`
}

// folderData is the Data of make_folder.
type folderData struct {
	Path string `json:"path"`
	Note string `json:"note,omitempty"`
}

func (f *FileTool) folderTool() tools.Tool {
	return tools.New(f.changing(tools.Def{
		Name:        "make_folder",
		Description: "Make a folder.",
		CapabilitiesOf: func(ctx context.Context, args json.RawMessage) tools.Capabilities {
			return f.capabilitiesOf(ctx, asFile(args))
		},
		ResourcesOf: func(args json.RawMessage) []tools.Resource { return f.linkResourcesOf(asFile(args)) },
		Aliases:     []string{"mkdir"},
		Examples:    []string{"make_folder recipes"},
	}), f.makeFolder)
}

// asFile returns arguments with the name of a folder written as that of a file: without a slash at its end.
func asFile(args json.RawMessage) json.RawMessage {
	var in folderArgs
	if json.Unmarshal(args, &in) != nil {
		return args
	}
	in.Path = filepath.Clean(in.Path)
	clean, err := json.Marshal(in)
	if err != nil {
		return args
	}
	return clean
}

// makeFolder makes a folder, with those above it that are missing.
func (f *FileTool) makeFolder(ctx context.Context, in folderArgs) (tools.Result, error) {
	p, bad := f.tree.Resolve(in.Path)
	if bad == nil && p.Rel == "." {
		bad = tools.Invalid(event.CodeInvalidValue, "%s exists already", display.Quote(in.Path))
	}
	if bad != nil {
		return tools.Result{}, bad
	}
	defer f.origins.Look()()
	done, bad := f.changes.MakeFolder(ctx, p, "make_folder")
	if bad != nil {
		return f.origins.Beside(ctx, p, bad)
	}
	d := folderData{Path: p.Shown() + "/", Note: done.Note}
	did := event.Effect{Kind: "made", Target: d.Path, Path: done.Real, Change: done.Change}
	return tools.Result{
		Text: fmt.Sprintf("made the folder %s", display.Quote(d.Path)) + inBrackets(d.Note), Data: d, Effects: []event.Effect{did},
	}, nil
}
