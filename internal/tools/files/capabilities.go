package files

import (
	"context"
	"encoding/json"
	"io/fs"
	"slices"

	"hob/internal/tools"
	"hob/internal/tools/files/tree"
)

// powersToChange is what the calls of a tool that changes files may do.
func (f *FileTool) powersToChange() tools.Capabilities {
	if slices.ContainsFunc(f.tree.Tops()[1:], func(top tree.Top) bool { return !top.ReadOnly }) {
		return tools.Writes | tools.Outside
	}
	return tools.Writes
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

// linkAimsOf names the file that a call removes: of a link, itself.
func (f *FileTool) linkAimsOf(args json.RawMessage) []tools.Resource {
	p, ok := f.target(args)
	if !ok {
		return nil
	}
	path, _ := p.Real()
	return []tools.Resource{{Path: path}}
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
