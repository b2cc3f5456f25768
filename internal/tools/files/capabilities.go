package files

import (
	"context"
	"encoding/json"
	"io/fs"
	"slices"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/tree"
)

// changeCapabilities is what the calls of a tool that changes files may do.
func (f *FileTool) changeCapabilities() tools.Capabilities {
	if slices.ContainsFunc(f.tree.Tops()[1:], func(top tree.Top) bool { return !top.ReadOnly }) {
		return tools.Writes | tools.Outside
	}
	return tools.Writes
}

// changing adds to a definition what all tools that change files have.
func (f *FileTool) changing(d tools.Def) tools.Def {
	d.Capabilities, d.Level, d.Scopes = f.changeCapabilities(), event.BotAdmin, tools.PrivateScopes()
	return d
}

// capabilitiesOf is what a call that changes a file may do: those in a granted folder are not of the workspace.
func (f *FileTool) capabilitiesOf(_ context.Context, args json.RawMessage) tools.Capabilities {
	if p, ok := f.target(args); ok && !p.InWorkspace() {
		return tools.Writes | tools.Outside
	}
	return tools.Writes
}

// resourcesOf names the file that a call changes: of a link, where it leads.
func (f *FileTool) resourcesOf(args json.RawMessage) []tools.Resource {
	p, ok := f.target(args)
	if !ok {
		return nil
	}
	if info, err := p.In.Root.Lstat(p.Rel); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if target, bad := f.tree.Follow(p); bad == nil {
			p = p.With(target)
		}
	}
	path, _ := p.Real()
	return []tools.Resource{{Path: path}}
}

// linkResourcesOf names the file that a call removes: of a link, itself.
func (f *FileTool) linkResourcesOf(args json.RawMessage) []tools.Resource {
	p, ok := f.target(args)
	if !ok {
		return nil
	}
	path, _ := p.Real()
	return []tools.Resource{{Path: path}}
}

// moveCapabilitiesOf is what a call of move_file may do: it changes two folders.
func (f *FileTool) moveCapabilitiesOf(ctx context.Context, args json.RawMessage) tools.Capabilities {
	if _, to, bad := f.moveOf(args); bad == nil && !to.InWorkspace() {
		return tools.Writes | tools.Outside
	}
	return f.capabilitiesOf(ctx, args)
}

// moveResourcesOf names the file that a call of move_file takes away and the one that it makes.
func (f *FileTool) moveResourcesOf(args json.RawMessage) []tools.Resource {
	from, to, bad := f.moveOf(args)
	if bad != nil {
		return nil
	}
	was, _ := from.Real()
	is, _ := to.Real()
	return []tools.Resource{{Path: was}, {Path: is}}
}

// copyCapabilitiesOf is what a call of copy_file may do: it changes one folder, and reads in another.
func (f *FileTool) copyCapabilitiesOf(_ context.Context, args json.RawMessage) tools.Capabilities {
	if _, to, bad := f.moveOf(args); bad == nil && !to.InWorkspace() {
		return tools.Writes | tools.Outside
	}
	return tools.Writes
}

// copyResourcesOf names the file that a call of copy_file makes.
func (f *FileTool) copyResourcesOf(args json.RawMessage) []tools.Resource {
	_, to, bad := f.moveOf(args)
	if bad != nil {
		return nil
	}
	is, _ := to.Real()
	return []tools.Resource{{Path: is}}
}

// moveOf returns the two names of a call of move_file or copy_file.
func (f *FileTool) moveOf(args json.RawMessage) (from, to tree.Path, bad *tools.Error) {
	var in moveArgs
	if err := json.Unmarshal(args, &in); err != nil {
		return from, to, tools.Invalid(event.CodeInvalidFormat, "%v", err)
	}
	return f.resolveMove(in)
}

// target returns the file that a call is to change. Where there is none the call fails before it does anything.
func (f *FileTool) target(args json.RawMessage) (tree.Path, bool) {
	var in struct {
		Path string `json:"path"`
	}
	if json.Unmarshal(args, &in) != nil {
		return tree.Path{}, false
	}
	p, bad := f.tree.ResolveFile(in.Path)
	return p, bad == nil
}
