package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"hob/internal/config"
	"hob/internal/egress"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/proof"
	"hob/internal/llm"
	"hob/internal/model"
	"hob/internal/policy"
	"hob/internal/skills"
	"hob/internal/store"
)

// DaemonCommand is the name of the long-running command in messages to people.
const DaemonCommand = "hob serve"

// Forever is longer than any turn waits.
const Forever = 366 * 24 * time.Hour

// Loader reads configurations and builds an [App] from one.
type Loader struct {
	Env        func(string) string
	ConfigFile string // the configuration file that a person named; may be ""
	ModelName  string // overrides the configured model; may be ""
	Stderr     io.Writer
	Version    string      // of the program
	Egress     *Egress     // nil until a configuration is read
	Ollama     LocalServer // started where no host is configured and none answers; nil: none is
	LooksOnly  bool        // start no server

	// Patience returns how long a turn waits for a model that does not answer. begun means that the
	// server had accepted a request of this turn.
	Patience func(failure *llm.Error, begun bool) time.Duration
	// Serve lets other processes reach an App of this process. who is the command of the shell that
	// runs it.
	Serve func(h *App, who string) (Server, error)
}

// LocalServer is a server for the model that hob runs itself, at Ollama's usual address.
type LocalServer interface {
	// Start starts the server and returns when it answers. Without a program it does nothing.
	Start(ctx context.Context) error
	// Program is the path of the program that Start runs, or "".
	Program() string
	// Running reports whether this process runs the server.
	Running() bool
}

// Server lets other processes reach an [App].
type Server interface{ Close(context.Context) error }

// Load reads the configuration. It writes warnings to stderr.
func (l *Loader) Load() (*Environment, error) {
	path, err := l.ConfigPath()
	if err != nil {
		return nil, err
	}
	switch _, err := os.Stat(path); {
	case os.IsNotExist(err) && l.ConfigFile != "":
		return nil, exit.Errorf(exit.Usage, "there is no file %s: leave --config out for the defaults, or name another", path)
	case os.IsNotExist(err) && l.Env("HOB_CONFIG") != "":
		fmt.Fprintf(l.Stderr, "hob: there is no file %s: the defaults are in force\n", path)
	}
	return l.ReadFile(path, path)
}

// LoadStateDir returns an Environment that has only StateDir. It reads no configuration.
func (l *Loader) LoadStateDir() (*Environment, error) {
	home, _ := os.UserHomeDir()
	state, err := config.StateDir(l.Env, home)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	return &Environment{StateDir: state, stderr: l.Stderr, prover: proof.NewProver()}, nil
}

// ReadFile reads the file from as if it were the configuration at path.
func (l *Loader) ReadFile(from, path string) (*Environment, error) {
	home, _ := os.UserHomeDir() // paths that need a home folder report its absence
	cfg, warnings, err := config.Load(from)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	for _, w := range warnings {
		fmt.Fprintf(l.Stderr, "hob: %s (hob goes on without it)\n", w)
	}
	s := &Environment{Config: cfg, ConfigPath: path, stderr: l.Stderr, version: l.Version, prover: proof.NewProver()}
	if l.ModelName != "" {
		s.Ollama.Model = l.ModelName
	}
	if s.Hosts, err = cfg.Ollama.Hosts(l.Env("OLLAMA_HOST")); err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	if !cfg.Ollama.NamesHost(l.Env("OLLAMA_HOST")) {
		s.LocalOllama, s.looksOnly = l.Ollama, l.LooksOnly
	}
	if s.StateDir, err = config.StateDir(l.Env, home); err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	s.Hardware, s.ModelDirs = model.ThisMachine(), model.Dirs(l.Env("OLLAMA_MODELS"), home)
	if err := s.findTokens(l.Env, home); err != nil {
		return nil, err
	}
	if s.Redactor, err = s.ReadSecrets(l.Env); err != nil {
		return nil, err
	}
	l.Stderr = s.Redactor.Writer(l.Stderr)
	if l.Egress == nil {
		l.Egress = NewEgress(s.JournalPath(), egress.GateConfig{})
	}
	s.Egress = l.Egress
	s.Egress.keepFromOwn(cfg)
	if err := s.Connect(); err != nil {
		return nil, err
	}
	if s.WorkspaceDir, err = cfg.Workspace.WorkspaceDir(s.StateDir, home); err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	for i, host := range cfg.Policy.Hosts {
		if s.Policy.Hosts[i], err = policy.NormalHost(host); err != nil {
			return nil, exit.Errorf(exit.Usage, "[policy] hosts: %v", err)
		}
	}
	if s.calendars, err = cfg.Files.CalendarFiles(home); err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	if s.folders, err = cfg.Files.Open(home); err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	return s, s.checkFolders()
}

// ConfigPath returns where the configuration file is, or would be.
func (l *Loader) ConfigPath() (string, error) {
	home, _ := os.UserHomeDir()
	path, err := config.Find(l.ConfigFile, l.Env, home)
	if err != nil {
		return "", exit.Errorf(exit.Usage, "%v", err)
	}
	return path, nil
}

