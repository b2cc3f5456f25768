package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"hob/internal/config"
	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game/tales"
	"hob/internal/llm/ollama"
	"hob/internal/model"
	"hob/internal/secret"
	"hob/internal/store"
)

// Environment is the configuration in force, with the paths, credentials and clients that follow
// from it.
type Environment struct {
	config.Config
	ConfigPath   string // the configuration file, which need not exist
	Hosts        []string
	folders      []config.Folder // folders that the file tools reach beside the workspace
	calendars    []string        // patterns of calendar files
	StateDir     string
	WorkspaceDir string
	OllamaClient *ollama.Client   // without a model, see [ollama.Client.For]
	LocalOllama  LocalServer      // started where no host answers; nil: none is
	looksOnly    bool             // do not start LocalOllama
	Redactor     *secret.Redactor // removes known secrets from text
	Egress       *Egress          // every dialer comes from it
	AtPrompt     bool             // a person types at a terminal
	BotTokenFile TokenFile        // of the Telegram bot
	APITokenFile TokenFile        // of the local API
	Hardware     model.Hardware   // nil: nothing is known about this machine
	ModelDirs    []string         // where an Ollama of this machine may keep its models, the likeliest first
	stderr       io.Writer        // for warnings
	version      string           // of the program
	prover       tales.Prover     // proves that the owner's tales can be won
	readZoneOnce sync.Once
	configured   *time.Location                // see [Environment.zone]
	zoneSet      atomic.Pointer[time.Location] // set while hob runs; nil: the configured zone is in force
}

// checkFolders returns an error if a folder of the agent contains hob's own files or lies among
// them.
func (s *Environment) checkFolders() error {
	own := map[string]string{
		"journal": s.StateDir, "configuration": filepath.Dir(s.ConfigPath), "skills": s.OwnSkillsDir(), "kept skills": s.KeptSkillsDir(), "tales": s.TalesDir(),
	} // a model follows its skills, so it must not write one
	real := map[string]string{} // each path is resolved once: there is a system call for each part of it
	for what, path := range own {
		real[what] = ResolvePath(path)
	}
	open := append([]config.Folder{{Path: s.WorkspaceDir, Key: "[workspace] dir"}}, s.folders...)
	for _, f := range open {
		folder := ResolvePath(f.Path)
		for what, path := range own {
			ours := what == "skills" || what == "kept skills" || what == "tales"
			if isBelow(real[what], folder) || (ours || f.Path != s.WorkspaceDir) && isBelow(folder, real[what]) {
				return exit.Errorf(exit.Usage, "%s: %s holds hob's own %s (%s), or lies in it, which the agent must not reach: choose another folder",
					f.Key, f.Path, what, path)
			}
		}
	}
	return nil
}

// isWithin reports whether path is dir or lies below it. It follows the links that exist.
func isWithin(path, dir string) bool { return isBelow(ResolvePath(path), ResolvePath(dir)) }

// isBelow is isWithin of paths that are resolved.
func isBelow(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// ResolvePath follows the links in the part of path that exists.
func ResolvePath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(ResolvePath(parent), filepath.Base(path))
	}
	return path
}

// DisplayPath returns a path for people: relative to the workspace for a file in it.
func (s *Environment) DisplayPath(path string) string {
	if rel, err := filepath.Rel(ResolvePath(s.WorkspaceDir), path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return display.Clean(path)
}

func (s *Environment) JournalPath() string { return filepath.Join(s.StateDir, "journal.db") }

func (s *Environment) LockPath() string { return filepath.Join(s.StateDir, "lock") }

func (s *Environment) HistoryPath() string { return filepath.Join(s.StateDir, "history") }

func (s *Environment) OutputsDir() string { return filepath.Join(s.StateDir, "outputs") } // long results of tools

func (s *Environment) MeasuredProfilesPath() string {
	return filepath.Join(s.StateDir, "profiles.toml")
} // profiles measured by `hob model try`

// MakeState makes the state folder, closed to other users. It comes first: making a folder below it
// would make it readable by others.
func (s *Environment) MakeState() error {
	return s.ExplainUnwritable(os.MkdirAll(s.StateDir, 0o700))
}

// OpenJournal opens the journal while another hob may be running. On a read-only file system the
// journal can still be read; a warning goes to stderr.
func (s *Environment) OpenJournal(ctx context.Context) (*store.DB, error) {
	db, err := store.OpenToRead(ctx, s.JournalPath(), time.Now)
	if err == nil && db.Lacks() != "" {
		fmt.Fprintf(s.stderr, "hob: %s\n", db.Lacks())
	}
	return db, s.ExplainUnwritable(err)
}

// HasJournal reports whether the journal exists.
func (s *Environment) HasJournal() bool {
	_, err := os.Stat(s.JournalPath())
	return !errors.Is(err, os.ErrNotExist)
}

// WithJournal calls do with the journal. Without a journal it does nothing and creates none.
func (s *Environment) WithJournal(ctx context.Context, do func(*store.DB) error) error {
	if !s.HasJournal() {
		return nil
	}
	return s.EditJournal(ctx, do)
}

// EditJournal calls do with the journal, and creates that if there is none.
func (s *Environment) EditJournal(ctx context.Context, do func(*store.DB) error) error {
	db, err := s.OpenJournal(ctx)
	if err != nil {
		return err
	}
	return cmp.Or(do(db), db.Close())
}

// ReadJournal returns what read reads from the journal. Without a journal it returns the zero value
// and creates none.
func ReadJournal[T any](ctx context.Context, s *Environment, read func(*store.DB) (T, error)) (found T, err error) {
	err = s.WithJournal(ctx, func(db *store.DB) error {
		found, err = read(db)
		return err
	})
	return found, err
}

// WithoutPath returns the cause of a path error, for messages that already have the path.
func WithoutPath(err error) error {
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// ExplainUnwritable replaces the error of an unwritable state folder, or one open to others, by a
// sentence on how to fix it. It returns other errors unchanged.
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

// LastGoodPath is the copy of the last configuration with which the daemon started.
func (s *Environment) LastGoodPath() string { return filepath.Join(s.StateDir, "config.good.toml") }

// CanaryPath is the file of the canary, a meaningless secret for leak tests.
func (s *Environment) CanaryPath() string { return filepath.Join(s.StateDir, "canary") }

// OwnSkillsDir is the folder for the owner's skills.
func (s *Environment) OwnSkillsDir() string {
	return filepath.Join(filepath.Dir(s.ConfigPath), skillsFolder)
}

// skillsFolder is the name of the folder of the owner's skills, beside the configuration.
const skillsFolder = "skills"

// KeptSkillsDir is the folder for skills that hob wrote on request.
func (s *Environment) KeptSkillsDir() string { return filepath.Join(s.StateDir, "skills") }

// PageDir holds the page's own certificates, if it has any.
func (s *Environment) PageDir() string { return filepath.Join(s.StateDir, "page") }

// SocketPath is the Unix socket of the local API.
func (s *Environment) SocketPath() string { return filepath.Join(s.StateDir, "hob.sock") }

// TalesDir is the folder for the owner's tales.
func (s *Environment) TalesDir() string { return filepath.Join(filepath.Dir(s.ConfigPath), "tales") }

// Tales returns hob's own tales and those in TalesDir that are proven winnable.
func (s *Environment) Tales() tales.Library {
	return tales.NewLibrary(os.DirFS(s.TalesDir())).WithProver(s.prover)
}
