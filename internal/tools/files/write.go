package files

import (
	"context"
	"fmt"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
	"hob/internal/tools/phrase"
)

type writeArgs struct {
	Path    string `json:"path"`
	Content string `json:"content"`
	Mode    string `json:"mode,omitempty" jsonschema:"create: new files only" enum:"create,append,overwrite" default:"create"`
}

// writeData is the Data of write_file and edit_file.
type writeData struct {
	Path    string `json:"path"`
	Bytes   int    `json:"bytes"` // of the file as it is now
	Created bool   `json:"created,omitempty"`
	Places  int    `json:"places,omitempty"` // where edit_file changed it
	Note    string `json:"note,omitempty"`
}

func (f *Tool) writeTool() tools.Tool {
	return tools.New(tools.Def{
		Name:        "write_file",
		Description: "Write a text file.",
		Powers:      f.changes(),
		Level:       event.BotAdmin,
		Scopes:      tools.AtHome(),
		PowersOf:    f.powersOf,
		AimsOf:      f.aimsOf,
		Command:     "write_file <path:string> <content:string...>",
		Examples:    []string{"write_file mode=append notes/todo.md - milk"},
	}, f.write)
}

// write makes or changes a file as in says.
func (f *Tool) write(ctx context.Context, in writeArgs) (tools.Result, error) {
	p, bad := f.tree.ResolveFile(in.Path)
	if bad != nil {
		return tools.Result{}, bad
	}
	defer f.origins.Look()()
	d, done, bad := f.put(ctx, p, "write_file", true, func(old *tree.Existing) ([]byte, *tools.Error) {
		switch {
		case old != nil && in.Mode == "create":
			return nil, p.Exists()
		case old != nil && in.Mode == "append":
			before, bad := old.Read()
			return append(before, in.Content...), bad
		}
		return []byte(in.Content), nil
	})
	if bad != nil {
		return f.origins.Beside(ctx, p, bad)
	}
	done.Kind, done.Detail = "wrote", fmt.Sprintf("%d bytes", len(in.Content))
	text := fmt.Sprintf("wrote %s, %d bytes", phrase.Quote(d.Path), d.Bytes)
	if d.Created {
		text = fmt.Sprintf("created %s, %d bytes", phrase.Quote(d.Path), d.Bytes)
	} else if in.Mode == "append" {
		done.Detail += " appended"
		text = fmt.Sprintf("appended %d bytes to %s, which has %d now", len(in.Content), phrase.Quote(d.Path), d.Bytes)
	}
	if d.Note != "" {
		text += " (" + d.Note + ")"
	}
	return tools.Result{Text: text, Data: d, Effects: []event.Effect{done}}, nil
}

// put replaces the file at s by what change makes of it; old is nil when there is none. Only one change runs at a time in
// a Tool, and only one in a folder among all processes. With makeDirs missing folders are made, and taken away
// again when the write fails. tool is who does it. Of the effect, what it is called and its words are missing.
func (f *Tool) put(
	ctx context.Context, p tree.Path, tool string, makeDirs bool, change func(old *tree.Existing) ([]byte, *tools.Error),
) (writeData, event.Effect, *tools.Error) {
	end, bad := f.tree.Begin(ctx, p)
	if bad != nil {
		return writeData{}, event.Effect{}, bad
	}
	defer end()
	if makeDirs {
		if bad := f.origins.MarkFolders(ctx, p); bad != nil {
			return writeData{}, event.Effect{}, bad
		}
	}
	for range 2 { // a link leads to a second round, at its target
		d, done, target, bad := f.putOnce(ctx, p, tool, makeDirs, change)
		if target == "" {
			return d, done, bad
		}
		p = p.With(target)
	}
	return writeData{}, event.Effect{}, p.Denied("changed from a file to a link while it was written")
}

// putOnce is put where s is no link; where it is one, it returns the target instead.
func (f *Tool) putOnce(
	ctx context.Context, p tree.Path, tool string, makeDirs bool, change func(old *tree.Existing) ([]byte, *tools.Error),
) (d writeData, did event.Effect, target string, bad *tools.Error) {
	dir, undo, bad := f.tree.OpenDir(ctx, p, makeDirs)
	if bad != nil {
		return d, did, "", bad
	}
	defer func() {
		dir.Close()
		if bad != nil || target != "" {
			undo()
		}
	}()
	if bad := p.NotGits(dir.Self); bad != nil {
		return d, did, "", bad
	}
	old, bad := f.tree.Look(p, dir)
	if bad != nil {
		return d, did, "", bad
	}
	defer old.Close()
	if old != nil && old.IsLink() {
		target, bad = f.tree.Follow(p)
		return d, did, target, bad
	}
	content, bad := change(old)
	if bad != nil {
		return d, did, "", bad
	}
	if len(content) > tree.MaxFile {
		return d, did, "", p.TooLarge(int64(len(content)))
	}
	done, bad := f.install(ctx, dir, p, old, next{Content: tree.Content{Kind: event.RegFile, Raw: content}, tool: tool})
	if bad != nil {
		return d, did, "", bad
	}
	did = event.Effect{Target: p.Shown(), Path: done.path, Bytes: int64(len(content)), Sum: tree.SumOf(content)}
	return writeData{Path: p.Shown(), Bytes: len(content), Created: old == nil, Note: done.note}, did, "", nil
}
