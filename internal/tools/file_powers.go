package tools

import (
	"context"
	"encoding/json"
	"io/fs"
	"slices"
)

// changes is what the calls of a tool that changes files may do.
func (f *FileTool) changes() Powers {
	if slices.ContainsFunc(f.places[1:], func(p place) bool { return !p.readOnly }) {
		return Writes | Outside
	}
	return Writes
}

// powersOf is what a call that changes a file may do: those in a granted folder are not of the workspace.
func (f *FileTool) powersOf(_ context.Context, args json.RawMessage) Powers {
	if s, ok := f.target(args); ok && !s.top {
		return Writes | Outside
	}
	return Writes
}

// aimsOf names the file that a call changes: of a link, where it leads.
func (f *FileTool) aimsOf(args json.RawMessage) []Aim {
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
	return []Aim{{Path: path}}
}

// linkAimsOf names the file that a call removes: of a link, itself.
func (f *FileTool) linkAimsOf(args json.RawMessage) []Aim {
	s, ok := f.target(args)
	if !ok {
		return nil
	}
	path, _ := s.path()
	return []Aim{{Path: path}}
}

// target returns the file that a call is to change. Where there is none the call fails before it does anything.
func (f *FileTool) target(args json.RawMessage) (spot, bool) {
	var in struct {
		Path string `json:"path"`
	}
	if json.Unmarshal(args, &in) != nil {
		return spot{}, false
	}
	s, bad := f.resolveFile(in.Path)
	return s, bad == nil
}
