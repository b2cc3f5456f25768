package app

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"hob/internal/commands"
	"hob/internal/config"
	"hob/internal/event"
	"hob/internal/exit"
	"hob/internal/intents"
	"hob/internal/markdown"
	"hob/internal/schedule"
	"hob/internal/skills/reminders"
	"hob/internal/tools"
)

// SetZone implements [commands.Household].
func (a *App) SetZone(ctx context.Context, name string) (string, error) {
	name, zone := FindZone(name)
	if zone == nil {
		return "", exit.Errorf(exit.Usage, "there is no time zone %q: they have names such as Europe/Berlin", name)
	}
	s := a.Env
	if err := s.ConfigEditor(ctx, s.ConfigPath).Set(s.ConfigPath, "time.zone", name); err != nil {
		return "", exit.Errorf(exit.Failed, "%v", err)
	}
	s.zoneSet.Store(zone)
	return name, nil
}

// readZone applies the configured zone if the zone was set while hob ran, because that change may
// have been undone.
func (s *Environment) readZone() {
	if s.zoneSet.Load() == nil {
		return
	}
	if c, _, err := config.Load(s.ConfigPath); err == nil {
		s.zoneSet.Store(namedZone(c.Time.Zone))
	}
}

// FindZone returns the time zone that a person names, by its IANA name in any case or by a city
// that the sentences know. It returns nil if there is none.
func FindZone(name string) (string, *time.Location) {
	name = strings.TrimSpace(name)
	spelled := strings.ReplaceAll(name, " ", "_")
	for _, known := range []string{spelled, titled(spelled), strings.ToUpper(spelled), intents.Default().Zone(name)} {
		if known == "" || strings.EqualFold(known, "local") {
			continue
		}
		if zone, err := time.LoadLocation(known); err == nil {
			return known, zone
		}
	}
	return name, nil
}

// titled spells a zone's name in its usual case: america/new_york becomes America/New_York.
func titled(name string) string {
	text, begins := []rune(strings.ToLower(name)), true
	for i, r := range text {
		if begins {
			text[i] = []rune(strings.ToUpper(string(r)))[0]
		}
		begins = strings.ContainsRune("/_-", r)
	}
	return string(text)
}

// OtherClocks implements [commands.Household].
func (a *App) OtherClocks(ctx context.Context, by tools.Caller) (clocks []commands.OtherClock, err error) {
	all, err := a.Journal.Reminders().Open(ctx)
	if err != nil {
		return nil, err
	}
	me, now := partyOf(by), a.Env.Clock()()
	for _, r := range all {
		if by.Chat.Shared() && r.Chat != by.Chat { // all read it, as what /reminders lists there
			continue
		}
		if clock, ok := otherClock(r, now); ok && r.By.Is(me) {
			clocks = append(clocks, clock)
		}
	}
	return clocks, nil
}

// MoveClocks implements [commands.Household].
func (a *App) MoveClocks(ctx context.Context, by tools.Caller) (moved []commands.OtherClock, err error) {
	clocks, err := a.OtherClocks(ctx, by)
	if err != nil {
		return nil, err
	}
	zone := a.Env.Clock()().Location().String()
	cfg := a.Env.reminderConfig(JournalTools(a.Journal), a.notes)
	ctx = tools.WithCaller(ctx, by)
	for _, c := range clocks {
		r, err := reminders.Rezone(ctx, cfg, c.ID, zone)
		if over := (*tools.Error)(nil); errors.As(err, &over) {
			continue
		}
		at := commands.OtherClock{ID: c.ID, Text: c.Text, At: c.At, Label: c.Label}
		if r.ID != 0 { // moved, even if who else has it could not be told
			at.At, at.Change = r.Due, r.Change
		} else {
			at.Error = event.SentenceOf(err)
		}
		moved = append(moved, at)
	}
	return moved, nil
}

// TellOthers implements [commands.Household]. It reaches only people on Telegram.
func (a *App) TellOthers(ctx context.Context, by tools.Caller, answer func([]commands.OtherClock) commands.Answer) error {
	all, err := a.Journal.Reminders().Open(ctx)
	if err != nil || a.notes.sessions == nil {
		return err
	}
	me, now := partyOf(by), a.Env.Clock()()
	clocks := map[event.Chat][]commands.OtherClock{}
	for _, r := range all {
		if clock, ok := otherClock(r, now); ok && !r.By.Is(me) && isTelegram(r.Chat) {
			clocks[r.Chat] = append(clocks[r.Chat], clock)
		}
	}
	var failed error
	for _, chat := range slices.Sorted(maps.Keys(clocks)) {
		told, err := TranslateAnswer(a.Sessions.Language(ctx, chat), "zone", answer(clocks[chat]), nil)
		if err != nil || len(told.Choices) == 0 { // all choices would have passed
			continue
		}
		note := event.Noted{ID: "zone/" + now.UTC().Format(time.RFC3339Nano), Text: strings.ReplaceAll(markdown.Plain(told.Text), "`", "")} // a note is not Markdown
		for _, clock := range clocks[chat] {
			note.Label = note.Label.Join(clock.Label)
		}
		for _, row := range told.Choices {
			for i, c := range row {
				note.Choices = append(note.Choices, event.Choice{Label: c.Label, Text: c.Line, Beside: i > 0, Trusted: true})
			}
		}
		if _, err := a.notes.tell(ctx, chat, note); err != nil {
			failed = errors.Join(failed, err) // go on with the others
		}
	}
	return failed
}

// otherClock returns how a coming reminder uses the clocks of another zone than now's; ok is false
// if both show the same time.
func otherClock(r event.Reminder, now time.Time) (clock commands.OtherClock, ok bool) {
	if r.Timer || r.State != event.ReminderOpen || r.Due.IsZero() || schedule.ShowsSame(r, now.Location(), now) {
		return clock, false
	}
	zone, err := time.LoadLocation(r.When.Zone)
	return commands.OtherClock{ID: r.ID, Text: reminders.Title(r), At: r.Due.In(zone), Repeats: r.When.Repeats(), Label: r.Label}, err == nil
}
