package app

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/schedule"
	"hob/internal/session"
	"hob/internal/skills"
	"hob/internal/skills/reminders"
	"hob/internal/store"
	"hob/internal/tools"
)

// Clock returns what tells the time, in the zone of the household.
func (s *Environment) Clock() func() time.Time {
	configured := s.zone()
	return func() time.Time {
		if zone := s.zoneSet.Load(); zone != nil {
			return time.Now().In(zone)
		}
		return time.Now().In(configured)
	}
}

// Zone returns the time zone of the household. All times that a person reads are in it.
func (s *Environment) Zone() *time.Location { return s.Clock()().Location() }

// zone returns the zone of the household as it is configured: that of [time] zone, or of this machine.
func (s *Environment) zone() *time.Location {
	s.readZoneOnce.Do(func() { s.configured = namedZone(s.Time.Zone) })
	return s.configured
}

// namedZone returns the zone of a name, or of this machine for "".
func namedZone(name string) *time.Location {
	if name == "" {
		name = MachineZone(os.Getenv("TZ"))
	}
	if zone, err := time.LoadLocation(name); name != "" && err == nil {
		return zone
	}
	return time.Local
}

// MachineZone returns the IANA name of the time zone of this machine, or "". tz is the variable of that name.
func MachineZone(tz string) string {
	if name := strings.TrimPrefix(tz, ":"); name != "" {
		return name
	}
	target, err := filepath.EvalSymlinks("/etc/localtime")
	if err != nil {
		return ""
	}
	_, name, _ := strings.Cut(target, "/zoneinfo/")
	return name
}

// zoneAsked begins the key of a setting: when a chat was asked for its zone.
const zoneAsked = "zone asked/"

// isPlace reports whether the name of a zone says where a machine is. Machines that nobody has set are in UTC.
func isPlace(zone string) bool {
	return !strings.HasPrefix(zone, "Etc/") && !slices.Contains([]string{"Local", "UTC", "UCT", "GMT", "GMT0", "Universal", "Zulu", "Greenwich"}, zone)
}

// place returns where the house stands. The configuration was checked.
func (s *Environment) place() schedule.Place {
	p, _ := schedule.ParsePlace(s.Time.Place)
	return p
}

// notifier puts notes into chats, and has them sent. The zero notifier puts none.
type notifier struct {
	sessions func() *session.Sessions
	notified func(event.Chat) // has a surface send what is new in a chat; may be nil
	changed  func()           // has what is due looked for anew
}

// tell puts a note into a chat; see [session.Sessions.Tell].
func (t notifier) tell(ctx context.Context, chat event.Chat, note event.Noted) (int64, error) {
	seq, err := t.sessions().Tell(ctx, chat, note)
	if err == nil && t.notified != nil {
		t.notified(chat)
	}
	return seq, err
}

// reminderConfig returns what the skill that makes reminders needs. Without sessions nobody else can be asked.
func (s *Environment) reminderConfig(j ToolJournal, calendar skills.Skill, t notifier) reminders.Config {
	cfg := reminders.Config{
		Store: j.db.Reminders(), Consents: j.db.Reminders(), Who: partyOf, ShowsButtons: func(c tools.Caller) bool { return c.Platform != LocalOwner().Platform }, Now: s.Clock(), Place: s.place(), Changed: t.changed, Calendar: calendar,
		Known: func(ctx context.Context, who event.Party) (bool, error) {
			if who.Platform != telegramPlatform {
				return true, nil
			}
			id, err := strconv.ParseInt(who.ID, 10, 64)
			if err != nil {
				return false, nil //nolint:nilerr // nobody of that name was let in
			}
			_, known, err := j.db.People().Person(ctx, telegramPlatform, id)
			return known, err
		},
		AskZone: func(ctx context.Context, chat event.Chat) bool {
			if s.Time.Zone != "" || s.zoneSet.Load() != nil || isPlace(s.zone().String()) {
				return false
			}
			set, key := j.db.Settings(), zoneAsked+string(chat)
			asked, err := set.Get(ctx, key)
			return err == nil && asked == "" && set.Set(ctx, key, s.Clock()().UTC().Format(time.RFC3339)) == nil
		},
		People: func(ctx context.Context) ([]reminders.Person, error) { return remindable(ctx, j.db) },
		Delivered: func(ctx context.Context, chat event.Chat, seq int64) reminders.Delivery {
			return s.delivery(ctx, j.db, chat, seq)
		},
	}
	if t.sessions != nil {
		cfg.Language = func(ctx context.Context, chat event.Chat) string { return t.sessions().Language(ctx, chat) }
		cfg.Tell = func(ctx context.Context, chat event.Chat, note event.Noted) error {
			_, err := t.tell(ctx, chat, note)
			return err
		}
	}
	return cfg
}

