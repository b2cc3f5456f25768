package telegram_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/schedule"
	"hob/internal/store"
)

var errKilled = errors.New("hob was killed")

// fate is when a hob is killed: right after one of its durable writes. What it had on the disk then is copied; nothing that it does
// later is.
type fate struct {
	path, next string // of the journal, and of that of the next life

	mu     sync.Mutex
	left   int // durable writes until it is killed; 0: it is not
	writes int // so far
	dead   bool
	died   chan struct{}
	cuts   map[string]bool // messages that were sent, and of which it died before it had noted that
}

// cut notes that a message was sent of which the hob will not know.
func (f *fate) cut(message string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cuts[message] = true
}

// write does a durable write. committed says whether it is on the disk, also where the hob dies of it.
func (f *fate) write(do func() error) (committed bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return false, errKilled
	}
	if err := do(); err != nil {
		return false, err
	}
	f.writes++
	if f.left--; f.left != 0 {
		return true, nil
	}
	f.dead = true
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(f.path+suffix, f.next+suffix); err != nil {
			return true, fmt.Errorf("copy the disk: %w", err)
		}
	}
	close(f.died)
	return true, errKilled
}

func (f *fate) isDead() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dead
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// mortalJournal is a journal on the disk whose every durable write may be the last one.
type mortalJournal struct {
	fileJournal
	f *fate
}

func (m mortalJournal) do(write func() error) error {
	_, err := m.f.write(write)
	return err
}

func (m mortalJournal) Append(ctx context.Context, all ...store.Entry) (events []event.Event, err error) {
	err = m.do(func() error { events, err = m.fileJournal.Append(ctx, all...); return err })
	return events, err
}

func (m mortalJournal) Mark(ctx context.Context, reader string, seq int64) error {
	return m.do(func() error { return m.fileJournal.Mark(ctx, reader, seq) })
}

func (m mortalJournal) Receive(ctx context.Context, all []event.Update) (fresh []event.Update, err error) {
	if len(all) == 0 {
		return nil, nil
	}
	err = m.do(func() error { fresh, err = m.fileJournal.Receive(ctx, all); return err })
	return fresh, err
}

func (m mortalJournal) SetUpdate(ctx context.Context, n int64, state event.UpdateState) error {
	return m.do(func() error { return m.fileJournal.SetUpdate(ctx, n, state) })
}

func (m mortalJournal) BeginSend(ctx context.Context, chat event.Chat, seq int64, part int) (s event.Send, err error) {
	err = m.do(func() error { s, err = m.fileJournal.BeginSend(ctx, chat, seq, part); return err })
	return s, err
}

func (m mortalJournal) SetSend(ctx context.Context, s event.Send, reader string, mark int64) error {
	committed, err := m.f.write(func() error { return m.fileJournal.SetSend(ctx, s, reader, mark) })
	if !committed && s.State == event.SendSent {
		m.f.cut(fmt.Sprint(s.Chat, s.Seq, s.Part))
	}
	return err
}

func (m mortalJournal) SetShown(ctx context.Context, chat event.Chat, name string, message int64) error {
	return m.do(func() error { return m.fileJournal.SetShown(ctx, chat, name, message) })
}

func (m mortalJournal) ForgetShown(ctx context.Context, chat event.Chat, name string, message int64) error {
	return m.do(func() error { return m.fileJournal.ForgetShown(ctx, chat, name, message) })
}

// mortalReminders are reminders whose every change may be the last write.
type mortalReminders struct {
	*store.Reminders
	f *fate
}

func (m mortalReminders) Change(ctx context.Context, id int64, change func(*event.Reminder) error) (r event.Reminder, err error) {
	_, err = m.f.write(func() error { r, err = m.Reminders.Change(ctx, id, change); return err })
	return r, err
}

// mortalNet is the way to Telegram of a hob that may be dead: then nothing leaves it, and no answer arrives.
type mortalNet struct {
	over http.RoundTripper
	f    *fate
}