// NamesConfig reports whether a person named the configuration file.
func (l *Loader) NamesConfig() bool {
	_, named := config.Files(l.ConfigFile, l.Env, "")
	return named
}

// LockWait is how long a command waits until another hob releases the state.
const LockWait = 10 * time.Second

// Open locks the state and builds an App. who names this command for processes that wait for the
// lock.
func (l *Loader) Open(ctx context.Context, s *Environment, e *model.Model, who string) (*App, error) {
	lock, err := l.LockState(ctx, s, who)
	if err != nil {
		return nil, err
	}
	return l.OpenLocked(ctx, s, e, who, lock)
}

// OpenLocked is Open for a caller that holds the lock. It releases the lock on error.
func (l *Loader) OpenLocked(ctx context.Context, s *Environment, e *model.Model, who string, lock *store.FileLock) (*App, error) {
	open := OpenStore(store.OpenAlone)
	if s.AtPrompt {
		open = store.Open
	}
	go func() { // their first use would wait for them: they are read while the journal opens
		skills.Own("")
		game.Rules()
	}()
	db, err := s.Egress.OpenJournal(ctx, open)
	if err != nil {
		return nil, errors.Join(s.ExplainUnwritable(err), lock.Release())
	}
	if err := s.Changes(db).Finish(ctx); err != nil {
		fmt.Fprintf(l.Stderr, "hob: %v\n", err)
	}
	watch := model.NewWatch(e.CheckAvailable, func(string) {})
	h, err := l.Build(ctx, s, e, Deps{Journal: db, Log: slog.New(slog.DiscardHandler), ModelWatch: watch, Patience: l.Patience}) // the chat's follower sees errors in the journal
	if err != nil {
		s.Egress.DetachJournal()
		return nil, errors.Join(err, db.Close(), lock.Release())
	}
	if h.SentencesOff != nil {
		fmt.Fprintf(l.Stderr, "hob: %v (hob goes on without it)\n", h.SentencesOff)
	}
	watching, unwatch := context.WithCancel(ctx)
	h.stopWatch = unwatch
	h.watchGroup.Go(func() { watch.WatchFailures(watching) })
	if s.AtPrompt { // a person is there to get the reminders
		h.watchGroup.Go(func() { h.Scheduler.Run(watching) })
	}
	h.lock = lock
	if h.api, err = l.Serve(h, who); err != nil { // the App works without its API
		fmt.Fprintf(l.Stderr, "hob: %v: hob stop and hob approve will not reach it\n", err)
	}
	return h, nil
}

// Build makes an App whose sessions do nothing yet.
func (l *Loader) Build(ctx context.Context, s *Environment, e *model.Model, deps Deps) (*App, error) {
	if err := e.CheckProfiles(); err != nil {
		return nil, err
	}
	e.Remember(deps.Journal.Settings())
	shell := deps.Shell
	if shell == nil {
		shell = s.NewShell()
		if err := shell.restoreTier(ctx, s, deps.Journal.Settings()); err != nil {
			return nil, err
		}
	}
	if err := s.makeCanary(); err != nil {
		return nil, err
	}
	var err error
	if s.Redactor, err = s.ReadSecrets(l.Env); err != nil { // once more: the canary may be new
		return nil, err
	}
	if deps.Limiter == nil {
		deps.Limiter = policy.NewLimiter(s.Limits(), time.Now)
	}
	a := &App{Env: s, Model: e, Shell: shell, Journal: deps.Journal, Limiter: deps.Limiter, Egress: s.Egress, pages: deps.Pages}
	if a.Sessions, a.SkillSources, err = s.newSessions(ctx, e, shell, deps, a); err != nil {
		return nil, err
	}
	a.GameMaster = a.SkillSources.GameMaster
	return a, nil
}

// LockState locks the state, and waits up to LockWait for another hob to release it.
func (l *Loader) LockState(ctx context.Context, s *Environment, who string) (*store.FileLock, error) {
	ctx, cancel := context.WithTimeout(ctx, LockWait)
	defer cancel()
	by := ""
	lock, err := store.WaitLock(ctx, s.LockPath(), who, func(holder string) {
		first := by == ""
		if by = holder; !first { // several processes may hold it in turn
			return
		}
		fmt.Fprintf(l.Stderr, "hob: %s is using %s: waiting up to %s for it\n", holder, s.StateDir, LockWait)
	})
	if err != nil && by != "" {
		return nil, exit.Errorf(exit.Failed, "%s is still using %s: end it, or try again later", by, s.StateDir)
	}
	return lock, s.ExplainUnwritable(err)
}

// LocalOwner is the identity of a person at this machine: its owner.
func LocalOwner() event.Principal {
	return event.Principal{Platform: "cli", Scope: "private", Level: event.Owner}
}
