package telegram_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/skills"
	group "hob/internal/skills/telegram"
	"hob/internal/store/storetest"
	"hob/internal/surface/telegram"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/telegramtest"
	"hob/internal/tools"
)

const (
	homeID  = -1001234567890
	basicID = -4242

	adaID, bobID, cemID, danID = 77, 78, 79, 80 // the owner, an administrator, two members
)

// idle are sessions in which nothing happens.
type idle struct{}

func (idle) Submit(context.Context, session.Input) (int64, error)       { return 1, nil }
func (idle) Decide(context.Context, session.Answer) error               { return nil }
func (idle) Stop(context.Context, event.Chat) (bool, error)             { return false, nil }
func (idle) Reset(context.Context, event.Chat) error                    { return nil }
func (idle) Language(context.Context, event.Chat) string                { return "" }
func (idle) IsAsking(context.Context, event.Chat, string) (bool, error) { return false, nil }
func (idle) Follow(ctx context.Context, _ event.Chat, _ int64) iter.Seq2[event.Event, error] {
	return func(func(event.Event, error) bool) { <-ctx.Done() }
}

// world is a group on a Telegram, a bot that runs, and the skill.
type world struct {
	t     *testing.T
	srv   *telegramtest.Server
	chat  *telegramtest.Chat
	user  map[int64]*telegramtest.User
	late  time.Duration // of the bot's clock
	skill skills.Skill
}

// play plays a test in a bubble, in a supergroup or, where the id says so, a basic group. The bot may ban, promote, delete,
// invite and pin.
func play(t *testing.T, id int64, test func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, srv: telegramtest.New(telegramtest.Options{}), user: map[int64]*telegramtest.User{}}
		for id, name := range map[int64]string{adaID: "Ada", bobID: "Bob", cemID: "Cem", danID: "Dan", 81: "Eve"} {
			w.user[id] = w.srv.User(id, name)
		}
		w.chat = w.srv.Group(id, "Home", telegramtest.Member{User: w.user[adaID], Role: telegramtest.Creator},
			telegramtest.Member{User: w.user[cemID]}, telegramtest.Member{User: w.user[danID]})
		w.chat.Admin(w.user[bobID], telegramtest.CanRestrict, telegramtest.CanPin)
		w.chat.AdminBot(telegramtest.CanRestrict, telegramtest.CanPromote, telegramtest.CanDelete, telegramtest.CanInvite, telegramtest.CanPin)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		bot := w.bot()
		go func() { ended <- bot.Run(ctx) }()
		defer func() {
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		w.skill = group.New(bot)
		test(w)
		if v := w.srv.Violations(); len(v) > 0 {
			t.Errorf("calls that came too early: %v", v)
		}
		for _, c := range w.srv.Calls() {
			if len(c.Ignored) > 0 {
				t.Errorf("%s has no parameters %q", c.Method, c.Ignored)
			}
		}
	})
}

func (w *world) bot() *telegram.Bot {
	mem := storetest.NewMemory(time.Now)
	if _, err := mem.AllowPerson(w.t.Context(), event.Person{Platform: chat.Platform, ID: w.chat.ID}); err != nil {
		w.t.Fatal(err)
	}
	api, err := client.NewAPI(client.APIConfig{Token: w.srv.Token(), Transport: w.srv.Transport()})
	if err != nil {
		w.t.Fatal(err)
	}
	bot, err := telegram.New(telegram.Config{API: api, Sessions: idle{}, Marks: mem, Deliveries: mem, People: mem, Now: func() time.Time { return time.Now().Add(-w.late) }})
	if err != nil {
		w.t.Fatal(err)
	}
	return bot
}

// caller is somebody who asks in the group, as the surface says it.
func (w *world) caller(id int64, level event.Level) tools.Caller {
	return tools.Caller{Chat: event.Chat("telegram/" + itoa(w.chat.ID)), User: itoa(id),
		Principal: event.Principal{Platform: "telegram", Scope: "group", Level: level}}
}

func itoa(n int64) string {
	raw, _ := json.Marshal(n)
	return string(raw)
}

func toolOf(t *testing.T, s skills.Skill, name string) tools.Tool {
	t.Helper()
	i := slices.IndexFunc(s.Tools, func(t tools.Tool) bool { return t.Name() == name })
	if i < 0 {
		t.Fatalf("there is no tool %s", name)
	}
	return s.Tools[i]
}

// settings are words that no text of a tool may have: a model would ask for what they name.
var settings = regexp.MustCompile(`(?i)\bhob\b|config|\.toml|token_file|api_base|allowlist|grant`)

// call runs a tool for a caller and returns what comes of it as one text.
func (w *world) call(ctx context.Context, by tools.Caller, line string) (tools.Result, string) {
	w.t.Helper()
	name, rest, _ := strings.Cut(line, " ")
	t := toolOf(w.t, w.skill, name)
	args, err := tools.ParseCommand(t, rest)
	if err != nil {
		w.t.Fatalf("%s: %v", line, err)
	}
	res, err := tools.Call(tools.WithCaller(ctx, by), t, args)
	text := res.Text
	if e := (*tools.Error)(nil); errors.As(err, &e) {
		text = e.Message
		if settings.MatchString(e.Suggestion) {
			w.t.Errorf("%s names a setting: %s", line, e.Suggestion)
		}
	}
	if settings.MatchString(text) {
		w.t.Errorf("%s names a setting: %s", line, text)
	}
	return res, text
}

// says checks what a call says.
func (w *world) says(by tools.Caller, line, want string) tools.Result {
	w.t.Helper()
	res, got := w.call(w.t.Context(), by, line)
	if got != want {
		w.t.Errorf("%s:\n got %s\nwant %s", line, got, want)
	}
	return res
}

// is checks what somebody is in the group.
func (w *world) is(id int64, want string) {
	w.t.Helper()
	m, _ := w.chat.Member(id)
	got := m.Role
	if m.Muted {
		got += " muted"
	}
	if !m.Until.IsZero() {
		got += " for " + time.Until(m.Until).Round(time.Second).String()
	}
	if got != want {
		w.t.Errorf("%d is %q, want %q", id, got, want)
	}
}

// acted returns the calls that changed something, in order.
func (w *world) acted() []string {
	var all []string
	for _, c := range w.srv.Calls() {
		if strings.HasSuffix(c.Method, "ChatMember") && c.Method != "getChatMember" || strings.HasSuffix(c.Method, "pinChatMessage") ||
			c.Method == "pinChatMessage" {
			all = append(all, c.Method)
		}
	}
	return all
}
