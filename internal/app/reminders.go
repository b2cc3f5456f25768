package app

import (
	"context"
	"encoding/json"
	"errors"
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
	"hob/internal/skills/reminders"
	"hob/internal/store"
	"hob/internal/tools"
)

// Clock returns a function that tells the time in the zone of the household.
func (s *Environment) Clock() func() time.Time {
	configured := s.zone()
	return func() time.Time {
		if zone := s.zoneSet.Load(); zone != nil {
			return time.Now().In(zone)
		}
		return time.Now().In(configured)
	}
}

// Zone returns the time zone of the household, in which people read all times.
func (s *Environment) Zone() *time.Location { return s.Clock()().Location() }

// zone returns the configured zone of the household: [time] zone, or that of this machine.
func (s *Environment) zone() *time.Location {
	s.readZoneOnce.Do(func() { s.configured = namedZone(s.Time.Zone) })
	return s.configured
}

// namedZone returns the zone with a name, or this machine's for "".
func namedZone(name string) *time.Location {
	if name == "" {
		name = MachineZone(os.Getenv("TZ"))
	}
	if zone, err := time.LoadLocation(name); name != "" && err == nil {
		return zone
	}
	return time.Local
}

// MachineZone returns the IANA name of this machine's time zone, or "". tz is the value of the
// variable TZ.
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

// isPlace reports whether a zone's name tells where a machine is. An unconfigured machine is in
// UTC.
func isPlace(zone string) bool {
	return !strings.HasPrefix(zone, "Etc/") && !slices.Contains([]string{"Local", "UTC", "UCT", "GMT", "GMT0", "Universal", "Zulu", "Greenwich"}, zone)
}

// place returns the location of the house. The configuration was checked.
func (s *Environment) place() schedule.Place {
	p, _ := schedule.ParsePlace(s.Time.Place)
	return p
}

// notifier puts notes into chats, and makes surfaces send them. The zero notifier does nothing.
type notifier struct {
	sessions func() *session.Sessions
	notified func(event.Chat) // makes a surface send the news of a chat; may be nil
	changed  func()           // makes the scheduler look again for due reminders
}

// tell puts a note into a chat; see [session.Sessions.Tell].
func (t notifier) tell(ctx context.Context, chat event.Chat, note event.Noted) (int64, error) {
	seq, err := t.sessions().Tell(ctx, chat, note)
	if err == nil && t.notified != nil {
		t.notified(chat)
	}
	return seq, err
}

// reminderConfig returns the configuration of the reminders' skill. Without sessions nobody else
// can be asked for consent.
func (s *Environment) reminderConfig(j ToolJournal, t notifier) reminders.Config {
	cfg := reminders.Config{
		Store: j.db.Reminders(), Consents: j.db.Reminders(), Who: partyOf, ShowsButtons: func(c tools.Caller) bool { return c.Platform != LocalOwner().Platform }, Now: s.Clock(), Place: s.place(), Changed: t.changed,
		Known: func(ctx context.Context, who event.Party) (bool, error) {
			if who.Platform != telegramPlatform {
				return true, nil
			}
			id, err := strconv.ParseInt(who.ID, 10, 64)
			if err != nil {
				return false, nil //nolint:nilerr // nobody of that name was added
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

// telegramPlatform is the platform on which hob can write to people first.
const telegramPlatform = "telegram"

// remindable returns the added people who have a private chat.
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

// Reminders returns the coming reminders that a person may read, in a chat. If the tool that lists
// them is switched off, there are none.
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

// ListItems returns what is on a list, as the tool that shows lists tells somebody who may tick it off; for others there is nothing.
func (a *App) ListItems(ctx context.Context, by tools.Caller, name string) (open, ticked []string, err error) {
	index, err := a.CommandTools(ctx, by.Chat, by.Principal)
	if err != nil {
		return nil, nil, err
	}
	show, reads := index.Find("list_show")
	if _, ticks := index.Find("list_tick"); !reads || !ticks {
		return nil, nil, nil
	}
	args, _ := json.Marshal(map[string]string{"list": name}) // a map of strings always has a JSON form
	res, err := tools.Call(tools.WithCaller(ctx, by), show, args)
	if missing := (*tools.Error)(nil); errors.As(err, &missing) { // it is gone
		return nil, nil, nil
	}
	var on struct{ Open, Ticked []string }
	raw, bad := json.Marshal(res.Data)
	if err = errors.Join(err, bad); err == nil {
		err = json.Unmarshal(raw, &on)
	}
	return on.Open, on.Ticked, err
}

// delivery says whether a note has reached a person: Telegram has given it a number, or a prompt in
// the foreground of a terminal has shown it. A note for the terminal also goes to the owners on
// Telegram. It is "" if that is unknown, because a browser does not report what it shows.
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

// sendState returns how far a note got in a chat, or "" if that is unknown.
func sendState(ctx context.Context, db *store.DB, chat event.Chat, seq int64) event.SendState {
	sends, err := db.Deliveries().Sends(ctx, chat, seq)
	if err != nil || len(sends) == 0 {
		return ""
	}
	return sends[0].State
}

// noteKey returns the key of the note with this Seq, or "" if there is none.
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

// NoteShown records that a person at a terminal was shown notes of a chat, which counts as
// delivery. Notes of a Telegram chat count once Telegram has them.
func (s *Environment) NoteShown(ctx context.Context, chat event.Chat, seqs ...int64) {
	if len(seqs) == 0 || isTelegram(chat) {
		return
	}
	_ = s.EditJournal(ctx, func(db *store.DB) error { // on an error the note stays undelivered, and the next prompt shows it
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

// newScheduler returns the scheduler of hob's reminders. A reminder for a chat outside Telegram
// also goes to the owners on Telegram, because nobody may sit at the terminal.
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
				chats = append(owners, chat) // last, because its Seq is the one that is stored
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

// ownersOnTelegram returns the private chats of the owners on Telegram.
func ownersOnTelegram(ctx context.Context, db *store.DB) (chats []event.Chat, err error) {
	people, err := db.People().People(ctx, telegramPlatform)
	for _, p := range people {
		if p.ID > 0 && p.Level == event.Owner {
			chats = append(chats, event.Chat(p.Platform+"/"+strconv.FormatInt(p.ID, 10)))
		}
	}
	return chats, err
}

// untouched is how long a delivered reminder counts as news.
const untouched = 24 * time.Hour

// ToldReminders returns a line for each open reminder that a chat got lately, or that reached
// nobody, for a person who opens the prompt and may have missed it. seqs are the Seqs of their
// notes.
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
		return nil, nil // the prompt itself reports that the journal cannot be read
	}
	return lines, seqs
}
