package telegram_test

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/agent"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/store/storetest"
	"hob/internal/surface/telegram"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/telegramtest"
	"hob/internal/tools"
)

// journal is a store as the daemon has one.
type journal interface {
	session.Journal
	telegram.Deliveries
	telegram.People
	AllowPerson(ctx context.Context, p event.Person) (event.Person, error)
	ChatsOf(ctx context.Context, prefix string) ([]event.Chat, error)
}

// live is all of hob that takes part when somebody writes to it, with a Telegram in memory and a model that a test plays.
type live struct {
	t       *testing.T
	srv     *telegramtest.Server
	open    func() (journal, func()) // what is kept over restarts, and how it is closed
	model   llm.Model
	tools   []tools.Tool
	bounds  agent.Budget
	more    commands.Table
	files   telegram.Files
	alerted []string
	over    http.RoundTripper // nil: the transport of srv
	excused func(error) bool  // an error that is none: hob was killed; nil: there is no such

	kept     journal
	sessions *session.Sessions
	bot      *telegram.Bot
	stop     func()
}

// played is a model that is a function.
type played func(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error)

func (p played) Chat(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
	return p(ctx, r, d)
}

// start begins hob's life, as the daemon does.
func (l *live) start() {
	l.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	log := slog.New(slog.DiscardHandler)
	kept, shut := l.open()
	all := l.tools
	l.kept = kept
	l.sessions = session.New(ctx, session.Config{
		Journal: kept, Model: l.model, Toolset: session.PlainToolset(all...), Now: time.Now, Log: log, Random: rand.Reader,
		Policy:    func(context.Context) (policy.Policy, error) { return policy.Policy{}, nil },
		Sanitizer: policy.NewSanitizer(nil, rand.Reader),
		Limiter:   policy.NewLimiter(policy.Limits{TurnsPerMinute: 60}, time.Now),
		Settings: func(context.Context) session.Settings {
			return session.Settings{Budget: l.bounds, Options: llm.Options{NumPredict: 500}, Window: window.Window{Size: 8192, Reserve: 500}}
		},
	})
	over := l.over
	if over == nil {
		over = l.srv.Transport()
	}
	api, err := client.NewAPI(client.APIConfig{Base: "https://api.telegram.org", Token: l.srv.Token(), Transport: over})
	if err != nil {
		l.t.Fatal(err)
	}
	l.bot, err = telegram.New(telegram.Config{API: api, Sessions: l.sessions, Marks: kept, Deliveries: kept, People: kept, Files: l.files, Commands: l.more,
		Now: time.Now, Log: log, Alert: func(p string) { l.alerted = append(l.alerted, p) }, Pace: 1500 * time.Millisecond})
	if err != nil {
		l.t.Fatal(err)
	}
	chats, err := kept.ChatsOf(ctx, "")
	if err != nil {
		l.t.Fatal(err)
	}
	for _, c := range chats {
		if open, err := kept.OpenTurns(ctx, c); err != nil {
			l.t.Fatal(err)
		} else if len(open) == 0 {
			continue
		}
		if _, err := l.sessions.IsBusy(ctx, c); err != nil && !l.excuses(err) {
			l.t.Fatal(err)
		}
	}
	bot, sessions, ended := l.bot, l.sessions, make(chan error, 1)
	go func() { ended <- bot.Run(ctx) }()
	l.stop = func() {
		cancel()
		if err := <-ended; err != nil && !l.excuses(err) {
			l.t.Errorf("the bot broke off: %v", err)
		}
		sessions.Close()
		shut()
	}
}

func (l *live) excuses(err error) bool { return l.excused != nil && l.excused(err) }

// allow lets somebody in.
func (l *live) allow(id int64, level event.Level) {
	l.t.Helper()
	kept, shut := l.open()
	defer shut()
	if _, err := kept.AllowPerson(l.t.Context(), event.Person{Platform: chat.Platform, ID: id, Level: level}); err != nil {
		l.t.Fatal(err)
	}
}

// failingMemory is a store that lives as long as the test.
func failingMemory() func() (journal, func()) {
	mem := storetest.NewMemory(time.Now)
	return func() (journal, func()) { return mem, func() {} }
}

// pass lets so much time pass.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// spend is a model or a tool at work for so long.
func spend(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return &llm.Error{Kind: llm.Cancelled, Message: "the request was cancelled", Err: context.Cause(ctx)}
	}
}

// lookTool is a tool that takes a while.
func lookTool(run func(ctx context.Context) (tools.Result, error)) tools.Tool {
	type in struct {
		Path string `json:"path"`
	}
	d := tools.Def{Name: "look", Description: "look", Capabilities: tools.Reads, Timeout: -1}
	return tools.New(d, func(ctx context.Context, _ in) (tools.Result, error) { return run(ctx) })
}

// unanswered are the tokens of what was said since the last answer, as the model is told it.
func unanswered(req llm.Request) (found []string) {
	for _, m := range req.Messages {
		switch {
		case m.Role == llm.AssistantRole && len(m.Calls) == 0:
			found = nil
		case m.Role == llm.UserRole:
			found = append(found, tokensIn(m.Text)...)
		}
	}
	return found
}

// tokensIn are the words by which messages are known again in their answers, such as "q7-12.".
func tokensIn(text string) (found []string) {
	for _, word := range strings.Fields(text) {
		if rest, ok := strings.CutPrefix(word, "q"); ok && strings.HasSuffix(rest, ".") && strings.Contains(rest, "-") {
			found = append(found, word)
		}
	}
	return found
}

// emptyFiles takes all files and keeps none.
type emptyFiles struct{}

func (emptyFiles) Receive(_ context.Context, name string, _ int64, _ event.Label, r io.Reader) (event.File, error) {
	n, err := io.Copy(io.Discard, r)
	return event.File{Name: name, Path: "inbox/" + name, Type: "text/plain", Bytes: n}, err
}

func (emptyFiles) Open(context.Context, event.File) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader("")), nil
}