// telegramPlatform is the platform whose people hob can write to by itself.
const telegramPlatform = "telegram"

// remindable returns the people who were let in and have a chat of their own.
func remindable(ctx context.Context, db *store.DB) (all []reminders.Person, err error) {
	people, err := db.People().People(ctx, telegramPlatform)
	for _, p := range people {
		if p.ID > 0 {
			id := strconv.FormatInt(p.ID, 10)
			all = append(all, reminders.Person{
				Party: event.Party{Platform: p.Platform, ID: id, Name: p.Name}, Chat: event.Chat(p.Platform + "/" + id),
			})
		}
	}
	return all, err
}

// Reminders returns the reminders that are still to come, as a person may read them, in a chat. Without the tool that lists them there
// are none: it may be switched off.
func (a *App) Reminders(ctx context.Context, by tools.Caller) ([]reminders.Reminder, error) {
	index, err := a.CommandTools(ctx, by.Chat, by.Principal)
	if err != nil {
		return nil, err
	}
	t, ok := index.Find("reminders")
	if !ok {
		return nil, nil
	}
	res, err := tools.Call(tools.WithCaller(ctx, by), t, json.RawMessage(`{}`))
	data, _ := res.Data.(map[string]any)
	all, _ := data["reminders"].([]reminders.Reminder)
	return all, err
}

// delivery says whether a note has reached a person: Telegram has given it a number, or a prompt has shown it that stands in
// the foreground of a terminal. What was asked for at the terminal goes to the owners on Telegram, too. It is "" where nobody knows:
// a browser does not say what it has shown.
func (s *Environment) delivery(ctx context.Context, db *store.DB, chat event.Chat, seq int64) reminders.Delivery {
	if seq == 0 {
		return ""
	}
	switch state := sendState(ctx, db, chat, seq); {
	case state == event.SendSent:
		return reminders.Delivered
	case state == event.SendRefused:
		return reminders.Refused
	case isTelegram(chat):
		return reminders.NotDelivered
	}
	if owners, err := ownersOnTelegram(ctx, db); err == nil && len(owners) > 0 {
		key := noteKey(ctx, db, chat, seq)
		for _, owner := range owners {
			if there, err := db.Keyed(ctx, owner, key); err == nil && key != "" && sendState(ctx, db, owner, there) == event.SendSent {
				return reminders.Delivered
			}
		}
	}
	if s.Page.Listen != "" {
		return ""
	}
	return reminders.Waits
}

// sendState is how far a note has come in a chat, "" where nobody knows.
func sendState(ctx context.Context, db *store.DB, chat event.Chat, seq int64) event.SendState {
	sends, err := db.Deliveries().Sends(ctx, chat, seq)
	if err != nil || len(sends) == 0 {
		return ""
	}
	return sends[0].State
}

// noteKey is the key of the note of that Seq, "" where there is none.
func noteKey(ctx context.Context, db *store.DB, chat event.Chat, seq int64) string {
	for e, err := range db.Chat(ctx, chat, seq-1) {
		if note, ok := e.Body.(event.Noted); ok && err == nil && e.Seq == seq {
			return event.Key(note)
		}
		break
	}
	return ""
}

