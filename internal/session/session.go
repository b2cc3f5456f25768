// Package session gives every chat a goroutine and a memory. Inputs are journaled and become turns,
// one after the other in each chat. A surface learns what happens by following the journal.
//
// Where to begin: [Sessions.Submit] hands an input to its chat (submit.go). The chat journals it
// and starts a turn (chat.go), which a player prepares (player.go) and [agent.Agent.Run] plays.
// Everything that the turn emits returns to the chat, which journals it (write.go) and folds it
// into the transcript (transcript.go). The transcript is all that the next turn knows of the past.
//
// The goroutines, and how others get a function onto them:
//   - Sessions.route owns the table of chats: withChats.
//   - chat.run, one for each chat in memory, owns the state of the chat. From outside: onChat and
//     readChat. Both use chat.do, which the two ways for a turn use, too.
//   - chat.play, at most one for each chat, plays the running turn. It has a [player], whose methods
//     reach the chat by doInTurn, or by access if the function cannot fail.
//   - chat.awaitModel starts one while a parked turn waits for the model.
//   - A follower runs on the goroutine of whoever reads from [Sessions.Follow].
//
// The only lock is that of the hold, which all chats share.
//
// The files:
//   - submit.go, control.go, tell.go, follow.go, questions.go, hold.go and the end of parked.go and
//     skills.go have what others ask of a chat.
//   - transcript.go, turn.go, join.go, parked.go and unreadable.go fold its journal.
//   - player.go plays a turn. model_turn.go, commands.go and, for what hob does without a model, the
//     chore files prepare it; gate.go and denied.go judge its calls by labels.go; end.go and
//     deliver.go complete its reply.
//   - toolset.go, chooser.go, meta_tools.go and the skills files have what a model may call;
//     driver.go and labelled_driver.go the skill that drives a chat.
//
// Invariants:
//   - Submit is durable when it returns, and the same input id twice is one input.
//   - A chat's state belongs to its goroutine; everybody else sends it functions to run. Only that
//     goroutine appends what a chat folds in. Others may append events that it does not fold, such
//     as the note about an undo.
//   - The transcript is a fold over the chat's journal. A turn that had begun and not ended when
//     the process died goes on as soon as anything touches its chat, such as [Sessions.Submit] or
//     [Sessions.IsBusy]. A call that had begun to act is not run again: its result is
//     "interrupted, outcome unknown", unless its tool [tools.Replays].
//   - A turn that held the model or ran a tool when the process died begins after the others. After
//     [maxCrashesInRow] such crashes in a row without progress, or [maxCrashes] in all, it is
//     parked until a person retries it.
//   - A turn whose model does not answer, for a reason that may pass, is parked and resumes by itself.
//   - Input from the person of the running turn joins that turn between two steps, in the order of
//     the chat. Input from others waits for a turn of its own, because rights must not mix.
//   - While a skill drives a chat, each input is a turn of its own, and the driver's conversation
//     is separate: the model never reads it beside the conversation of the chores.
//   - An event that cannot be read stops no chat. An event of an unknown type is skipped; a damaged
//     one begins a new conversation. The person is asked to repeat an input that cannot be read.
//   - Nothing is lost when the process shuts down: running turns are cut short and resumed later.
package session

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/policy"
	"hob/internal/store"
	"hob/internal/tools"
)

// System is the system text of every chat. It has no time and nothing else that changes, because a
// change at the front of a prompt makes the server read all of it again.
//
//go:embed system.md
var System string

// A turn that crashes the process must not do so for ever: after these limits it is parked.
const (
	maxCrashesInRow = 3  // crashes without progress in between
	maxCrashes      = 12 // crashes in all
)

// ErrClosed is returned once [Sessions.Close] was called.
var ErrClosed = errors.New("hob is shutting down")

// Journal is what sessions need of a store.
type Journal interface {
	store.Journal
	// Chat yields the events of exactly one chat with a Seq greater than after, in order.
	Chat(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error]
	// Keyed returns the Seq of the chat's event with that [event.Key], 0 if there is none.
	Keyed(ctx context.Context, chat event.Chat, key string) (int64, error)
	// OpenTurns returns the turns of the chat that have begun and not ended, oldest first.
	OpenTurns(ctx context.Context, chat event.Chat) ([]int64, error)
}

