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

// LabelledFile is a file and its label: `hob label --json` prints it.
type LabelledFile struct {
	Path    string `json:"path"`
	Name    bool   `json:"name,omitempty"`    // for a folder: only its name is a stranger's
	Command bool   `json:"command,omitempty"` // for a folder: a command that may write there still runs
	event.Label
}

// Labels returns the files that strangers may have written or changed, by path.
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

// ClearLabel removes the label of a file, or of all files in a folder. It reports whether there was
// one. A relative path is below the workspace.
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
