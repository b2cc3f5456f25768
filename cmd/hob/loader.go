package main

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
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/store"
)

// loader reads configurations, and makes from one an application.
type loader struct {
	env        func(string) string
	configFlag string // the configuration file that was named; may be ""
	modelFlag  string // the model that was named instead of the configuration's; may be ""
	stderr     io.Writer
	version    string  // of the program
	exit       *wayOut // nil until a configuration was read

	// patience says how long a turn waits for a model that is away; begun says that the server had taken a request of the turn.
	patience func(failure *llm.Error, begun bool) time.Duration
	// serve lets other processes speak to an application of this one; who is the command.
	serve func(h *hob, who string) (server, error)
}

// server is what lets other processes speak to an application.
type server interface{ Close(context.Context) error }

// load reads the configuration. What it can live with it says on stderr.
func (l *loader) load() (*setting, error) {
	path, err := l.configPath()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); os.IsNotExist(err) && (l.configFlag != "" || l.env("HOB_CONFIG") != "") {
		fmt.Fprintf(l.stderr, "hob: there is no file %s: the defaults are in force\n", path)
	}
	return l.read(path, path)
}

// stateOnly is a setting that knows where the state is, and nothing else.
func (l *loader) stateOnly() (*setting, error) {
	home, _ := os.UserHomeDir()
	state, err := config.StateDir(l.env, home)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	return &setting{state: state}, nil
}

// read is load for the file from, which stands for the configuration at path.
func (l *loader) read(from, path string) (*setting, error) {
	home, _ := os.UserHomeDir() // without one, the paths that need it say so
	cfg, warnings, err := config.Load(from)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	for _, w := range warnings {
		fmt.Fprintf(l.stderr, "hob: %s\n", w)
	}
	s := &setting{Config: cfg, path: path, stderr: l.stderr, version: l.version}
	if l.modelFlag != "" {
		s.Ollama.Model = l.modelFlag
	}
	if s.hosts, err = cfg.Ollama.Hosts(l.env("OLLAMA_HOST")); err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	if s.state, err = config.StateDir(l.env, home); err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	if err := s.findTokens(l.env, home); err != nil {
		return nil, err
	}
	if s.discreet, err = s.secrets(l.env); err != nil {
		return nil, err
	}
	l.stderr = s.discreet.Writer(l.stderr)
	if l.exit == nil {
		l.exit = newWayOut(s.journal(), egress.GateConfig{})
	}
	s.exit = l.exit
	if err := s.connect(); err != nil {
		return nil, err
	}
	if s.workspace, err = cfg.Workspace.WorkspaceDir(s.state, home); err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	for i, host := range cfg.Policy.Hosts {
		if s.Policy.Hosts[i], err = policy.NormalHost(host); err != nil {
			return nil, exit.Errorf(exit.Usage, "[policy] hosts: %v", err)
		}
	}
	if s.folders, err = cfg.Files.Open(home); err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	return s, s.apart()
}

func (l *loader) configPath() (string, error) {
	home, _ := os.UserHomeDir()
	path, err := config.Find(l.configFlag, l.env, home)
	if err != nil {
		return "", exit.Errorf(exit.Usage, "%v", err)
	}
	return path, nil
}

// lockWait is how long a command waits for another hob to finish with the state.
const lockWait = 10 * time.Second

// open takes the state and starts the sessions. who is the command, for those who have to wait.
func (l *loader) open(ctx context.Context, s *setting, e *engine, who string) (*hob, error) {
	lock, err := l.takeState(ctx, s, who)
	if err != nil {
		return nil, err
	}
	return l.openHeld(ctx, s, e, who, lock)
}

// openHeld is open for who has the state already.
func (l *loader) openHeld(ctx context.Context, s *setting, e *engine, who string, lock *store.Held) (*hob, error) {
	db, err := s.exit.open(ctx)
	if err != nil {
		return nil, errors.Join(s.unwritable(err), lock.Release())
	}
	watch := newModelWatch(e.there, func(string) {})
	h, err := l.build(ctx, s, e, ground{journal: db, log: slog.New(slog.DiscardHandler), model: watch, patience: l.patience}) // whoever follows is told
	if err != nil {
		s.exit.leave()
		return nil, errors.Join(err, db.Close(), lock.Release())
	}
	watching, unwatch := context.WithCancel(ctx)
	h.unwatch = unwatch
	h.watch.Go(func() { watch.serve(watching) })
	h.lock = lock
	if h.api, err = l.serve(h, who); err != nil { // it works all the same, but nobody can speak to it
		fmt.Fprintf(l.stderr, "hob: %v: hob stop and hob approve will not reach it\n", err)
	}
	return h, nil
}

// build makes a hob whose sessions do nothing yet.
func (l *loader) build(ctx context.Context, s *setting, e *engine, on ground) (*hob, error) {
	if err := e.readProfiles(); err != nil {
		return nil, err
	}
	e.kept = on.journal
	sh := on.shell
	if sh == nil {
		sh = s.newShell()
		if err := sh.recall(ctx, s, on.journal); err != nil {
			return nil, err
		}
	}
	if err := s.makeCanary(); err != nil {
		return nil, err
	}
	var err error
	if s.discreet, err = s.secrets(l.env); err != nil { // with the canary, which may be new
		return nil, err
	}
	if on.limiter == nil {
		on.limiter = policy.NewLimiter(s.limits(), time.Now)
	}
	sessions, set, err := s.sessions(ctx, e, sh, on)
	if err != nil {
		return nil, err
	}
	return &hob{Sessions: sessions, skills: set, master: set.master, engine: e, shell: sh, journal: on.journal, limiter: on.limiter, exit: s.exit}, nil
}

func (l *loader) takeState(ctx context.Context, s *setting, who string) (*store.Held, error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	by := ""
	lock, err := store.WaitLock(ctx, s.lockFile(), who, func(holder string) {
		by = holder
		fmt.Fprintf(l.stderr, "hob: %s is using %s: waiting up to %s for it\n", holder, s.state, lockWait)
	})
	if err != nil && by != "" {
		return nil, exit.Errorf(exit.Failed, "%s is still using %s: end it, or try again later", by, s.state)
	}
	return lock, s.unwritable(err)
}