// Sanitizer cleans text that others wrote before a model reads it.
type Sanitizer interface {
	agent.Sanitizer
	// SanitizeMessage returns somebody else's text as it is journaled, and the fence around it in
	// the prompt.
	SanitizeMessage(text string, from event.Label) (clean, fence string)
	// SanitizeLabel returns a label with a clean source, whose name a stranger may have chosen.
	SanitizeLabel(event.Label) event.Label
}

// Config holds the parts that sessions are built from.
type Config struct {
	Journal Journal
	Model   llm.Model
	// Toolset returns the present tools and skills. It is called when a chat is loaded, when a turn
	// begins, and when a person asks about skills.
	Toolset func(context.Context) Toolset
	Blobs   agent.BlobStore // stores results that are too long for the prompt; may be nil
	Now     func() time.Time
	Log     *slog.Logger

	// Settings returns the present model and the size of its context. It is called on the turn's
	// goroutine, at the beginning of each turn that asks the model.
	Settings func(context.Context) Settings
	Budget   agent.Budget // for a turn that asks no model, and so has no settings

	// Policy returns the present rules. It is called at the beginning of each turn and for each
	// call.
	Policy    func(context.Context) (policy.Policy, error)
	Chores    Chores    // what hob understands without a model
	Sanitizer Sanitizer // nil: text from others stays as it is
	// Facts returns known facts that match a caller's words, one a line. Nil: there are none.
	Facts   func(ctx context.Context, of tools.Caller, words string) ([]string, error)
	Limiter *policy.Limiter // nil: no rate limit
	Random  io.Reader       // for nonces
	// Differs says how the world now differs from what an effect reports, or "". Nil: always "".
	Differs func(context.Context, event.Effect) string
	// Delivered waits for the delivery of the nth file of an event and returns its state, or ""
	// when ctx ends. Nil: always "".
	Delivered func(ctx context.Context, chat event.Chat, seq int64, n int) event.SendState

	TurnHook TurnHook // may be nil
	Server   Server   // of the model: whether turns wait for it
	// Yield is how long a turn that may have crashed the process lets others begin first. It grows
	// with each crash in a row.
	Yield time.Duration
	// Picture loads a picture that came with an input. If it is nil or fails, the model is told
	// that it cannot see the picture.
	Picture func(context.Context, event.File) ([]byte, error)
}

// TurnHook is called on the turn's goroutine when a turn begins and ends; background processes use
// it. Begin is called again for a resumed turn. Each returned note becomes a line of the turn. End
// is not called for a turn that a shutdown interrupts, because that turn has not ended.
type TurnHook interface {
	Begin(ctx context.Context, chat event.Chat) (notes []string)
	End(ctx context.Context, chat event.Chat, reason event.Reason) (notes []string)
}

// Settings are the settings of a model, which may differ from turn to turn.
type Settings struct {
	Profile llm.Profile
	Options llm.Options
	Budget  agent.Budget
	Window  window.Window // the model's context; older turns are shortened to fit
	Sees    bool          // the model understands pictures
	// ShortList says that the model, or its context, is small. Its list then has only the tools of
	// [Toolset.ShortList] and use_skill, and tools of skills replace the last of them.
	ShortList bool
}

// Sessions holds the chats of one hob.
type Sessions struct {
	cfg    Config
	meta   metaTools
	router chan func(context.Context, chatTable) // for route to run
	hold   *hold
	done   <-chan struct{} // closed when everything is told to stop
	cancel context.CancelCauseFunc
	wait   sync.WaitGroup
}

// chatTable are the chats that this process has in hand. It belongs to the goroutine of route.
type chatTable map[event.Chat]*chat

// New returns sessions that run until Close. No chat is loaded before the first call for it.
func New(ctx context.Context, cfg Config) *Sessions {
	ctx, cancel := context.WithCancelCause(ctx)
	setDefaults(&cfg)
	s := &Sessions{cfg: cfg, hold: &hold{}, done: ctx.Done(), cancel: cancel, router: make(chan func(context.Context, chatTable))}
	s.meta = newMeta(s)
	s.wait.Go(func() { s.route(ctx) })
	return s
}

