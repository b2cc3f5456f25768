package reminders_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/schedule"
	"hob/internal/skills"
	"hob/internal/skills/reminders"
	"hob/internal/store"
	"hob/internal/tools"
)

// world is a household of which Ana is the owner, Ben was let in, and a guest was not. It is Wednesday noon in Berlin.
type world struct {
	t     *testing.T
	now   time.Time
	store *store.Reminders
	skill skills.Skill
	told  []note // by the skill itself
	langs map[event.Chat]string
	// calendar has what is looked for there, in the order of time.
	calendar []reminders.Appointment
	// unsure says that nobody knows the zone of the house; asked are the chats that were told so.
	unsure bool
	asked  []event.Chat
	// delivered is how far the notes came; "" is delivered.
	delivered reminders.Delivery
}

// note is what a chat was told.
type note struct {
	chat event.Chat
	event.Noted
}

// args are the arguments of a call.
type args map[string]any

const (
	home  event.Chat = "telegram/7"  // Ana's
	bens  event.Chat = "telegram/8"  // Ben's
	group event.Chat = "telegram/-5" // of both, and of a guest
)

// person returns who speaks in a chat.
func person(id string, chat event.Chat) tools.Caller {
	c := tools.Caller{Chat: chat, User: id, Principal: event.Principal{Platform: "telegram", Scope: "private", Level: event.User}}
	if chat.Shared() {
		c.Scope = "group"
	}
	if id == "7" {
		c.Level = event.Owner
	}
	return c
}

func ana() tools.Caller { return person("7", home) }
func ben() tools.Caller { return person("8", bens) }

func newWorld(t *testing.T) *world {
	t.Helper()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, now: time.Date(2026, 11, 25, 12, 0, 0, 0, berlin)}
	db, err := store.OpenMemory(t.Context(), func() time.Time { return w.now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	w.store = db.Reminders()
	w.skill = reminders.New(reminders.Config{
		Store: w.store, Consents: w.store, Now: func() time.Time { return w.now }, Place: schedule.Place{Lat: 52.52, Lon: 13.4, Known: true}, Changed: func() {},
		Appointments: w.appointments,
		Known:        func(_ context.Context, who event.Party) (bool, error) { return who.ID == "7" || who.ID == "8", nil },
		People: func(context.Context) ([]reminders.Person, error) {
			return []reminders.Person{
				{Party: event.Party{Platform: "telegram", ID: "7", Name: "Ana Alt"}, Chat: home},
				{Party: event.Party{Platform: "telegram", ID: "8", Name: "Ben"}, Chat: bens},
			}, nil
		},
		Language: func(_ context.Context, chat event.Chat) string { return w.langs[chat] },
		Tell: func(_ context.Context, chat event.Chat, n event.Noted) error {
			w.told = append(w.told, note{chat, n})
			return nil
		},
		ShowsButtons: func(c tools.Caller) bool { return c.Platform != "cli" },
		AskZone: func(_ context.Context, chat event.Chat) bool {
			ask := w.unsure && !slices.Contains(w.asked, chat)
			w.asked = append(w.asked, chat)
			return ask
		},
		Delivered: func(context.Context, event.Chat, int64) reminders.Delivery {
			return cmp.Or(w.delivered, reminders.Delivered)
		},
	})
	return w
}

func (w *world) call(who tools.Caller, tool string, in args) (tools.Result, error) {
	w.t.Helper()
	if in == nil {
		in = args{}
	}
	raw, err := json.Marshal(in)
	if err != nil {
		w.t.Fatal(err)
	}
	i := slices.IndexFunc(w.skill.Tools, func(t tools.Tool) bool { return t.Name() == tool })
	return tools.Call(tools.WithCaller(w.t.Context(), who), w.skill.Tools[i], raw)
}

// must calls a tool that must succeed.
func (w *world) must(who tools.Caller, tool string, in args) tools.Result {
	w.t.Helper()
	res, err := w.call(who, tool, in)
	if err != nil {
		w.t.Fatalf("%s %v: %v", tool, in, err)
	}
	return res
}

// remind makes a reminder of words, and returns its number.
func (w *world) remind(who tools.Caller, words string) int64 {
	w.t.Helper()
	return w.idOf(w.must(who, "remind", args{"text": words}))
}

// idOf returns the number of the reminder that a result is about.
func (w *world) idOf(res tools.Result) int64 {
	w.t.Helper()
	r, ok := res.Data.(reminders.Reminder)
	if !ok {
		w.t.Fatalf("%q is about no reminder", res.Text)
	}
	return r.ID
}

// says calls a tool that must succeed with those words.
func (w *world) says(who tools.Caller, want, tool string, in args) {
	w.t.Helper()
	if res := w.must(who, tool, in); res.Text != want {
		w.t.Errorf("%s %v says\n%q, want\n%q", tool, in, res.Text, want)
	}
}

// fails calls a tool that must fail with those words.
func (w *world) fails(who tools.Caller, want, tool string, in args) {
	w.t.Helper()
	res, err := w.call(who, tool, in)
	e := (*tools.Error)(nil)
	if !errors.As(err, &e) || e.Message != want || len(res.Effects) > 0 {
		w.t.Errorf("%s %v: %q, %v; want the error %q", tool, in, res.Text, err, want)
	}
}

// tell is what the scheduler does when a reminder is due: it is told, and next comes at that time.
func (w *world) tell(id int64, next time.Time) {
	w.t.Helper()
	_, err := w.store.Change(w.t.Context(), id, func(r *event.Reminder) error {
		r.Sent, r.Unseen, r.Last, r.Seq, r.Due, r.Planned = r.Sent+1, r.Unseen+1, w.now, 1, next, next
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// get returns a reminder as it is kept.
func (w *world) get(id int64) event.Reminder {
	w.t.Helper()
	r, known, err := w.store.Get(w.t.Context(), id)
	if err != nil || !known {
		w.t.Fatalf("reminder %d: %v, %v", id, known, err)
	}
	return r
}

// is checks the state of a reminder, and when it is told, in the household's time.
func (w *world) is(id int64, state event.ReminderState, due string) {
	w.t.Helper()
	r, got := w.get(id), ""
	if !r.Due.IsZero() {
		got = r.Due.In(w.now.Location()).Format("2006-01-02 15:04")
	}
	if r.State != state || got != due {
		w.t.Errorf("reminder %d is %s and told %q, want %s and %q", id, r.State, got, state, due)
	}
}

// due is when a reminder is told, in the household's time.
func (w *world) due(id int64) string {
	w.t.Helper()
	return w.get(id).Due.In(w.now.Location()).Format("2006-01-02 15:04")
}

func number(id int64) string { return strconv.FormatInt(id, 10) }

func (w *world) at(hour, minute int) time.Time {
	return time.Date(w.now.Year(), w.now.Month(), w.now.Day(), hour, minute, 0, 0, w.now.Location())
}
