package inbound

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/store/storetest"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/groups"
	"hob/internal/surface/telegram/telegramtest"
)

// What tests expect to read, in English.
var (
	oldButton   = chat.Words("").Text("old.button")
	oldQuestion = chat.Words("").Text("old.question")
	answered    = chat.Words("").Text("answered")
	notForYou   = chat.Words("").Text("not.yours")
	onlyOwner   = chat.Words("").Text("only.owner")
	howToAnswer = chat.Words("").Text("how.to.answer")
	readLater   = chat.Words("").Text("read.later")
	notRead     = chat.Words("").Text("correction")
)

// TestMain has the tests happen in one time zone, wherever they are run: people are told the time of theirs.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// adaID is the number of who is let in as the owner in every inWorld.
const adaID = 77

// world is a Telegram, a memory, and what deals with what comes in, within a bubble. Nothing polls: step does.
type world struct {
	t      *testing.T
	srv    *telegramtest.Server
	api    *client.API
	mem    *failingMemory
	ses    *fakeSessions
	files  *fakeInbox
	sender *fakeSender
	cfg    Config
	in     *Handler
	seen   *groups.SeenUsers
	letIn  []event.Person
	ada    *telegramtest.User
	chat   *telegramtest.Chat // with ada

	offset int64
	end    context.CancelFunc
	over   chan struct{}
}

// inWorld plays a test in a bubble; whatever is still running at its end fails it.
func inWorld(t *testing.T, play func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		play(w)
		w.stop()
	})
}

func newWorld(t *testing.T) *world {
	srv := telegramtest.New(telegramtest.Options{SeesAll: true, CallbackLife: time.Hour})
	real, err := client.NewAPI(client.APIConfig{Base: "http://telegram", Token: srv.Token(), Transport: srv.Transport()})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, srv: srv, api: real, ses: &fakeSessions{}, files: &fakeInbox{}}
	w.mem = &failingMemory{Memory: storetest.NewMemory(time.Now)}
	bot := srv.Bot()
	w.cfg = Config{
		Client: real, Sessions: w.ses, Questions: w.ses, Journal: w.ses, Updates: w.mem, People: w.mem, Sent: w.mem, Files: w.files,
		Me:    func() client.User { return client.User{ID: bot.ID, IsBot: true, Username: bot.Username} },
		LetIn: func(_ context.Context, p event.Person) { w.letIn = append(w.letIn, p) },
		Now:   time.Now, Log: slog.New(slog.DiscardHandler), MaxFile: 20 << 20,
	}
	w.ada = srv.User(adaID, "Ada")
	w.chat = srv.Private(w.ada)
	w.let(adaID, event.Owner)
	w.start()
	return w
}

func (w *world) let(id int64, l event.Level) {
	w.t.Helper()
	if _, err := w.mem.AllowPerson(w.t.Context(), event.Person{Platform: chat.Platform, ID: id, Level: l}); err != nil {
		w.t.Fatal(err)
	}
}

// start begins the life of an inbound, or another one after stop: with all that was left undone.
func (w *world) start() {
	ctx, cancel := context.WithCancel(w.t.Context())
	w.end, w.over = cancel, make(chan struct{})
	w.seen = &groups.SeenUsers{}
	w.sender = &fakeSender{api: w.api}
	cfg := w.cfg
	cfg.Sender, cfg.Cleaner, cfg.Seen = w.sender, w.sender, w.seen
	w.in = New(cfg)
	go func() {
		defer close(w.over)
		w.in.Run(ctx)
	}()
	undone, err := w.mem.Undone(ctx, chat.Platform)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, u := range undone {
		w.in.Deliver(ctx, u)
	}
	synctest.Wait()
}

func (w *world) stop() {
	w.end()
	<-w.over
}

