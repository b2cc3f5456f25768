package app

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"hob/internal/event"
	"hob/internal/store"
	"hob/internal/tools/files/origins"
)

// LabelledFile is a file with its label in `hob label --json`.
type LabelledFile struct {
	Path    string `json:"path"`
	Name    bool   `json:"name,omitempty"`    // of a folder: only its name is theirs
	Command bool   `json:"command,omitempty"` // of a folder: a command that may have written there has not ended
	event.Label
}

// Labels lists the files that strangers may have had a hand in, by path.
func (s *Environment) Labels(ctx context.Context) ([]LabelledFile, error) {
	all := []LabelledFile{}
	err := s.WithJournal(ctx, func(db *store.DB) error {
		marks, err := db.Origins().All(ctx)
		for _, mark := range slices.Sorted(maps.Keys(marks)) {
			path, name, command := origins.MarkOf(mark)
			all = append(all, LabelledFile{path, name, command, marks[mark]})
		}
		return err
	})
	return all, err
}

// ClearLabel takes the label from a file, or from all in a folder, and reports whether there was one. A path is below the workspace
// unless it is absolute.
func (s *Environment) ClearLabel(ctx context.Context, path string) (had bool, err error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.WorkspaceDir, path)
	}
	err = s.WithJournal(ctx, func(db *store.DB) error {
		before, err := db.Origins().All(ctx)
		if err != nil {
			return err
		}
		if err := db.Origins().Forget(ctx, []string{filepath.Clean(path), ResolvePath(path)}); err != nil {
			return err
		}
		after, err := db.Origins().All(ctx)
		had = len(after) != len(before)
		return err
	})
	return had, err
}