func (m mortalNet) RoundTrip(r *http.Request) (*http.Response, error) {
	if m.f.isDead() {
		return nil, errKilled
	}
	resp, err := m.over.RoundTrip(r)
	if m.f.isDead() && err == nil {
		if strings.HasSuffix(r.URL.Path, "/sendMessage") {
			m.f.cut(fmt.Sprintf("%p", r))
		}
		return nil, errors.Join(errKilled, resp.Body.Close())
	}
	return resp, err
}

// mortal is a hob with a scheduler that is killed now and then, and started again on what was on its disk.
type mortal struct {
	live
	// fate is that of this life; nextKill says after how many durable writes the next one ends, 0 for never.
	fate     *fate
	nextKill func() int
	perHour  int
	db       *store.DB
	over     chan struct{}
	end      context.CancelFunc
	kills    int
	cuts     int // messages that were sent and of which hob did not know it when it was killed
}

// be begins with an empty disk.
func (m *mortal) be() {
	m.fate = &fate{path: filepath.Join(m.t.TempDir(), "journal.db")}
	m.excused = func(err error) bool { // it may end while it begins
		return m.fate.isDead() && errors.Is(err, errKilled) || errors.Is(err, context.Canceled)
	}
	m.live.open = func() (journal, func()) {
		db, err := store.Open(context.Background(), m.fate.path, time.Now)
		if err != nil {
			m.t.Fatal(err)
		}
		m.db = db
		return mortalJournal{fileJournal{db, db.Deliveries(), db.People()}, m.fate}, func() {
			if err := db.Close(); err != nil {
				m.t.Error(err)
			}
		}
	}
}

// begin begins a life.
func (m *mortal) begin() {
	m.t.Helper()
	m.fate = &fate{path: m.fate.path, next: filepath.Join(m.t.TempDir(), "journal.db"), left: m.nextKill(), died: make(chan struct{}), cuts: map[string]bool{}}
	m.live.over = mortalNet{m.srv.Transport(), m.fate}
	m.start()
	sessions, bot := m.sessions, m.bot
	s := schedule.New(schedule.Config{
		Store: mortalReminders{m.db.Reminders(), m.fate}, Now: time.Now, PerHour: m.perHour, Log: slog.New(slog.DiscardHandler),
		Tell: func(ctx context.Context, chat event.Chat, note event.Noted) (int64, error) {
			seq, err := sessions.Tell(ctx, chat, note)
			bot.Wake(chat)
			return seq, err
		},
	})
	var ctx context.Context
	ctx, m.end = context.WithCancel(context.Background())
	m.over = make(chan struct{})
	go func() { s.Run(ctx); close(m.over) }()
}

// quit ends a life, in whichever way it ends.
func (m *mortal) quit() {
	m.end()
	<-m.over
	m.stop()
	if m.fate.dead {
		m.kills++
		m.cuts += len(m.fate.cuts)
		if err := os.RemoveAll(filepath.Dir(m.fate.path)); err != nil {
			m.t.Error(err)
		}
		m.fate.path = m.fate.next
	}
}

// until lets time pass. Who is killed meanwhile is started again at once.
func (m *mortal) until(then time.Time) {
	for wait := time.Until(then); wait > 0; wait = time.Until(then) {
		select {
		case <-time.After(wait):
		case <-m.fate.died:
			m.quit()
			m.begin()
		}
	}
	synctest.Wait()
	if m.fate.isDead() {
		m.quit()
		m.begin()
	}
}

// change is what a person says of a reminder, once.
func (m *mortal) change(id int64, change func(*event.Reminder) error) {
	m.t.Helper()
	for {
		committed, err := m.fate.write(func() error {
			_, err := m.db.Reminders().Change(context.Background(), id, change)
			return err
		})
		if err != nil && !errors.Is(err, errKilled) {
			m.t.Fatal(err)
		}
		if committed {
			return
		}
		m.until(time.Now())
	}
}
