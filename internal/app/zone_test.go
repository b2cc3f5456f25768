package app_test

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/markdown"
	"hob/internal/session"
	"hob/internal/store"
)

// The zone is shown to all, and set by an owner: it is in force at once, stands in the configuration, and can be taken back there. What
// was set before keeps its own clocks, and a button moves it.
func TestZone(t *testing.T) {
	t.Setenv("TZ", "Etc/UTC")
	o := newTestApp(t, noOllama)
	me := event.Party{Platform: "telegram", ID: "7"}
	for _, r := range []event.Reminder{
		{Text: "call Ana", By: me, When: event.When{Zone: "Etc/UTC", Start: "2099-12-24T18:00:00"}, Due: time.Date(2099, 12, 24, 18, 0, 0, 0, time.UTC)},
		{Text: "pasta", By: me, Timer: true, When: event.When{Zone: "Etc/UTC"}, Due: time.Date(2099, 12, 24, 18, 0, 0, 0, time.UTC)},
		{Text: "of somebody else", By: event.Party{Platform: "telegram", ID: "8"}, When: event.When{Zone: "Etc/UTC"}, Due: time.Date(2099, 12, 24, 18, 0, 0, 0, time.UTC)},
		{Text: "in Berlin", By: me, When: event.When{Zone: "Europe/Berlin"}, Due: time.Date(2099, 12, 24, 18, 0, 0, 0, time.UTC)},
	} {
		r.Chat, r.State = here, event.ReminderOpen
		if _, err := o.Journal.Reminders().Add(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	says := func(level event.Level, args, lang, begins string) {
		t.Helper()
		r := by(level, args)
		r.Lang = lang
		if got, _ := o.ask("zone", r); !strings.HasPrefix(got, begins) {
			t.Errorf("/zone %s: %q, want it to begin with %q", args, got, begins)
		}
	}
	says(event.User, "", "", "The time zone is Etc/UTC: it is ")
	for _, name := range []string{"utc", "Africa/Abidjan"} { // whose clocks show the same
		if got, buttons := o.ask("zone", by(event.Owner, name)); strings.Contains(got, "call Ana") || len(buttons) != 1 {
			t.Errorf("the zone %s: %q, %v", name, got, buttons)
		}
	}
	says(event.User, "Europe/Berlin", "de-AT", "error: die Zeitzone stellt der Besitzer ein")
	says(event.Owner, "Europe/Berlinn", "", `error: there is no time zone "Europe/Berlinn"`)
	says(event.Owner, "Local", "", `error: there is no time zone "Local"`)
	got, buttons := o.ask("zone", by(event.Owner, "europe/berlin"))
	if want := "• #1 call Ana: 2099-12-24 18:00 in Etc/UTC, which is 19:00 here (/reminder 1 zone=Europe/Berlin)"; !strings.HasPrefix(got, "The time zone is Europe/Berlin now") || !strings.HasSuffix(got, want) || strings.Count(got, "•") != 1 {
		t.Errorf("%q, want one reminder: %q", got, want)
	}
	if len(buttons) != 1 || buttons[0][0].Line != "/reminder 1 zone=Europe/Berlin" || buttons[0][0].Label != "#1 at 18:00 here" {
		t.Errorf("buttons %v", buttons)
	}
	if zone := o.set.Zone().String(); zone != "Europe/Berlin" || o.set.Clock()().Location().String() != zone {
		t.Errorf("the clocks are those of %s", zone)
	}
	if text, err := os.ReadFile(o.set.ConfigPath); err != nil || !strings.Contains(string(text), `zone = "Europe/Berlin"`) {
		t.Errorf("the configuration has %q, %v", text, err)
	}
	for name, want := range map[string]string{"Wien": "Europe/Vienna", "new york": "America/New_York", "москва": "Europe/Moscow", "utc": "UTC", "Asia/Ho_Chi_Minh": "Asia/Ho_Chi_Minh", "set Tokyo": "Asia/Tokyo"} {
		says(event.Owner, name, "", "The time zone is "+want+" now")
	}
	says(event.Owner, "Europe/Berlin", "", "The time zone is Europe/Berlin now")
	says(event.Owner, "Asia/Shanghai", "zh", "时区已改为 Asia/Shanghai")
	if got, _ := o.ask("undo", by(event.Owner, "")); !strings.Contains(got, "config.toml") {
		t.Errorf("it cannot be taken back: %q", got)
	}
	says(event.User, "", "ru", "Часовой пояс: Europe/Berlin")
}

// Where several keep other clocks, one line moves them all, and one takes that back.
func TestZone_MovesAll(t *testing.T) {
	t.Setenv("TZ", "Etc/UTC")
	o := newTestApp(t, noOllama)
	me, due := event.Party{Platform: "telegram", ID: "7"}, time.Date(2099, 12, 24, 18, 0, 0, 0, time.UTC)
	for _, r := range []event.Reminder{
		{Text: "call Ana", By: me, When: event.When{Zone: "Etc/UTC", Start: "2099-12-24T18:00:00"}, Due: due, Planned: due},
		{Text: "pills", By: me, When: event.When{Zone: "Etc/UTC", Start: "2099-12-24T18:00:00", Repeat: "FREQ=DAILY"}, Due: due, Planned: due},
		{Text: "of somebody else", By: event.Party{Platform: "telegram", ID: "8"}, When: event.When{Zone: "Etc/UTC", Start: "2099-12-24T18:00:00"}, Due: due, Planned: due},
	} {
		r.Chat, r.State = here, event.ReminderOpen
		if _, err := o.Journal.Reminders().Add(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	at := func() (clocks string) {
		all, err := o.Journal.Reminders().Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(all, func(a, b event.Reminder) int { return cmp.Compare(a.ID, b.ID) })
		for _, r := range all {
			clocks += " " + r.When.Zone + " " + r.Due.UTC().Format("15:04")
		}
		return strings.TrimSpace(clocks)
	}
	got, buttons := o.ask("zone", by(event.Owner, "Europe/Berlin"))
	if len(buttons) != 3 || buttons[0][0].Line != "/zone move" || !strings.Contains(got, "(/zone move)") {
		t.Fatalf("%q with the buttons %v", got, buttons)
	}
	got, buttons = o.ask("zone", by(event.User, "move"))
	if want := "Europe/Berlin 17:00 Europe/Berlin 17:00 Etc/UTC 18:00"; at() != want {
		t.Errorf("they are at %q, want %q; hob said %q", at(), want, got)
	}
	if want := "call Ana: 2099-12-24 18:00 in Europe/Berlin"; !strings.Contains(got, want) || len(buttons) != 1 {
		t.Fatalf("%q, %v", got, buttons)
	}
	if _, args := commands.Split(buttons[0][0].Line); args != "" {
		got, _ = o.ask("undo", by(event.User, args))
	}
	if want := "Etc/UTC 18:00 Etc/UTC 18:00 Etc/UTC 18:00"; at() != want {
		t.Errorf("taken back they are at %q, want %q; hob said %q", at(), want, got)
	}
	german := by(event.User, "move")
	german.Lang = "de"
	if got, _ := o.ask("zone", german); !strings.HasPrefix(got, "Umgestellt") {
		t.Errorf("in German: %q", got)
	}
	o.ask("zone", by(event.Owner, "Etc/UTC"))
	o.ask("zone", by(event.User, "move"))
	if got, _ := o.ask("zone", by(event.User, "move")); got != "Nothing that is to come keeps other clocks." {
		t.Errorf("with nothing to move: %q", got)
	}
}

// One that cannot be moved does not keep the others from it.
func TestZone_MovesTheOthers(t *testing.T) {
	t.Setenv("TZ", "Etc/UTC")
	o := newTestApp(t, noOllama)
	due := time.Date(2099, 12, 24, 18, 0, 0, 0, time.UTC)
	for text, repeat := range map[string]string{"bins": "", "pills": "FREQ=SOMETIMES", "call Ana": ""} {
		_, err := o.Journal.Reminders().Add(t.Context(), event.Reminder{
			Chat: here, State: event.ReminderOpen, Text: text, By: event.Party{Platform: "telegram", ID: "7"},
			When: event.When{Zone: "Etc/UTC", Start: "2099-12-24T18:00:00", Repeat: repeat}, Due: due, Planned: due,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	o.ask("zone", by(event.Owner, "Europe/Berlin"))
	got, buttons := o.ask("zone", by(event.User, "move"))
	moved, left, _ := strings.Cut(got, "Not moved")
	if !strings.Contains(moved, "bins: ") || !strings.Contains(moved, "call Ana: ") || !strings.Contains(left, "pills: ") || len(buttons) != 1 {
		t.Errorf("%q, with %v", got, buttons)
	}
}

// A group reads of its own reminders alone, and these alone are moved there.
func TestZone_InAGroup(t *testing.T) {
	t.Setenv("TZ", "Etc/UTC")
	o := newTestApp(t, noOllama)
	const group = event.Chat("telegram/-9")
	due := time.Date(2099, 12, 24, 18, 0, 0, 0, time.UTC)
	for chat, text := range map[event.Chat]string{here: "a gift for Ben", group: "bins"} {
		_, err := o.Journal.Reminders().Add(t.Context(), event.Reminder{
			Chat: chat, State: event.ReminderOpen, Text: text, By: event.Party{Platform: "telegram", ID: "7"},
			When: event.When{Zone: "Etc/UTC", Start: "2099-12-24T18:00:00"}, Due: due, Planned: due,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{"Europe/Berlin", "move"} {
		r := by(event.Owner, args)
		r.Chat, r.Scope = group, "group"
		if got, _ := o.ask("zone", r); strings.Contains(got, "gift") || !strings.Contains(got, "bins") {
			t.Errorf("/zone %s in the group: %q", args, got)
		}
	}
	if got, _ := o.ask("zone", by(event.User, "move")); !strings.Contains(got, "gift") {
		t.Errorf("it was moved by the group: %q", got)
	}
}

// What comes again is moved also where its hour of today is over on the clocks of the household: it comes at the next.
func TestZone_MovesWhatComesAgain(t *testing.T) {
	t.Setenv("TZ", "Pacific/Kiritimati") // whose clocks no others are ahead of
	o := newTestApp(t, noOllama)
	due := time.Now().Add(time.Hour).Truncate(time.Second)
	start := due.In(time.FixedZone("", -12*3600)).Format(event.StartLayout)
	daily := event.Reminder{
		Chat: here, State: event.ReminderOpen, Text: "pills", By: event.Party{Platform: "telegram", ID: "7"},
		When: event.When{Zone: "Etc/GMT+12", Start: start, Repeat: "FREQ=DAILY"}, Due: due, Planned: due,
	}
	if _, err := o.Journal.Reminders().Add(t.Context(), daily); err != nil {
		t.Fatal(err)
	}
	if _, buttons := o.ask("zone", by(event.Owner, "Pacific/Kiritimati")); len(buttons) != 1 || buttons[0][0].Line != "/reminder 1 zone=Pacific/Kiritimati" {
		t.Errorf("buttons %v", buttons)
	}
	if got, buttons := o.ask("zone", by(event.User, "move")); len(buttons) != 1 || !strings.Contains(got, "in Pacific/Kiritimati") {
		t.Errorf("%q, %v", got, buttons)
	}
}

// Who has reminders that keep other clocks is told when somebody else has set the zone, where they are told and in the language there, with a button that
// moves each. Who has none, or one that would be over, is not.
func TestZone_TellsOthers(t *testing.T) {
	t.Setenv("TZ", "Etc/UTC")
	o := newTestApp(t, noOllama)
	const bens, group, none = event.Chat("telegram/8"), event.Chat("telegram/-100"), event.Chat("telegram/9")
	me, ben := event.Party{Platform: "telegram", ID: "7"}, event.Party{Platform: "telegram", ID: "8"}
	at := func(year int) time.Time { return time.Date(year, 12, 24, 18, 0, 0, 0, time.UTC) }
	for _, r := range []event.Reminder{
		{Chat: here, Text: "mine", By: me, When: event.When{Zone: "Etc/UTC"}, Due: at(2099)},
		{Chat: bens, Text: "his", By: ben, When: event.When{Zone: "Etc/UTC"}, Due: at(2099)},
		{Chat: group, Text: "ours", By: ben, When: event.When{Zone: "Etc/UTC"}, Due: at(2099)},
		{Chat: none, Text: "over", By: ben, When: event.When{Zone: "Etc/UTC"}, Due: at(2000)},
		{Chat: none, Text: "in Berlin", By: ben, When: event.When{Zone: "Europe/Berlin"}, Due: at(2099)},
	} {
		r.State = event.ReminderOpen
		if _, err := o.Journal.Reminders().Add(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := o.Submit(t.Context(), session.Input{Chat: bens, ID: "1", From: "8", Text: "was steht morgen an", Typed: true, Principal: event.Principal{Platform: "telegram", Scope: "private", Level: event.User}}); err != nil {
		t.Fatal(err)
	}
	o.ask("zone", by(event.Owner, "Europe/Berlin"))
	for chat, want := range map[event.Chat]string{
		here: "", none: "", bens: "#2 um 18:00 hiesiger Zeit /reminder 2 zone=Europe/Berlin", group: "#3 at 18:00 here /reminder 3 zone=Europe/Berlin",
	} {
		got, text := "", ""
		for e, err := range o.Journal.Chat(t.Context(), chat, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if note, ok := e.Body.(event.Noted); ok && len(note.Choices) > 0 {
				got, text = got+note.Choices[0].Label+" "+note.Choices[0].Text, note.Text
			}
		}
		if got != want || (want != "") != strings.Contains(text, " zone=Europe/Berlin)") {
			t.Errorf("%s: %q is offered, with %q, want %q", chat, got, text, want)
		}
	}
}

// All that commands answer shows the times of the household, whatever the zone of the machine.
func TestZone_OfAnswers(t *testing.T) {
	t.Setenv("TZ", "Etc/UTC")
	o := newTestApp(t, noOllama)
	o.ask("zone", by(event.Owner, "Asia/Tokyo"))
	asked, err := o.Journal.Append(t.Context(), store.Entry{Chat: here, Body: event.Said{InputID: "a", Text: "good evening"}})
	if err == nil {
		_, err = o.Journal.Append(t.Context(), store.Entry{Chat: here, Turn: asked[0].Seq, Body: event.Replied{Text: "Good evening."}})
	}
	if err != nil {
		t.Fatal(err)
	}
	a, err := o.table.Run(t.Context(), "log", by(event.Owner, ""))
	if err != nil {
		t.Fatal(err)
	}
	said := a.Data.([]commands.LogLine)[0].Time.In(o.set.Zone()).Format("15:04")
	if got := markdown.Plain(a.Text); !strings.Contains(got, said+" good evening") {
		t.Errorf("the log says %q, and it was said at %s in Tokyo", got, said)
	}
	if a, err = o.table.Run(t.Context(), "undo", by(event.Owner, "list")); err != nil {
		t.Fatal(err)
	}
	changed := a.Data.([]commands.ListedChange)[0].Time.In(o.set.Zone()).Format("15:04")
	if got := markdown.Plain(a.Text); !strings.Contains(got, changed) {
		t.Errorf("the list of changes says %q, and the zone was set at %s in Tokyo", got, changed)
	}
}
