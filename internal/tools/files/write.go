package files

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/phrase"
)

// TempPrefix begins the names of files that are being written. They are listed and searched by no tool.
const TempPrefix = ".hob-tmp-"

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
	s, bad := f.resolveFile(in.Path)
	if bad != nil {
		return tools.Result{}, bad
	}
	defer f.origins.look()()
	d, done, bad := f.put(ctx, s, "write_file", true, func(old *existing) ([]byte, *tools.Error) {
		switch {
		case old != nil && in.Mode == "create":
			return nil, exists(s)
		case old != nil && in.Mode == "append":
			before, bad := old.read()
			return append(before, in.Content...), bad
		}
		return []byte(in.Content), nil
	})
	if bad != nil {
		return f.beside(ctx, s, bad)
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

func exists(s spot) *tools.Error {
	e := tools.Invalid(event.CodeInvalidValue, "%s exists already", s.name())
	e.Suggestion = "use edit_file to change a part of it, or mode append or overwrite"
	return e
}

// put replaces the file at s by what change makes of it; old is nil when there is none. Only one change runs at a time in
// a Tool, and only one in a folder among all processes. With makeDirs missing folders are made, and taken away
// again when the write fails. tool is who does it. Of the effect, what it is called and its words are missing.
func (f *Tool) put(
	ctx context.Context, s spot, tool string, makeDirs bool, change func(old *existing) ([]byte, *tools.Error),
) (writeData, event.Effect, *tools.Error) {
	end, bad := f.begin(ctx, s)
	if bad != nil {
		return writeData{}, event.Effect{}, bad
	}
	defer end()
	if makeDirs {
		if bad := f.markFolders(ctx, s); bad != nil {
			return writeData{}, event.Effect{}, bad
		}
	}
	for range 2 { // a link leads to a second round, at its target
		d, done, target, bad := f.putOnce(ctx, s, tool, makeDirs, change)
		if target == "" {
			return d, done, bad
		}
		s = s.with(target)
	}
	return writeData{}, event.Effect{}, s.denied("changed from a file to a link while it was written")
}

// begin waits for the turn to change what is at s, if that may be changed at all.
func (f *Tool) begin(ctx context.Context, s spot) (end func(), bad *tools.Error) {
	if s.in.readOnly {
		return nil, &tools.Error{
			Type: event.TypePermission, Code: event.CodeReadOnly, Message: s.name() + " is in a folder that is open for reading only",
		}
	}
	if strings.HasPrefix(filepath.Base(s.rel), TempPrefix) {
		return nil, tools.Invalid(event.CodeInvalidValue, "names that begin with %s are hob's own", TempPrefix)
	}
	if s.top && isHandle(s.rel) {
		return nil, notAFile(s.rel)
	}
	select {
	case f.writing <- struct{}{}:
	case <-ctx.Done():
		return nil, s.waiting(ctx)
	}
	if f.commands == nil {
		return func() { <-f.writing }, nil
	}
	done, err := f.commands.Writing(ctx)
	if err != nil {
		<-f.writing
		if ctx.Err() == nil {
			return nil, s.fault(err)
		}
		return nil, s.waiting(ctx)
	}
	return func() { done(); <-f.writing }, nil
}

// putOnce is put where s is no link; where it is one, it returns the target instead.
func (f *Tool) putOnce(
	ctx context.Context, s spot, tool string, makeDirs bool, change func(old *existing) ([]byte, *tools.Error),
) (d writeData, did event.Effect, target string, bad *tools.Error) {
	dir, undo, bad := f.openFolder(ctx, s, makeDirs)
	if bad != nil {
		return d, did, "", bad
	}
	defer func() {
		dir.close()
		if bad != nil || target != "" {
			undo()
		}
	}()
	if bad := s.notGits(dir.self); bad != nil {
		return d, did, "", bad
	}
	old, bad := f.look(s, dir)
	if bad != nil {
		return d, did, "", bad
	}
	defer old.close()
	if old != nil && old.link() {
		target, bad = f.follow(s)
		return d, did, target, bad
	}
	content, bad := change(old)
	if bad != nil {
		return d, did, "", bad
	}
	if len(content) > maxFile {
		return d, did, "", fileTooLarge(s, int64(len(content)))
	}
	done, bad := f.install(ctx, dir, s, old, next{kind: event.RegFile, content: content, tool: tool})
	if bad != nil {
		return d, did, "", bad
	}
	did = event.Effect{Target: s.shown(), Path: done.path, Bytes: int64(len(content)), Sum: sumOf(content)}
	return writeData{Path: s.shown(), Bytes: len(content), Created: old == nil, Note: done.note}, did, "", nil
}

// notGits refuses to write what is git's own. The settings and hooks of a repository name programs, which git starts for
// whoever uses it next, and no wall is around those. dir is the folder of s, whatever links led there.
func (s spot) notGits(dir *os.File) *tools.Error {
	real, err := realPath(dir)
	if err != nil {
		return s.fault(err)
	}
	if rel, ok := inside(s.in.real, real); ok {
		real = rel
	}
	for name := range strings.SplitSeq(filepath.Join(real, filepath.Base(s.rel)), "/") {
		if strings.EqualFold(name, ".git") {
			e := s.denied("belongs to git")
			e.Suggestion = "use git itself, with run_command"
			return e
		}
	}
	return nil
}
