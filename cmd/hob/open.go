package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/queue"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
	"hob/internal/tools/files"
)

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
	api     server      // nil where there is none, or where it outlives this hob
	lock    *store.Held // nil where it outlives this hob

	watch   sync.WaitGroup // of the model; where it outlives this hob, nobody is in it
	unwatch func()         // ends it; nil likewise
}

// ground is what a hob is built on beside its configuration.
type ground struct {
	journal  *store.DB
	shell    *shell // of a hob before this one, that goes on; nil: a new one
	log      *slog.Logger
	limiter  *policy.Limiter                                    // of a hob before this one with the same limits, that remembers who has spoken; nil: a new one
	model    *modelWatch                                        // is told what came of each request to the model
	patience func(failure *llm.Error, begun bool) time.Duration // see [loader]
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
		Server:    e.server(on.model, on.patience),
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

// Last returns the Seq of the chat's newest event, 0 if there is none.
func (h *hob) Last(ctx context.Context, chat event.Chat) (int64, error) {
	return h.journal.Last(ctx, chat)
}
