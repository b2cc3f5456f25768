package main

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

// setting is the configuration in force, and where it came from.
type setting struct {
	config.Config
	path      string // of the configuration file, which need not exist
	hosts     []string
	folders   []config.Folder // beside the workspace, for the file tools
	state     string          // folder
	workspace string          // folder
	ollama    *ollama.Client  // for no model yet, see [ollama.Client.For]
	discreet  *secret.Keeper  // what nobody may be told
	exit      *wayOut         // all that dials dials through it
	prompt    bool            // a person is at the prompt
	bot       tokenFile       // of the bot on Telegram
	key       tokenFile       // of the local API
	stderr    io.Writer       // where a person is warned
	version   string          // of the program
}

// apart makes sure that no folder of the agent's holds what is hob's own.
func (s *setting) apart() error {
	open := append([]config.Folder{{Path: s.workspace, Key: "[workspace] dir"}}, s.folders...)
	for _, f := range open {
		for what, path := range map[string]string{
			"journal": s.state, "configuration": filepath.Dir(s.path), "skills": s.ownSkills(), "kept skills": s.keptSkills(), "tales": s.ownTales(),
		} { // what is in a skill, a model does: one that it could write would be its own owner
			ours := what == "skills" || what == "kept skills" || what == "tales"
			if within(path, f.Path) || (ours || f.Path != s.workspace) && within(f.Path, path) {
				return exit.Errorf(exit.Usage, "%s: %s holds hob's own %s (%s), or lies in it, which the agent must not reach: choose another folder",
					f.Key, f.Path, what, path)
			}
		}
	}
	return nil
}

// within reports whether path is dir or lies below it, links followed as far as they exist.
func within(path, dir string) bool {
	rel, err := filepath.Rel(resolved(dir), resolved(path))
	return err == nil && filepath.IsLocal(rel)
}

// resolved follows the links in the part of path that exists.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(resolved(parent), filepath.Base(path))
	}
	return path
}

func (s *setting) journal() string { return filepath.Join(s.state, "journal.db") }

func (s *setting) lockFile() string { return filepath.Join(s.state, "lock") }

func (s *setting) history() string { return filepath.Join(s.state, "history") }

func (s *setting) outputs() string { return filepath.Join(s.state, "outputs") } // what tools said at length

func (s *setting) trials() string { return filepath.Join(s.state, "profiles.toml") } // what trials of models found

// makeState makes the state folder, for nobody else to look into: what is made in it, such as the workspace, would make
// it as open as itself.
func (s *setting) makeState() error {
	return s.unwritable(os.MkdirAll(s.state, 0o700))
}

// openJournal opens the journal beside a hob that may run. Where nothing can be written it can be read all the same; what cannot
// be read there it says on stderr.
func (s *setting) openJournal(ctx context.Context) (*store.DB, error) {
	db, err := store.OpenToRead(ctx, s.journal(), time.Now)
	if err == nil && db.Lacks() != "" {
		fmt.Fprintf(s.stderr, "hob: %s\n", db.Lacks())
	}
	return db, s.unwritable(err)
}

// hasJournal reports whether anything has happened yet.
func (s *setting) hasJournal() bool {
	_, err := os.Stat(s.journal())
	return !errors.Is(err, os.ErrNotExist)
}

// withJournal does something with the journal, if there is one.
func (s *setting) withJournal(ctx context.Context, do func(*store.DB) error) error {
	if !s.hasJournal() {
		return nil // nothing has happened yet, and looking must not make it look so
	}
	db, err := s.openJournal(ctx)
	if err != nil {
		return err
	}
	err = do(db)
	if closing := db.Close(); err == nil {
		err = closing
	}
	return err
}

// cause is an error without the path, which was named already.
func cause(err error) error {
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// unwritable is the sentence for a state folder that cannot be written to, or that others can; other errors stay as they are.
func (s *setting) unwritable(err error) error {
	open, fault := (*store.FolderError)(nil), (*fs.PathError)(nil)
	switch {
	case errors.As(err, &open):
		return exit.Errorf(exit.Usage, "%v", open)
	case errors.Is(err, syscall.ENOSPC):
		return exit.Errorf(exit.Failed, "there is no room on the disk of %s: make room there, and try again; everything that was journaled is safe", s.state)
	case errors.Is(err, syscall.EDQUOT):
		return exit.Errorf(exit.Failed, "the disk quota for %s is used up: make room there, or have the quota raised, and try again", s.state)
	case errors.Is(err, syscall.EROFS):
		return exit.Errorf(exit.Usage, "%s is on a read-only file system: mount it for writing, or set HOB_STATE_DIR to another folder", s.state)
	case errors.As(err, &fault):
		return exit.Errorf(exit.Usage, "%s cannot be written to (%v): let this user write there, or set HOB_STATE_DIR to another folder", s.state, fault.Err)
	}
	return err
}

// lastGood is the copy of the last configuration that the daemon started with.
func (s *setting) lastGood() string { return filepath.Join(s.state, "config.good.toml") }

// canary is the file of hob's own secret.
func (s *setting) canary() string { return filepath.Join(s.state, "canary") }

// ownSkills and keptSkills are the folders in which skills are looked for: those that the owner puts there, and those that
// hob was told to make.
func (s *setting) ownSkills() string { return filepath.Join(filepath.Dir(s.path), "skills") }

func (s *setting) keptSkills() string { return filepath.Join(s.state, "skills") }

// socket is where a running hob can be spoken to.
func (s *setting) socket() string { return filepath.Join(s.state, "hob.sock") }

// ownTales is the folder in which the owner puts tales, and tales are those that there are.
func (s *setting) ownTales() string { return filepath.Join(filepath.Dir(s.path), "tales") }

func (s *setting) tales() tales.Shelf { return tales.NewShelf(os.DirFS(s.ownTales())) }
