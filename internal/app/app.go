// Package app builds hob from a configuration: [Loader] reads that into an [Environment], and makes of it an [App] with its model,
// tools, skills, policy and sessions. It knows no surface and no command line; who uses it brings those.
package app

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"hob/internal/campaigns"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/queue"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
	"hob/internal/tools/files"
	"hob/internal/tools/files/blobs"
)

// suspectsYield is how long a turn that may have ended the daemon lets others begin first.
const suspectTurnDelay = 2 * time.Second

// APIWait is how long requests to the local API may go on when hob ends.
const APICloseTimeout = time.Second

// App is a hob in this process: the only one that works on the state.
type App struct {
	*session.Sessions
	SkillSources *Skills
	GameMaster   *gamemaster.Master // runs stories
	Model        *Model
	Shell        *Shell
	Journal      *store.DB
	Limiter      *policy.Limiter
	Egress       *Egress
	api          Server      // nil where there is none, or where it outlives this hob
	lock         *store.Held // nil where it outlives this hob

	watchGroup   sync.WaitGroup // of the model; where it outlives this hob, nobody is in it
	stopWatch func()         // ends it; nil likewise
}

// Deps is what a hob is built on beside its configuration.
type Deps struct {
	Journal  *store.DB
	Shell    *Shell // of a hob before this one, that goes on; nil: a new one
	Log      *slog.Logger
	Limiter  *policy.Limiter                                    // of a hob before this one with the same limits, that remembers who has spoken; nil: a new one
	Model    *ModelWatch                                        // is told what came of each request to the model
	Patience func(failure *llm.Error, begun bool) time.Duration // see [Loader]
	// delivered says what became of a file that was handed to a person; nil: nobody here delivers any.
	DeliveryState func(ctx context.Context, chat event.Chat, seq int64, n int) event.SendState
	LongRunning   bool // the process goes on when nothing happens
}

// written is the journal as sessions write it.
func (d Deps) sessionJournal() session.Journal {
	if d.LongRunning {
		return newIdleCollector(d.Journal)
	}
	return d.Journal
}

func (s *Environment) Limits() policy.Limits {
	return policy.Limits{TurnsPerMinute: s.Policy.TurnsPerMinute, MaxText: s.Policy.MaxText, Home: "cli"}
}

func (s *Environment) newSessions(ctx context.Context, e *Model, shell *Shell, deps Deps) (*session.Sessions, *Skills, error) {
	outputs, err := blobs.New(blobs.Config{Dir: s.OutputsDir()})
	if err != nil {
		return nil, nil, err
	}
	e.Queue = queue.New(ObservedModel{e, deps.Model.Observe}, 1, time.Now)
	e.Queue.Spare(e.hasSpareHost)
	model := RedactingModel{e.Queue, s.Redactor}
	kit, err := s.DefaultTools(e.Share, outputs, JournalTools(deps.Journal), shell, model)
	if err != nil {
		return nil, nil, err
	}
	yield := time.Duration(0)
	if deps.LongRunning { // else there is nobody to yield to
		yield = suspectTurnDelay
	}
	var sessions *session.Sessions
	set, err := s.NewSkills(ctx, kit, shell, deps.Journal.Settings(), campaigns.New(deps.Journal), model, func() *session.Sessions { return sessions })
	if err != nil {
		return nil, nil, err
	}
	kit.Skills, e.Tools, e.Problems = set, kit, set.Problems
	sessions = session.New(ctx, session.Config{
		Journal: deps.sessionJournal(), Model: model, Blobs: outputs,
		Kit:      set.Toolset,
		Settings: e.TurnSettings, Budget: s.Budget(),
		Now: time.Now, Log: deps.Log,
		Policy:    (&policySource{env: s, db: deps.Journal}).current,
		Sanitizer: policy.NewSanitizer(s.Redactor, rand.Reader), Random: rand.Reader, Differs: kit.FileTool.Differs,
		Delivered: deps.DeliveryState,
		Limiter:   deps.Limiter,
		Extent:    shell,
		Server:    e.sessionServer(deps.Model, deps.Patience),
		Yield:     yield,
		Picture:   pictureReader(kit.FileTool),
	})
	return sessions, set, nil
}

// picture returns what reads pictures that came with a message.
func pictureReader(files *files.Workspace) func(context.Context, event.File) ([]byte, error) {
	return func(ctx context.Context, f event.File) ([]byte, error) {
		r, err := files.Open(ctx, f)
		if err != nil {
			return nil, err
		}
		raw, err := io.ReadAll(r)
		return raw, errors.Join(err, r.Close())
	}
}

// ObservedModel is a model whose failures somebody wants to know of.
type ObservedModel struct {
	llm.Model
	Observe func(error)
}

// Chat implements [llm.Model].
func (m ObservedModel) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	reply, err := m.Model.Chat(ctx, req, onDelta)
	m.Observe(err)
	return reply, err
}

// Close cuts running turns short, to be resumed, and gives the state back.
func (a *App) Close() error {
	var deaf error
	if a.api != nil {
		ctx, cancel := context.WithTimeout(context.Background(), APICloseTimeout)
		deaf = a.api.Close(ctx)
		cancel()
	}
	a.Sessions.Close()
	if a.stopWatch != nil {
		a.stopWatch()
		a.watchGroup.Wait()
	}
	a.Shell.Jobs.Close()
	a.SkillSources.Close()
	kept := a.SaveLearned(context.Background())
	a.Egress.DetachJournal()
	return errors.Join(deaf, kept, a.Journal.Close(), a.lock.Release())
}

// Remember keeps for the next hob what this one has learned.
func (a *App) SaveLearned(ctx context.Context) error {
	return errors.Join(a.Model.saveRate(ctx), a.Shell.saveTier(ctx, a.Journal.Settings()))
}

// Last returns the Seq of the chat's newest event, 0 if there is none.
func (a *App) Last(ctx context.Context, chat event.Chat) (int64, error) {
	return a.Journal.Last(ctx, chat)
}
