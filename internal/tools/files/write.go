package files

import (
	"context"
	"fmt"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
)

type writeArgs struct {
	Path    string `json:"path"`
	Content string `json:"content"`
	Mode    string `json:"mode,omitempty" enum:"create,append,overwrite" default:"create"`
}

// writeData is the Data of write_file and edit_file.
type writeData struct {
	Path    string `json:"path"`
	Bytes   int    `json:"bytes"` // of the file as it is now
	Created bool   `json:"created,omitempty"`
	Places  int    `json:"places,omitempty"` // where edit_file changed it
	Note    string `json:"note,omitempty"`
}

func (f *FileTool) writeTool() tools.Tool {
	return tools.New(f.changing(tools.Def{
		Name:           "write_file",
		Description:    "Create a text file. To replace a file set mode to overwrite.",
		CapabilitiesOf: f.capabilitiesOf,
		ResourcesOf:    f.resourcesOf,
		Command:        "write_file <path:string> <content:string...>",
		Examples:       []string{"write_file mode=append notes/todo.md - milk"},
	}), f.write)
}

// write makes or changes a file as in says.
func (f *FileTool) write(ctx context.Context, in writeArgs) (tools.Result, error) {
	p, bad := f.tree.ResolveFile(in.Path)
	if bad != nil {
		return tools.Result{}, bad
	}
	defer f.origins.Look()()
	added := in.Content
	d, done, bad := f.put(ctx, p, "write_file", true, func(old *tree.Existing) ([]byte, *tools.Error) {
		switch {
		case old != nil && in.Mode == "create":
			return nil, p.Exists()
		case old != nil && in.Mode == "append":
			before, bad := old.Read()
			if n := len(before); n > 0 && before[n-1] != '\n' && addsLines(ctx) {
				added = "\n" + added
			}
			return append(before, added...), bad
		}
		return []byte(in.Content), nil
	})
	if bad != nil {
		return f.origins.Beside(ctx, p, bad)
	}
	done.Kind, done.Detail = "wrote", fmt.Sprintf("%d bytes", len(added))
	text := fmt.Sprintf("wrote %s, %d bytes", display.Quote(d.Path), d.Bytes)
	if d.Created {
		text = fmt.Sprintf("created %s, %d bytes", display.Quote(d.Path), d.Bytes)
	} else if in.Mode == "append" {
		done.Detail += " appended"
		text = fmt.Sprintf("appended %d bytes to %s, which has %d now", len(added), display.Quote(d.Path), d.Bytes)
	}
	return tools.Result{Text: text + inBrackets(d.Note), Data: d, Effects: []event.Effect{done}}, nil
}

// addsLines reports whether an appended text begins a line, also where the file does not end with one. Models and people in a conversation
// append lines and forget the end of the line before; a call by hand appends bytes, as >> does.
func addsLines(ctx context.Context) bool { return tools.CallerFrom(ctx).Call.ID != "" }

// inBrackets is a note behind the text of a result.
func inBrackets(note string) string {
	if note == "" {
		return ""
	}
	return " (" + note + ")"
}

// put is [changes.Writer.Write] with the Data and the effect of it. Of the effect the kind and the words are missing.
func (f *FileTool) put(
	ctx context.Context, p tree.Path, tool string, makeDirs bool, change func(old *tree.Existing) ([]byte, *tools.Error),
) (writeData, event.Effect, *tools.Error) {
	done, bad := f.changes.Write(ctx, p, tool, makeDirs, change)
	if bad != nil {
		return writeData{}, event.Effect{}, bad
	}
	return writeData{Path: done.Path, Bytes: done.Bytes, Created: done.Created, Note: done.Note},
		event.Effect{Target: done.Path, Path: done.Real, Bytes: int64(done.Bytes), Sum: done.Sum, Change: done.Change}, nil
}
