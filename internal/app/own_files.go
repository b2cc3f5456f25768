package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"hob/internal/config"
	"hob/internal/event"
	"hob/internal/skills/folder"
	"hob/internal/store"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/tree"
)

// ownFiles opens the folder of the configuration at a path, and the owner's skills, which no tool
// reaches. So a person's changes there can be undone like those in the workspace. The caller closes
// the tree.
func (s *Environment) ownFiles(db *store.DB, path string) (*changes.Writer, *tree.Tree, error) {
	cfg := tree.Config{Dir: filepath.Dir(path), Mounts: true}
	skills := ResolvePath(filepath.Join(cfg.Dir, skillsFolder))
	for _, dir := range []string{filepath.Dir(ResolvePath(path)), skills} { // links may lead elsewhere
		if isFolder(dir) && !isWithin(dir, cfg.Dir) {
			cfg.Grants = append(cfg.Grants, tree.Grant{Dir: dir, Write: true})
		}
	}
	t, err := tree.Open(cfg)
	if err != nil {
		return nil, nil, err
	}
	return changes.New(t, db.Changes(store.Limits{}), nil), t, nil
}

// isOwnFile reports whether path is the configuration, or a file of the owner's skills.
func (s *Environment) isOwnFile(path string) bool {
	return path == s.ConfigPath || path == ResolvePath(s.ConfigPath) || isWithin(path, s.OwnSkillsDir())
}

// ConfigEditor returns an editor for the configuration at a path, which s need not have read.
// Changes with a cause in ctx can be undone.
func (s *Environment) ConfigEditor(ctx context.Context, named string) config.Editor {
	return config.Editor{Keep: func(path, text string, replace func() error) error {
		return s.keepOwn(ctx, named, []changes.Planned{{Path: path, Kind: event.RegFile, Text: text, Mode: 0o644}}, replace)
	}}
}

// KeepSkill returns a function that creates a skill's folder so that this can be undone; see
// [folder.New].
func (s *Environment) KeepSkill(ctx context.Context) func([]folder.File, func() error) error {
	return func(all []folder.File, do func() error) error {
		var plan []changes.Planned
		for _, f := range all {
			p := changes.Planned{Path: f.Path, Kind: event.RegFile, Text: f.Text, Mode: f.Mode.Perm()}
			if f.Mode.IsDir() {
				p.Kind = event.Folder
			}
			plan = append(plan, p)
		}
		return s.keepOwn(ctx, s.ConfigPath, plan, do)
	}
}

// keepOwn records the changes that do makes to hob's own files, for undo. Without a journal it
// records nothing. If the journal cannot be used, the change is made all the same, because it may
// be the fix.
func (s *Environment) keepOwn(ctx context.Context, configPath string, plan []changes.Planned, do func() error) error {
	if !s.HasJournal() {
		return do()
	}
	begun := false
	err := s.EditJournal(ctx, func(db *store.DB) error {
		w, files, err := s.ownFiles(db, configPath)
		if err != nil {
			return err
		}
		err = w.Around(ctx, plan, func() error { begun = true; return do() })
		return errors.Join(err, files.Close())
	})
	if err != nil && !begun {
		fmt.Fprintf(s.stderr, "hob: this cannot be taken back: %v\n", err)
		return do()
	}
	return err
}