// poll keeps and delivers what Telegram has.
func (w *world) poll() {
	w.t.Helper()
	ctx := w.t.Context()
	var raws []json.RawMessage
	if err := w.api.Call(ctx, "getUpdates", client.Params{"offset": strconv.FormatInt(w.offset, 10), "limit": "100"}, &raws); err != nil {
		w.t.Fatal(err)
	}
	var all []event.Update
	for _, raw := range raws {
		var up client.Update
		if err := json.Unmarshal(raw, &up); err != nil {
			w.t.Fatal(err)
		}
		w.offset = max(w.offset, up.ID+1)
		all = append(all, event.Update{Platform: chat.Platform, ID: up.ID, Raw: raw, State: event.UpdateNew})
	}
	fresh, err := w.mem.Receive(ctx, all)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, u := range fresh {
		w.in.Deliver(ctx, u)
	}
}

// step polls and lets everything happen that happens within a time; what waits longer goes on waiting.
func (w *world) step(within time.Duration) {
	w.t.Helper()
	w.poll()
	if within > 0 {
		<-time.After(within)
	}
	synctest.Wait()
}

func (w *world) undone() int {
	w.t.Helper()
	left, err := w.mem.Undone(w.t.Context(), chat.Platform)
	if err != nil {
		w.t.Fatal(err)
	}
	return len(left)
}

func (w *world) want(what string, got, want any) {
	w.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("%s (-want +got)\n%s", what, diff)
	}
}

// failingMemory is a store that can fail.
type failingMemory struct {
	*storetest.Memory
	mu    sync.Mutex
	fails map[string]int // so often, by method

	doneLeft int // so many updates more can be noted as doneand one, 0 any
}

func (m *failingMemory) fail(what string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fails[what] > 0 {
		m.fails[what]--
		return errors.New("the disk is full")
	}
	return nil
}

func (m *failingMemory) Person(ctx context.Context, platform string, id int64) (event.Person, bool, error) {
	if err := m.fail("Person"); err != nil {
		return event.Person{}, false, err
	}
	return m.Memory.Person(ctx, platform, id)
}

func (m *failingMemory) SetUpdate(ctx context.Context, n int64, s event.UpdateState) error {
	if err := m.fail("SetUpdate " + string(s)); err != nil {
		return err
	}
	if m.doneLeft > 0 && s == event.UpdateDone {
		if m.doneLeft == 1 {
			return errors.New("the disk is full")
		}
		m.doneLeft--
	}
	return m.Memory.SetUpdate(ctx, n, s)
}

// fakeSessions are sessions that take note of what they are asked.
type fakeSessions struct {
	mu      sync.Mutex
	lang    string // of each chat
	inputs  []session.Input
	refuse  func(session.Input) error
	running bool
	stops   int
	resets  int
	events  []event.Event // of all chats
	waiting map[string]bool
	answers []session.Answer
}

// refusing has inputs refused from now on, nil none.
func (s *fakeSessions) refusing(refuse func(session.Input) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = refuse
}

func (s *fakeSessions) Submit(_ context.Context, in session.Input) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse != nil {
		if err := s.refuse(in); err != nil {
			return 0, err
		}
	}
	for i, old := range s.inputs {
		if old.ID == in.ID && old.Chat == in.Chat {
			if old.Text != in.Text {
				return int64(i), &event.ReusedIDError{ID: in.ID}
			}
			return int64(i), nil
		}
	}
	s.inputs = append(s.inputs, in)
	if in.Text == "stop" {
		s.waiting = nil // with the turn ends its question
	}
	return int64(len(s.inputs)), nil
}

// updateOf is the number of the update that an input's id was made of: behind it stands a hash of the update.
func updateOf(id string) string {
	number, _, _ := strings.Cut(id, "-")
	return number
}

func (s *fakeSessions) Decide(_ context.Context, a session.Answer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.waiting[a.ID] {
		return fmt.Errorf("nothing waits for an answer to %s", a.ID)
	}
	delete(s.waiting, a.ID)
	s.answers = append(s.answers, a)
	return nil
}

func (s *fakeSessions) Stop(context.Context, event.Chat) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stops++
	ran := s.running
	s.running = false
	return ran, nil
}

func (s *fakeSessions) Reset(context.Context, event.Chat) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resets++
	return nil
}

