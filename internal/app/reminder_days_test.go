package app

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/intents"
	"hob/internal/race"
	"hob/internal/schedule"
	"hob/internal/skills/reminders"
	"hob/internal/store"
	"hob/internal/tools"
)

var updateDays = flag.Bool("update", false, "write testdata/reminder_days.txt anew")

// TestReminderDays lives through testdata/reminder_days.txt: three days of a family, in virtual time, without a model. A line such as
// "== Tue 24 Nov 2026" begins a day, "08:00 Ana: words" is what somebody says, and what is indented is what people read then.
// A word in brackets is a button: "08:00 Ana: [Done]" presses it below the newest message that has one, "reply: words" answers the
// newest reminder, and "-- asleep 3h" puts the machine to sleep.
func TestReminderDays(t *testing.T) {
	race.Skip(t, "SQLite is slow there")
	const file = "testdata/reminder_days.txt"
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		f := newFamily(t)
		f.start()
		for line := range strings.Lines(string(want)) {
			f.live(strings.TrimSuffix(line, "\n"))
		}
		f.stop()
		if *updateDays {
			if err := os.WriteFile(file, []byte(f.out.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		got, lines := strings.Split(f.out.String(), "\n"), strings.Split(string(want), "\n")
		for i := range max(len(got), len(lines)) {
			if i >= len(got) || i >= len(lines) || got[i] != lines[i] {
				t.Fatalf("line %d:\n got %q\nwant %q", i+1, got[min(i, len(got)-1)], lines[min(i, len(lines)-1)])
			}
		}
	})
}

// family is Ana, who is the owner, and Ben, each in their own chat and in a group, in Berlin.
type family struct {
	t       *testing.T
	berlin  *time.Location
	db      *store.DB
	cfg     schedule.Config
	sched   *schedule.Scheduler
	ahead   time.Duration // of the clock on the wall before that of the bubble
	day     string
	skill   []tools.Tool
	shown   map[event.Chat][]event.Noted // newest last, with the buttons of answers, too
	stop    func()
	out     strings.Builder
	members []reminders.Person
}

const groupChat event.Chat = "telegram/-5"

func newFamily(t *testing.T) *family {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	f := &family{t: t, berlin: berlin, shown: map[event.Chat][]event.Noted{}, members: []reminders.Person{
		{Party: event.Party{Platform: "telegram", ID: "7", Name: "Ana"}, Chat: "telegram/7"},
		{Party: event.Party{Platform: "telegram", ID: "8", Name: "Ben"}, Chat: "telegram/8"},
	}}
	f.ahead = time.Until(time.Date(2026, 11, 24, 6, 0, 0, 0, berlin))
	if f.db, err = store.OpenMemory(t.Context(), f.now); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.db.Close() })
	place, err := schedule.ParsePlace("52.52, 13.40")
	if err != nil {
		t.Fatal(err)
	}
	quiet, err := schedule.ParseQuiet("22:00-07:00")
	if err != nil {
		t.Fatal(err)
	}
	f.cfg = schedule.Config{
		Store: f.db.Reminders(), Written: f.db.Reminders().Written, Tell: f.tell, Now: f.now, Place: place, Quiet: quiet, PerHour: 4,
		Log: slog.New(slog.DiscardHandler),
	}
	skill := reminders.New(reminders.Config{
		Store: f.db.Reminders(), Consents: f.db.Reminders(), Now: f.now, Place: place,
		Known:  func(context.Context, event.Party) (bool, error) { return true, nil },
		People: func(context.Context) ([]reminders.Person, error) { return f.members, nil },
		Tell: func(ctx context.Context, chat event.Chat, note event.Noted) error {
			_, err := f.tell(ctx, chat, note)
			return err
		},
		AskZone:   func(context.Context, event.Chat) bool { return false },
		Delivered: func(context.Context, event.Chat, int64) reminders.Delivery { return "delivered" },
		Changed:   func() { f.sched.Wake() },
	})
	f.skill = skill.Tools
	return f
}

func (f *family) now() time.Time { return time.Now().Add(f.ahead).In(f.berlin) }

func (f *family) start() {
	ctx, cancel := context.WithCancel(context.Background())
	f.sched = schedule.New(f.cfg)
	over := make(chan struct{})
	s := f.sched
	go func() { s.Run(ctx); close(over) }()
	f.stop = func() { cancel(); <-over }
	synctest.Wait()
}

// name is how a chat is called in the transcript.
func (f *family) name(chat event.Chat) string {
	for _, p := range f.members {
		if p.Chat == chat {
			return p.Name
		}
	}
	return "group"
}

// tell writes a note into the journal and the transcript.
func (f *family) tell(ctx context.Context, chat event.Chat, note event.Noted) (int64, error) {
	if seq, err := f.db.Keyed(ctx, chat, event.Key(note)); err != nil || seq != 0 {
		return seq, err
	}
	events, err := f.db.Append(ctx, store.Entry{Chat: chat, Body: note})
	if err != nil {
		return 0, err
	}
	f.show(chat, "rings", note)
	return events[0].Seq, nil
}