func isTelegram(chat event.Chat) bool { return strings.HasPrefix(string(chat), telegramPlatform+"/") }

// NoteShown keeps that notes of a chat were shown to a person at a terminal, so that they count as delivered.
// Those of a chat on Telegram do once Telegram has them.
func (s *Environment) NoteShown(ctx context.Context, chat event.Chat, seqs ...int64) {
	if len(seqs) == 0 || isTelegram(chat) {
		return
	}
	_ = s.EditJournal(ctx, func(db *store.DB) error { // else the note stays undelivered, and the next prompt shows it
		for _, seq := range seqs {
			send, err := db.Deliveries().BeginSend(ctx, chat, seq, 0)
			if err != nil {
				return err
			}
			send.State = event.SendSent
			if err := db.Deliveries().SetSend(ctx, send, "", 0); err != nil {
				return err
			}
		}
		return nil
	})
}

// newScheduler returns what tells the reminders of a hob. What was asked for in a chat that is not on Telegram is told there, and
// on the Telegram of the owner, too: nobody may sit at the terminal.
func (s *Environment) newScheduler(deps Deps, t notifier, phones *pusher, screen *desktop) *schedule.Scheduler {
	quiet, _ := schedule.ParseQuiet(s.Notify.Quiet) // the configuration was checked
	return schedule.New(schedule.Config{
		Store: deps.Journal.Reminders(), Written: deps.Journal.Reminders().Written, Now: s.Clock(), Place: s.place(),
		Quiet: quiet, PerHour: s.Notify.PerHour, Log: deps.Log,
		Language: func(ctx context.Context, chat event.Chat) string { return t.sessions().Language(ctx, chat) },
		Tell: func(ctx context.Context, chat event.Chat, note event.Noted) (int64, error) {
			chats := []event.Chat{chat}
			if !isTelegram(chat) {
				owners, err := ownersOnTelegram(ctx, deps.Journal)
				if err != nil {
					return 0, err
				}
				chats = append(owners, chat) // its Seq is the one that is kept
			}
			var seq int64
			for _, to := range chats {
				var err error
				if seq, err = t.tell(ctx, to, note); err != nil {
					return 0, err
				}
			}
			phones.push(ctx, note)
			screen.show(ctx, note)
			return seq, nil
		},
	})
}

// ownersOnTelegram returns the private chats of the owners there.
func ownersOnTelegram(ctx context.Context, db *store.DB) (chats []event.Chat, err error) {
	people, err := db.People().People(ctx, telegramPlatform)
	for _, p := range people {
		if p.ID > 0 && p.Level == event.Owner {
			chats = append(chats, event.Chat(p.Platform+"/"+strconv.FormatInt(p.ID, 10)))
		}
	}
	return chats, err
}

// untouched is for how long a reminder that was told counts as news, where it was delivered.
const untouched = 24 * time.Hour

// ToldReminders returns a line for each reminder that a chat was told lately, or that nobody has received yet, unless it is done: the person
// who opens the prompt may have missed it. seqs are their notes.
func (s *Environment) ToldReminders(ctx context.Context, chat event.Chat) (lines []string, seqs []int64) {
	now := s.Clock()()
	err := s.WithJournal(ctx, func(db *store.DB) error {
		all, err := db.Reminders().Open(ctx)
		for _, r := range all {
			isNews := r.Chat == chat && r.Unseen > 0 &&
				(now.Sub(r.Last) < untouched || s.delivery(ctx, db, r.Chat, r.Seq) == reminders.Waits)
			if isNews {
				told := r.Last.In(now.Location()).Format("2 Jan 15:04")
				lines = append(lines, fmt.Sprintf("⏰ %s (told %s; /reminder %d done)", display.OneLine(reminders.Title(r)), told, r.ID))
				seqs = append(seqs, r.Seq)
			}
		}
		return err
	})
	if err != nil {
		return nil, nil // the prompt says by itself that the journal cannot be read
	}
	return lines, seqs
}