// setDefaults replaces nil functions by ones that do nothing.
func setDefaults(cfg *Config) {
	if cfg.Toolset == nil {
		cfg.Toolset = PlainToolset()
	}
	if cfg.Sanitizer == nil {
		cfg.Sanitizer = noSanitizer{}
	}
	if cfg.Differs == nil {
		cfg.Differs = func(context.Context, event.Effect) string { return "" }
	}
	if cfg.Delivered == nil {
		cfg.Delivered = func(context.Context, event.Chat, int64, int) event.SendState { return "" }
	}
}

// noSanitizer returns everything unchanged.
type noSanitizer struct{}

func (noSanitizer) Sanitize(r event.Returned) event.Returned { return r }

func (noSanitizer) SanitizeMessage(text string, _ event.Label) (clean, fence string) { return text, "" }

func (noSanitizer) SanitizeLabel(l event.Label) event.Label { return l }

// route owns the table of chats, and runs the functions that need it.
func (s *Sessions) route(ctx context.Context) {
	chats := chatTable{}
	for {
		select {
		case <-ctx.Done():
			return
		case f := <-s.router:
			f(ctx, chats)
		}
	}
}

// withChats returns what f returns of the table of chats. The context that f gets is that of the sessions.
func withChats[T any](ctx context.Context, s *Sessions, f func(context.Context, chatTable) T) (value T, err error) {
	reply := make(chan T, 1)
	select {
	case s.router <- func(ctx context.Context, chats chatTable) { reply <- f(ctx, chats) }:
		return <-reply, nil
	case <-s.done:
		return value, ErrClosed
	case <-ctx.Done():
		return value, context.Cause(ctx)
	}
}

// run is a chat's goroutine. It removes the chat from the table when it ends.
func (s *Sessions) run(ctx context.Context, c *chat) {
	c.run(ctx)
	_, _ = withChats(ctx, s, func(_ context.Context, chats chatTable) bool { // at the end of all there is no table any more
		if chats[c.name] == c {
			delete(chats, c.name)
		}
		return true
	})
}

// Close cuts running turns short and waits until they have stopped. They go on at the next start.
func (s *Sessions) Close() {
	s.cancel(ErrClosed)
	s.wait.Wait()
}

func (s *Sessions) chat(ctx context.Context, name event.Chat) (*chat, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	return withChats(ctx, s, func(ctx context.Context, chats chatTable) *chat {
		c, ok := chats[name]
		if !ok || c.hasEnded() { // it rests, or it failed, on a full disk for example
			c = newChat(s, name)
			chats[name] = c
			s.wait.Go(func() { s.run(ctx, c) })
		}
		return c
	})
}

// onChat runs f on the chat's goroutine and returns its error. It restarts a chat that became idle at
// that moment.
func (s *Sessions) onChat(ctx context.Context, name event.Chat, f func(context.Context, *chat) error) error {
	for {
		c, err := s.chat(ctx, name)
		if err != nil {
			return err
		}
		err = c.do(ctx, func(ctx context.Context) error { return f(ctx, c) })
		if !errors.Is(err, errIdle) {
			return err
		}
	}
}

// readChat returns a value that f reads from a chat, on the chat's goroutine.
func readChat[T any](ctx context.Context, s *Sessions, name event.Chat, f func(*chat) T) (value T, err error) {
	err = s.onChat(ctx, name, func(_ context.Context, c *chat) error {
		value = f(c)
		return nil
	})
	return value, err
}

// CheckName returns an error for a name that a chat cannot have.
func CheckName(name event.Chat) error {
	bad := func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }
	if name == "" || len(name) > 128 || strings.ContainsFunc(string(name), bad) {
		return fmt.Errorf("%q is no name for a chat: it is 1 to 128 bytes long and has no blanks", name)
	}
	return nil
}

// IsBusy reports whether the chat has an open turn, running or about to run. It loads the chat,
// which resumes an interrupted turn.
func (s *Sessions) IsBusy(ctx context.Context, name event.Chat) (bool, error) {
	return readChat(ctx, s, name, func(c *chat) bool { return c.tr.hasOpenTurn })
}
