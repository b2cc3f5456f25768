package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"sync"
	"syscall"
	"time"

	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/llm/queue"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
	local "hob/internal/surface/http"
	"hob/internal/tools/files"
)

// lockWait is how long a command waits for another hob to finish with the state.
const lockWait = 10 * time.Second

// suspectsYield is how long a turn that may have ended the daemon lets others begin first.
const suspectsYield = 2 * time.Second

// apiWait is how long requests to the local API may go on when hob ends.
const apiWait = time.Second

// hob is a hob in this process: the only one that works on the state.
type hob struct {
	*session.Sessions
	skills  *skillset
	master  *gamemaster.Master // runs stories
	engine  *engine
	shell   *shell
	journal *store.DB
	limiter *policy.Limiter
	exit    *wayOut
	api     *local.Server // nil where there is none, or where it outlives this hob
	lock    *store.Held   // nil where it outlives this hob

	watch   sync.WaitGroup // of the model; where it outlives this hob, nobody is in it
	unwatch func()         // ends it; nil likewise
}

// ground is what a hob is built on beside its configuration.
type ground struct {
	journal *store.DB
	shell   *shell // of a hob before this one, that goes on; nil: a new one
	log     *slog.Logger
	limiter *policy.Limiter // of a hob before this one with the same limits, that remembers who has spoken; nil: a new one
	model   *modelWatch     // is told what came of each request to the model
	wait    modelWait       // for a model that is away
	// delivered says what became of a file that was handed to a person; nil: nobody here delivers any.
	delivered func(ctx context.Context, chat event.Chat, seq int64, n int) event.SendState
	stays     bool // the process goes on when nothing happens
}

// written is the journal as sessions write it.
func (g ground) written() session.Journal {
	if g.stays {
		return newCalm(g.journal)
	}
	return g.journal
}

// open takes the state and starts the sessions. who is the command, for those who have to wait.
func (a *app) open(ctx context.Context, s *setting, e *engine, who string) (*hob, error) {
	lock, err := a.takeState(ctx, s, who)
	if err != nil {
		return nil, err
	}
	return a.openHeld(ctx, s, e, who, lock)
}

// openHeld is open for who has the state already.
func (a *app) openHeld(ctx context.Context, s *setting, e *engine, who string, lock *store.Held) (*hob, error) {
	db, err := s.exit.open(ctx)
	if err != nil {
		return nil, errors.Join(s.unwritable(err), lock.Release())
	}
	watch := newModelWatch(e.there, func(string) {})
	h, err := a.build(ctx, s, e, ground{journal: db, log: slog.New(slog.DiscardHandler), model: watch, wait: a.modelWait()}) // whoever follows is told
	if err != nil {
		s.exit.leave()
		return nil, errors.Join(err, db.Close(), lock.Release())
	}
	watching, unwatch := context.WithCancel(ctx)
	h.unwatch = unwatch
	h.watch.Go(func() { watch.serve(watching) })
	h.lock = lock
	if h.api, err = local.Listen(s.socket(), h.local(who)); err != nil { // it works all the same, but nobody can speak to it
		fmt.Fprintf(a.stderr, "hob: %v: hob stop and hob approve will not reach it\n", err)
	}
	return h, nil
}

// build makes a hob whose sessions do nothing yet.
func (a *app) build(ctx context.Context, s *setting, e *engine, on ground) (*hob, error) {
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
	if s.discreet, err = s.secrets(a.env); err != nil { // with the canary, which may be new
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

func (s *setting) limits() policy.Limits {
	return policy.Limits{TurnsPerMinute: s.Policy.TurnsPerMinute, MaxText: s.Policy.MaxText}
}

func (s *setting) sessions(ctx context.Context, e *engine, sh *shell, on ground) (*session.Sessions, *skillset, error) {
	outputs, err := files.NewOutputs(files.OutputsConfig{Dir: s.outputs()})
	if err != nil {
		return nil, nil, err
	}
	e.line = queue.New(heeded{e, on.model.heed}, 1, time.Now)
	e.line.Spare(e.spare)
	model := discreet{e.line, s.discreet}
	kit, err := s.tools(e.share, outputs, past{on.journal}, sh, model)
	if err != nil {
		return nil, nil, err
	}
	yield := time.Duration(0)
	if on.stays { // else there is nobody to yield to
		yield = suspectsYield
	}
	var sessions *session.Sessions
	set, err := s.skillset(ctx, kit, sh, on.journal, model, func() *session.Sessions { return sessions })
	if err != nil {
		return nil, nil, err
	}
	kit.set, e.kit, e.ailing = set, kit, set.problems
	sessions = session.New(ctx, session.Config{
		Journal: on.written(), Model: model, Shelf: outputs,
		Kit:      set.kit,
		Settings: e.turn, Budget: s.budget(),
		Now: time.Now, Log: on.log,
		Policy: (&rulebook{set: s, kept: on.journal}).now,
		Sieve:  policy.NewSieve(s.discreet, rand.Reader), Random: rand.Reader, Differs: kit.files.Differs,
		Delivered: on.delivered,
		Limiter:   on.limiter,
		Extent:    sh,
		Server:    e.server(on.model, on.wait),
		Yield:     yield,
		Picture:   picture(kit.files),
	})
	return sessions, set, nil
}

// picture returns what reads pictures that came with a message.
func picture(files *files.Tool) func(context.Context, event.File) ([]byte, error) {
	return func(ctx context.Context, f event.File) ([]byte, error) {
		r, err := files.Open(ctx, f)
		if err != nil {
			return nil, err
		}
		raw, err := io.ReadAll(r)
		return raw, errors.Join(err, r.Close())
	}
}

// heeded is a model whose failures somebody wants to know of.
type heeded struct {
	llm.Model
	heed func(error)
}

// Chat implements [llm.Model].
func (h heeded) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	reply, err := h.Model.Chat(ctx, req, onDelta)
	h.heed(err)
	return reply, err
}

// Close cuts running turns short, to be resumed, and gives the state back.
func (h *hob) Close() error {
	var deaf error
	if h.api != nil {
		ctx, cancel := context.WithTimeout(context.Background(), apiWait)
		deaf = h.api.Close(ctx)
		cancel()
	}
	h.Sessions.Close()
	if h.unwatch != nil {
		h.unwatch()
		h.watch.Wait()
	}
	h.shell.jobs.Close()
	h.skills.Close()
	kept := h.remember(context.Background())
	h.exit.leave()
	return errors.Join(deaf, kept, h.journal.Close(), h.lock.Release())
}

// remember keeps for the next hob what this one has learned.
func (h *hob) remember(ctx context.Context) error {
	return errors.Join(h.engine.remember(ctx), h.shell.remember(ctx, h.journal))
}

func (a *app) takeState(ctx context.Context, s *setting, who string) (*store.Held, error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	by := ""
	lock, err := store.WaitLock(ctx, s.lockFile(), who, func(holder string) {
		by = holder
		fmt.Fprintf(a.stderr, "hob: %s is using %s: waiting up to %s for it\n", holder, s.state, lockWait)
	})
	if err != nil && by != "" {
		return nil, exit.Errorf(exit.Failed, "%s is still using %s: end it, or try again later", by, s.state)
	}
	return lock, s.unwritable(err)
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
