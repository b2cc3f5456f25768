package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"hob/internal/config"
	"hob/internal/exit"
	"hob/internal/game/tales"
	"hob/internal/llm/ollama"
	"hob/internal/secret"
	"hob/internal/store"
)

// Environment is the configuration in force, and where it came from.
type Environment struct {
	config.Config
	ConfigPath   string // of the configuration file, which need not exist
	Hosts        []string
	folders      []config.Folder // beside the workspace, for the file tools
	StateDir     string          // folder
	WorkspaceDir string          // folder
	OllamaClient *ollama.Client  // for no model yet, see [ollama.Client.For]
	Redactor     *secret.Keeper  // what nobody may be told
	Egress       *Egress         // all that dials dials through it
	AtPrompt     bool            // a person is at the prompt
	BotTokenFile TokenFile       // of the bot on Telegram
	APITokenFile TokenFile       // of the local API
	stderr       io.Writer       // where a person is warned
	version      string          // of the program
}

// apart makes sure that no folder of the agent's holds what is hob's own.
func (s *Environment) checkFolders() error {
	open := append([]config.Folder{{Path: s.WorkspaceDir, Key: "[workspace] dir"}}, s.folders...)
	for _, f := range open {
		for what, path := range map[string]string{
			"journal": s.StateDir, "configuration": filepath.Dir(s.ConfigPath), "skills": s.OwnSkillsDir(), "kept skills": s.KeptSkillsDir(), "tales": s.TalesDir(),
		} { // what is in a skill, a model does: one that it could write would be its own owner
			ours := what == "skills" || what == "kept skills" || what == "tales"
			if isWithin(path, f.Path) || (ours || f.Path != s.WorkspaceDir) && isWithin(f.Path, path) {
				return exit.Errorf(exit.Usage, "%s: %s holds hob's own %s (%s), or lies in it, which the agent must not reach: choose another folder",
					f.Key, f.Path, what, path)
			}
		}
	}
	return nil
}

// within reports whether path is dir or lies below it, links followed as far as they exist.
func isWithin(path, dir string) bool {
	rel, err := filepath.Rel(ResolvePath(dir), ResolvePath(path))
	return err == nil && filepath.IsLocal(rel)
}

// Resolved follows the links in the part of path that exists.
func ResolvePath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(ResolvePath(parent), filepath.Base(path))
	}
	return path
}

func (s *Environment) JournalPath() string { return filepath.Join(s.StateDir, "journal.db") }

func (s *Environment) LockPath() string { return filepath.Join(s.StateDir, "lock") }

func (s *Environment) HistoryPath() string { return filepath.Join(s.StateDir, "history") }

func (s *Environment) OutputsDir() string { return filepath.Join(s.StateDir, "outputs") } // what tools said at length

func (s *Environment) MeasuredProfilesPath() string { return filepath.Join(s.StateDir, "profiles.toml") } // what trials of models found

// MakeState makes the state folder, for nobody else to look into: what is made in it, such as the workspace, would make
// it as open as itself.
func (s *Environment) MakeState() error {
	return s.ExplainUnwritable(os.MkdirAll(s.StateDir, 0o700))
}

// OpenJournal opens the journal beside a hob that may run. Where nothing can be written it can be read all the same; what cannot
// be read there it says on stderr.
func (s *Environment) OpenJournal(ctx context.Context) (*store.DB, error) {
	db, err := store.OpenToRead(ctx, s.JournalPath(), time.Now)
	if err == nil && db.Lacks() != "" {
		fmt.Fprintf(s.stderr, "hob: %s\n", db.Lacks())
	}
	return db, s.ExplainUnwritable(err)
}

// HasJournal reports whether anything has happened yet.
func (s *Environment) HasJournal() bool {
	_, err := os.Stat(s.JournalPath())
	return !errors.Is(err, os.ErrNotExist)
}

// WithJournal does something with the journal, if there is one.
func (s *Environment) WithJournal(ctx context.Context, do func(*store.DB) error) error {
	if !s.HasJournal() {
		return nil // nothing has happened yet, and looking must not make it look so
	}
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return err
	}
	err = do(db)
	if closing := db.Close(); err == nil {
		err = closing
	}
	return err
}

// Cause is an error without the path, which was named already.
func WithoutPath(err error) error {
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// ExplainUnwritable is the sentence for a state folder that cannot be written to, or that others can; other errors stay as they are.
func (s *Environment) ExplainUnwritable(err error) error {
	open, fault := (*store.FolderError)(nil), (*fs.PathError)(nil)
	switch {
	case errors.As(err, &open):
		return exit.Errorf(exit.Usage, "%v", open)
	case errors.Is(err, syscall.ENOSPC):
		return exit.Errorf(exit.Failed, "there is no room on the disk of %s: make room there, and try again; everything that was journaled is safe", s.StateDir)
	case errors.Is(err, syscall.EDQUOT):
		return exit.Errorf(exit.Failed, "the disk quota for %s is used up: make room there, or have the quota raised, and try again", s.StateDir)
	case errors.Is(err, syscall.EROFS):
		return exit.Errorf(exit.Usage, "%s is on a read-only file system: mount it for writing, or set HOB_STATE_DIR to another folder", s.StateDir)
	case errors.As(err, &fault):
		return exit.Errorf(exit.Usage, "%s cannot be written to (%v): let this user write there, or set HOB_STATE_DIR to another folder", s.StateDir, fault.Err)
	}
	return err
}

// LastGoodPath is the copy of the last configuration that the daemon started with.
func (s *Environment) LastGoodPath() string { return filepath.Join(s.StateDir, "config.good.toml") }

// CanaryPath is the file of hob's own secret.
func (s *Environment) CanaryPath() string { return filepath.Join(s.StateDir, "canary") }

// OwnSkillsDir and keptSkills are the folders in which skills are looked for: those that the owner puts there, and those that
// hob was told to make.
func (s *Environment) OwnSkillsDir() string {
	return filepath.Join(filepath.Dir(s.ConfigPath), "skills")
}

func (s *Environment) KeptSkillsDir() string { return filepath.Join(s.StateDir, "skills") }

// SocketPath is where a running hob can be spoken to.
func (s *Environment) SocketPath() string { return filepath.Join(s.StateDir, "hob.sock") }

// TalesDir is the folder in which the owner puts tales, and tales are those that there are.
func (s *Environment) TalesDir() string { return filepath.Join(filepath.Dir(s.ConfigPath), "tales") }

func (s *Environment) Tales() tales.Shelf { return tales.NewShelf(os.DirFS(s.TalesDir())) }