// show writes what people read, with the buttons below.
func (f *family) show(chat event.Chat, how string, note event.Noted) {
	f.shown[chat] = append(f.shown[chat], note)
	buttons := ""
	for _, c := range note.Choices {
		buttons += " [" + c.Label + "]"
	}
	fmt.Fprintf(&f.out, "\t%s %s %s: %s%s\n", f.now().Format("15:04"), f.name(chat), how, strings.ReplaceAll(note.Text, "\n", "\n\t\t"), buttons)
}

// live plays a line of the transcript. What people read is not played, but made anew.
func (f *family) live(line string) {
	f.t.Helper()
	if strings.HasPrefix(line, "\t") {
		return
	}
	switch day, isDay := strings.CutPrefix(line, "== "); {
	case isDay:
		f.day = day
		midnight, err := time.ParseInLocation("Mon 2 Jan 2006", day, f.berlin)
		if err != nil {
			f.t.Fatal(err)
		}
		if wait := midnight.Sub(f.now()); wait > 0 {
			<-time.After(wait)
		}
		synctest.Wait()
	case strings.HasPrefix(line, "-- asleep "):
		d, err := time.ParseDuration(strings.TrimPrefix(line, "-- asleep "))
		if err != nil {
			f.t.Fatal(err)
		}
		f.ahead += d
		fmt.Fprintln(&f.out, line)
		<-time.After(time.Minute) // the clock is looked at
		synctest.Wait()
		return
	case len(line) > 6 && line[2] == ':':
		at, err := time.ParseInLocation("Mon 2 Jan 2006 15:04", f.day+" "+line[:5], f.berlin)
		if err != nil {
			f.t.Fatal(err)
		}
		if wait := at.Sub(f.now()); wait > 0 {
			<-time.After(wait)
		}
		synctest.Wait()
		fmt.Fprintln(&f.out, line)
		who, words, _ := strings.Cut(line[6:], ": ")
		f.say(who, words)
		synctest.Wait()
		return
	}
	fmt.Fprintln(&f.out, line)
}

// say is somebody who says words, presses a button or answers a reminder: "Ana", or "Ana in the group".
func (f *family) say(who, words string) {
	name, where, _ := strings.Cut(who, " ")
	i := slices.IndexFunc(f.members, func(p reminders.Person) bool { return p.Name == name })
	p := f.members[i]
	caller := tools.Caller{Chat: p.Chat, User: p.ID, Principal: event.Principal{Platform: "telegram", Scope: "private", Level: event.User}}
	if where != "" {
		caller.Chat, caller.Scope = groupChat, "group"
	}
	if name == "Ana" {
		caller.Level = event.Owner
	}
	if label, ok := strings.CutPrefix(words, "["); ok {
		label = strings.TrimSuffix(label, "]")
		for _, note := range slices.Backward(f.shown[caller.Chat]) {
			for _, c := range note.Choices {
				if c.Label == label {
					f.command(caller, c.Text)
					return
				}
			}
		}
		fmt.Fprintf(&f.out, "\t(there is no button %s)\n", label)
		return
	}
	if reply, ok := strings.CutPrefix(words, "reply: "); ok {
		for _, note := range slices.Backward(f.shown[caller.Chat]) {
			if note.Reminder != 0 && reminders.IsChange(reply, f.now()) {
				f.command(caller, fmt.Sprintf("/reminder %d %s", note.Reminder, reply))
				return
			}
		}
		fmt.Fprintln(&f.out, "\t(a model is asked)")
		return
	}
	if strings.HasPrefix(words, "/") {
		f.command(caller, words)
		return
	}
	r := intents.Default().Read(words).At(f.now())
	if r.Near {
		var args struct{ Change, Only string }
		open, err := f.db.Reminders().Open(f.t.Context())
		if err != nil || json.Unmarshal(r.Call.Args, &args) != nil {
			f.t.Fatal(err)
		}
		if _, known := reminders.Newest(open, caller.Chat, f.now(), args.Change, args.Only); !known {
			r = intents.Reading{}
		}
	}
	switch {
	case r.Ask != "":
		fmt.Fprintf(&f.out, "\t= %s\n", r.Ask)
	case r.Call.Name == "":
		fmt.Fprintln(&f.out, "\t(a model is asked)")
	default:
		f.call(caller, r.Call.Name, r.Call.Args)
	}
}

// command runs /remind, /reminders or /reminder as the table of commands reads them.
func (f *family) command(caller tools.Caller, line string) {
	f.t.Helper()
	name, rest, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	tool := f.tool(name)
	if tool == nil {
		fmt.Fprintf(&f.out, "\t= there is no /%s\n", name)
		return
	}
	args, err := tools.ParseCommand(tool, rest)
	if err != nil {
		fmt.Fprintf(&f.out, "\t= %v\n", err)
		return
	}
	f.call(caller, name, args)
}

func (f *family) tool(name string) tools.Tool {
	return tools.Find(f.skill, name)
}

func (f *family) call(caller tools.Caller, name string, args json.RawMessage) {
	tool := f.tool(name)
	if tool == nil {
		fmt.Fprintf(&f.out, "\t(the tool %s is called with %s)\n", name, args)
		return
	}
	res, err := tools.Call(tools.WithCaller(f.t.Context(), caller), tool, args)
	if err != nil {
		fmt.Fprintf(&f.out, "\t= %v\n", err)
		return
	}
	f.show(caller.Chat, "reads", event.Noted{Text: res.Text, Choices: res.Choices})
}
