package telegram

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/store/storetest"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/inbound"
	"hob/internal/surface/telegram/sessiontest"
	"hob/internal/surface/telegram/telegramtest"
)

// table is a whole bot where a story is played: what comes in, what is told, and sessions whose turns the test plays.
type table struct {
	t     *testing.T
	srv   *telegramtest.Server
	mem   *storetest.Memory
	log   *sessiontest.Journal
	cfg   Config
	ada   *telegramtest.User // the owner
	bob   *telegramtest.User // a member of the group whom nobody has let in
	chat  *telegramtest.Chat // of Ada
	group *telegramtest.Chat

	mu       sync.Mutex
	inputs   []session.Input
	times    map[string]int // how often each was handed in, by its id
	refuses  error
	taken    map[string]bool // commands that the story takes; true: discreet
	no       func(chat event.Chat, by commands.Request, c event.Choice) string
	stays    string // what is said of a pick whose buttons stay
	whoAsked []commands.Request

	stop func()
}

const (
	tableGroup     = -1000000000042
	tableGroupChat = event.Chat("telegram/-1000000000042")
)

// atTable plays in a bubble, and sees that nothing is left behind.
func atTable(t *testing.T, opts telegramtest.Options, play func(w *table)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newTable(t, opts)
		w.start()
		play(w)
		w.stop()
		if n := len(w.srv.Violations()); n > 0 {
			t.Errorf("%d calls came before the time that Telegram had named: %v", n, w.srv.Violations())
		}
	})
	goleak.VerifyNone(t)
}

func newTable(t *testing.T, opts telegramtest.Options) *table {
	if opts.CallbackLife == 0 {
		opts.CallbackLife = time.Hour
	}
	w := &table{t: t, srv: telegramtest.New(opts), mem: storetest.NewMemory(time.Now), times: map[string]int{}, taken: map[string]bool{}}
	w.log = sessiontest.NewJournal(t, w.mem)
	w.ada, w.bob = w.srv.User(77, "Ada"), w.srv.User(78, "Bob")
	w.chat = w.srv.Private(w.ada)
	w.group = w.srv.Group(tableGroup, "Home", telegramtest.Member{User: w.ada}, telegramtest.Member{User: w.bob})
	for id, level := range map[int64]event.Level{77: event.Owner, tableGroup: event.User} {
		if _, err := w.mem.AllowPerson(t.Context(), event.Person{Platform: chat.Platform, ID: id, Level: level}); err != nil {
			t.Fatal(err)
		}
	}
	api, err := client.NewAPI(client.APIConfig{Base: "https://api.telegram.org", Token: w.srv.Token(), Transport: w.srv.Transport()})
	if err != nil {
		t.Fatal(err)
	}
	w.cfg = Config{API: api, Sessions: tableSessions{w.log, w}, Marks: w.mem, Deliveries: w.mem, People: w.mem, Files: sessiontest.Files{}, Story: tableStory{w}, Now: time.Now,
		Log: slog.New(slog.DiscardHandler)}
	return w
}

// start begins the life of a bot, or another one after stop.
func (w *table) start() {
	w.t.Helper()
	bot, err := New(w.cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() { over <- bot.Run(ctx) }()
	w.stop = func() {
		w.t.Helper()
		cancel()
		if err := <-over; err != nil {
			w.t.Error(err)
		}
	}
	after(time.Second)
}

// turn plays a turn that says something in a chat and has choices, and returns the Seq of its reply.
func (w *table) turn(chat event.Chat, text string, choices ...event.Choice) int64 {
	w.t.Helper()
	return w.reply(chat, event.Replied{Text: text, Choices: choices})
}

// reply plays a turn with that reply.
func (w *table) reply(chat event.Chat, r event.Replied, before ...event.Body) int64 {
	w.t.Helper()
	turn := w.log.Say(chat, fmt.Sprint("input", w.log.Last(chat)))
	w.log.Add(chat, turn, append(before, r)...)
	last := w.log.Add(chat, turn, event.Ended{Reason: event.Done})
	w.wake(chat)
	after(2 * time.Second)
	return last - 1
}

// wake has a chat told as somebody's words there would.
func (w *table) wake(chat event.Chat) {
	c := w.chat
	if chat == tableGroupChat {
		c = w.group
	}
	c.Say(w.ada, "@hob_bot go on") // the table takes no notice
}

// press presses a button by its text, or by its data where none has that text, and returns what was shown for it.
func (w *table) press(c *telegramtest.Chat, u *telegramtest.User, message int64, button string) string {
	w.t.Helper()
	id := c.Press(u, message, button)
	after(time.Second)
	cb, known := w.srv.Callback(id)
	if !known || !cb.Answered {
		return "not answered"
	}
	return cb.Text
}

// keys is what stands on the buttons of the messages of a chat, in rows.
func keys(c *telegramtest.Chat) (all []string) {
	for _, m := range c.FromBot() {
		for _, row := range m.Buttons {
			var texts []string
			for _, b := range row {
				texts = append(texts, b.Text)
			}
			all = append(all, strings.Join(texts, " | "))
		}
	}
	return all
}

// newest is the id of the bot's newest message in a chat.
func newest(c *telegramtest.Chat) int64 {
	all := c.FromBot()
	return all[len(all)-1].ID
}

func (w *table) want(what string, got, want any) {
	w.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("%s (-want +got)\n%s", what, diff)
	}
}

// said are the inputs that were handed in, but for those that only wake a chat.
func (w *table) said() (all []session.Input) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, in := range w.inputs {
		if !strings.HasSuffix(in.Text, "go on") {
			all = append(all, in)
		}
	}
	return all
}

// tableSessions take inputs, each once.
type tableSessions struct {
	*sessiontest.Journal
	w *table
}

func (tableSessions) Language(context.Context, event.Chat) string { return "" }

func (s tableSessions) Submit(ctx context.Context, in session.Input) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	if s.w.refuses != nil && !strings.HasSuffix(in.Text, "go on") {
		return 0, s.w.refuses
	}
	s.w.times[in.ID]++
	if s.w.times[in.ID] == 1 {
		s.w.inputs = append(s.w.inputs, in)
	}
	return int64(len(s.w.inputs)), nil
}

// tableStory leads all chats.
type tableStory struct{ w *table }

func (s tableStory) Takes(_ context.Context, _ event.Chat, name, _ string) (takes, discreet bool) {
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	discreet, takes = s.w.taken[name]
	return takes, discreet
}

func (s tableStory) Picked(_ context.Context, chat event.Chat, by commands.Request, c event.Choice) inbound.Picking {
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	s.w.whoAsked = append(s.w.whoAsked, by)
	if s.w.no == nil {
		return inbound.Picking{Say: s.w.stays, Remains: s.w.stays != ""}
	}
	no := s.w.no(chat, by, c)
	return inbound.Picking{Say: no, No: no != ""}
}

// forged is the data of a choice of which nobody knows whether there is one.
func forged(seq int64, at string) string {
	return chat.PressChoice + strconv.FormatInt(seq, 36) + ":" + at
}

var errFull = errors.New("the disk is full")
