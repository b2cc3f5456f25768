// Package app builds hob from its configuration.
//
// [Loader] reads the configuration into an [Environment] and opens an [App] from that: the journal,
// the model, the tools, the skills, the policy and the sessions. [Skills] collects skills from hob
// itself, from folders and from MCP servers. An [Egress] is the only way out of the process.
//
// The package knows no surface and no command line. A caller brings those: [Loader].Serve starts
// the local API, and [App.CommandTable] gives surfaces their commands.
package app

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"hob/internal/campaigns"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/queue"
	"hob/internal/model"
	"hob/internal/policy"
	"hob/internal/schedule"
	"hob/internal/session"
	"hob/internal/skills/gamemaster"
	"hob/internal/store"
	"hob/internal/tools/files"
	"hob/internal/tools/files/blobs"
)

// suspectTurnDelay is how long a turn that may have crashed the daemon waits, so that other turns
// resume first.
const suspectTurnDelay = 2 * time.Second

// APICloseTimeout limits how long open requests to the local API may take once hob ends.
const APICloseTimeout = time.Second

// App is a running hob: the one process that holds the lock of the state.
type App struct {
	*session.Sessions
	SkillSources *Skills
	GameMaster   *gamemaster.Master // runs stories
	Env          *Environment
	Model        *model.Model
	Tools        Toolset // all tools of the chats
	Shell        *Shell
	Journal      *store.DB
	Limiter      *policy.Limiter
	Scheduler    *schedule.Scheduler // delivers reminders, while its Run runs
	Egress       *Egress
	SentencesOff error           // why the owner's sentences are ignored; nil: they are used
	notes        notifier        // puts notes into chats
	queue        *queue.Queue    // orders the requests to the model
	pages        commands.Pages  // nil: no daemon runs
	api          Server          // nil without an API, or if the API outlives this App
	lock         *store.FileLock // nil if the lock outlives this App

	watchGroup sync.WaitGroup // of the model; empty if the watch outlives this App
	stopWatch  func()         // ends the watch; nil likewise
}

// Deps is what outlives one configuration: an App is built from a configuration and these.
type Deps struct {
	Journal *store.DB
	Shell   *Shell // taken over from the previous App; nil: a new one
	Log     *slog.Logger
	// Limiter is taken over from the previous App with equal limits, so that its counts stay; nil: a new one.
	Limiter    *policy.Limiter
	ModelWatch *model.Watch                                       // observes each request to the model
	Patience   func(failure *llm.Error, begun bool) time.Duration // see [Loader]
	// DeliveryState returns the state of a file that was sent to a person. It is nil if no surface
	// sends files.
	DeliveryState func(ctx context.Context, chat event.Chat, seq int64, n int) event.SendState
	LongRunning   bool                  // the process stays when nothing happens
	Notified      func(chat event.Chat) // called after a reminder was delivered in a chat; may be nil
	Pages         commands.Pages        // nil: no daemon runs
}

// sessionJournal returns the journal that sessions append to.
func (d Deps) sessionJournal() session.Journal {
	if d.LongRunning {
		return newIdleCollector(d.Journal)
	}
	return d.Journal
}

// Limits returns the limits of the configuration on turns and texts.
func (s *Environment) Limits() policy.Limits {
	return policy.Limits{TurnsPerMinute: s.Policy.TurnsPerMinute, MaxText: s.Policy.MaxText, Home: "cli"}
}

func (s *Environment) newSessions(ctx context.Context, e *model.Model, shell *Shell, deps Deps, a *App) (*session.Sessions, *Skills, error) {
	outputs, err := blobs.New(blobs.Config{Dir: s.OutputsDir()})
	if err != nil {
		return nil, nil, err
	}
	a.queue = queue.New(ObservedModel{e, deps.ModelWatch.Observe})
	a.queue.Spare(e.HasSpareHost)
	asked := RedactingModel{a.queue, s.Redactor}
	toolset, err := s.DefaultTools(e.Share, outputs, JournalTools(deps.Journal), shell, asked)
	if err != nil {
		return nil, nil, err
	}
	yield := time.Duration(0)
	if deps.LongRunning { // a process with a single turn need not delay any
		yield = suspectTurnDelay
	}
	var sessions *session.Sessions
	t := notifier{sessions: func() *session.Sessions { return sessions }, notified: deps.Notified, changed: a.remindersChanged}
	a.notes = t
	phones, err := s.newPusher(deps.Log)
	if err != nil {
		return nil, nil, err
	}
	a.Scheduler = s.newScheduler(deps, t, phones, s.newDesktop(os.Getenv, deps.Log))
	set, err := s.NewSkills(ctx, toolset, shell, deps.Journal.Settings(), campaigns.New(deps.Journal), newStoryModel(asked, e), t.sessions, JournalTools(deps.Journal), t)
	if err != nil {
		return nil, nil, err
	}
	toolset.Skills = set
	a.Tools = toolset
	sessions = session.New(ctx, session.Config{
		Journal: deps.sessionJournal(), Model: asked, Blobs: outputs,
		Toolset:  set.Toolset,
		Settings: s.TurnSettings(e), Budget: s.Budget(),
		Now: s.Clock(), Log: deps.Log,
		Chores:    s.newChores(a, e, toolset),
		Policy:    (&policySource{env: s, db: deps.Journal}).current,
		Facts:     ridingFacts(deps.Journal),
		Sanitizer: policy.NewSanitizer(s.Redactor, rand.Reader), Random: rand.Reader, Differs: toolset.FileTool.CompareEffect,
		Delivered: deps.DeliveryState,
		Limiter:   deps.Limiter,
		TurnHook:  shell,
		Server:    session.Server{Answered: e.HasAnswered, Patience: deps.Patience, Back: deps.ModelWatch.WaitAvailable},
		Yield:     yield,
		Picture:   pictureReader(toolset.FileTool),
	})
	return sessions, set, nil
}

// remindersChanged makes the scheduler look again for due reminders.
func (a *App) remindersChanged() { a.Scheduler.Wake() }

// pictureReader returns a function that reads a picture attached to a message.
func pictureReader(files *files.FileTool) func(context.Context, event.File) ([]byte, error) {
	return func(ctx context.Context, f event.File) ([]byte, error) {
		r, err := files.Open(ctx, f)
		if err != nil {
			return nil, err
		}
		raw, err := io.ReadAll(r)
		return raw, errors.Join(err, r.Close())
	}
}

// ObservedModel is a model that reports the error of each request, or nil, to Observe.
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

// Close interrupts running turns, which resume at the next start, and releases the state.
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
	a.Shell.Background.Close()
	a.SkillSources.Close()
	kept := a.SaveLearned(context.Background())
	a.Egress.DetachJournal()
	return errors.Join(deaf, kept, a.Journal.Close(), a.lock.Release())
}

// SaveLearned stores the measured token rate, speed and sandbox tier for the next process.
func (a *App) SaveLearned(ctx context.Context) error {
	return errors.Join(a.Model.Save(ctx), a.Shell.saveTier(ctx, a.Journal.Settings()))
}

// Last returns the Seq of the chat's newest event, or 0.
func (a *App) Last(ctx context.Context, chat event.Chat) (int64, error) {
	return a.Journal.Last(ctx, chat)
}