func (s *fakeSessions) Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		s.mu.Lock()
		all := s.events
		s.mu.Unlock()
		for _, e := range all {
			if e.Chat == chat && e.Seq > after && !yield(e, nil) {
				return
			}
		}
		<-ctx.Done()
		yield(event.Event{}, context.Cause(ctx))
	}
}

func (s *fakeSessions) Language(context.Context, event.Chat) string { return s.lang }

func (s *fakeSessions) IsAsking(_ context.Context, _ event.Chat, id string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waiting[id] || id == "" && len(s.waiting) > 0, nil
}

func (s *fakeSessions) texts() (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, in := range s.inputs {
		all = append(all, in.Text)
	}
	return all
}

// fakeInbox is a workspace in memory.
type fakeInbox struct {
	mu    sync.Mutex
	names []string // as the senders gave them
	data  map[string]string
	from  []event.Label
	fails error
}

func (f *fakeInbox) Receive(_ context.Context, name string, most int64, from event.Label, r io.Reader) (event.File, error) {
	raw, err := io.ReadAll(io.LimitReader(r, most+1))
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.fails != nil:
		return event.File{}, f.fails
	case err != nil:
		return event.File{}, fmt.Errorf("receive a file: %w", err)
	case int64(len(raw)) > most:
		return event.File{}, errors.New("the file is too large")
	}
	clean := name[strings.LastIndexByte(name, '/')+1:]
	if f.data == nil {
		f.data = map[string]string{}
	}
	path := "inbox/" + clean
	f.names, f.from, f.data[path] = append(f.names, name), append(f.from, from), string(raw)
	kind := "application/octet-stream"
	switch {
	case strings.HasSuffix(name, ".pdf"):
		kind = "application/pdf"
	case strings.HasSuffix(name, ".jpg"):
		kind = "image/jpeg"
	}
	return event.File{Name: clean, Type: kind, Path: path, Bytes: int64(len(raw))}, nil
}

func (f *fakeInbox) Open(context.Context, event.File) (io.ReadCloser, error) {
	return nil, errors.New("nothing is opened here")
}

// fakeSender sends answers as they are.
type fakeSender struct {
	api *client.API

	mu    sync.Mutex
	woken []event.Chat
}

// RemoveButtons and Delete are done at once.
func (p *fakeSender) RemoveButtons(to chat.Address, message int64) {
	_ = p.api.Call(context.Background(), "editMessageReplyMarkup", client.ParamsForMessage(to, message, ""), nil)
}

func (p *fakeSender) Delete(to chat.Address, message int64) {
	_ = p.api.Call(context.Background(), "deleteMessage", client.ParamsForMessage(to, message, ""), nil)
}

func (p *fakeSender) Wake(name event.Chat) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.woken = append(p.woken, name)
}

func (p *fakeSender) message(to chat.Address, a chat.Answer) client.Params {
	out := client.Params{"chat_id": strconv.FormatInt(to.Chat, 10), "text": a.Text}
	if to.Topic != 0 {
		out["message_thread_id"] = strconv.FormatInt(to.Topic, 10)
	}
	if a.Keys != nil {
		raw, _ := json.Marshal(map[string]any{"inline_keyboard": a.Keys})
		out["reply_markup"] = string(raw)
	}
	return out
}

func (p *fakeSender) Say(ctx context.Context, to chat.Address, reply int64, a chat.Answer) error {
	out := p.message(to, a)
	if reply != 0 {
		out["reply_parameters"] = fmt.Sprintf(`{"message_id":%d}`, reply)
	}
	return p.api.Call(ctx, "sendMessage", out, nil)
}

func (p *fakeSender) Edit(ctx context.Context, to chat.Address, message int64, a chat.Answer) error {
	out := p.message(to, a)
	delete(out, "message_thread_id")
	out["message_id"] = strconv.FormatInt(message, 10)
	if a.Text == "" {
		delete(out, "text")
		return p.api.Call(ctx, "editMessageReplyMarkup", out, nil)
	}
	return p.api.Call(ctx, "editMessageText", out, nil)
}
