package files

import (
	"context"
	"encoding/json"
	"io/fs"
	"slices"

	"hob/internal/tools"
)

// changes is what the calls of a tool that changes files may do.
func (f *Tool) changes() tools.Powers {
	if slices.ContainsFunc(f.places[1:], func(p place) bool { return !p.readOnly }) {
		return tools.Writes | tools.Outside
	}
	return tools.Writes
}

// powersOf is what a call that changes a file may do: those in a granted folder are not of the workspace.
func (f *Tool) powersOf(_ context.Context, args json.RawMessage) tools.Powers {
	if s, ok := f.target(args); ok && !s.top {
		return tools.Writes | tools.Outside
	}
	return tools.Writes
}

// aimsOf names the file that a call changes: of a link, where it leads.
func (f *Tool) aimsOf(args json.RawMessage) []tools.Aim {
	s, ok := f.target(args)
	if !ok {
		return nil
	}
	if info, err := s.in.root.Lstat(s.rel); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if target, bad := f.follow(s); bad == nil {
			s = s.with(target)
		}
	}
	path, _ := s.path()
	return []tools.Aim{{Path: path}}
}

// linkAimsOf names the file that a call removes: of a link, itself.
func (f *Tool) linkAimsOf(args json.RawMessage) []tools.Aim {
	s, ok := f.target(args)
	if !ok {
		return nil
	}
	path, _ := s.path()
	return []tools.Aim{{Path: path}}
}

// target returns the file that a call is to change. Where there is none the call fails before it does anything.
func (f *Tool) target(args json.RawMessage) (spot, bool) {
	var in struct {
		Path string `json:"path"`
	}
	if json.Unmarshal(args, &in) != nil {
		return spot{}, false
	}
	s, bad := f.resolveFile(in.Path)
	return s, bad == nil
}
