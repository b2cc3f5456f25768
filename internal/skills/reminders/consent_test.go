package reminders_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
)

// askBen has Ana ask for a reminder of Ben, who is asked first.
func askBen(w *world) int64 {
	w.t.Helper()
	return w.remindBen("bring the drill")
}

func (w *world) remindBen(text string) int64 {
	w.t.Helper()
	res := w.must(ana(), "remind", args{"text": text, "at": "Saturday at 10:00", "for": "Ben"})
	return w.idOf(res)
}

// A person is asked once per who asks. They see who it is, and for what.
func TestConsent_Yes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.says(ana(), "⏰ #1 Sat 28 Nov 2026, 10:00 for Ben: bring the drill\nI ask Ben first.", "remind",
		args{"text": "bring the drill", "at": "Saturday at 10:00", "for": "ben"})
	asked := []note{{bens, event.Noted{
		ID: "consent/1", Text: "Ana Alt wants me to remind you: Sat 28 Nov 2026, 10:00: bring the drill\nMay they?", Loud: true,
		Choices: []event.Choice{
			{Label: "Yes", Text: "/reminder 1 agree", Trusted: true}, {Label: "No", Text: "/reminder 1 refuse", Beside: true, Trusted: true},
			{Label: "Never ask again", Text: "/reminder 1 mute", Beside: true, Trusted: true},
		},
	}}}
	if diff := cmp.Diff(asked, w.told, cmp.AllowUnexported(note{})); diff != "" {
		t.Errorf("Ben is asked (-want +got):\n%s", diff)
	}
	w.says(ana(), "- ⏰ #1 Sat 28 Nov 2026, 10:00 for Ben: bring the drill (waits for a yes)", "reminders", nil)
	w.is(1, event.ReminderWaiting, "2026-11-28 10:00")

	for _, answer := range []string{"agree", "refuse", "mute"} { // only Ben answers
		w.fails(ana(), "only Ben can answer that", "reminder", args{"id": 1, "change": answer})
	}
	w.says(ben(), "Good, I keep that for Ana Alt.", "reminder", args{"id": 1, "change": "agree"})
	w.is(1, event.ReminderOpen, "2026-11-28 10:00")
	if last := w.told[len(w.told)-1]; last.chat != home || !strings.HasPrefix(last.Text, "Ben agrees. ⏰ #1 ") {
		t.Errorf("Ana reads %+v", last)
	}
	n := len(w.told)
	w.is(w.remindBen("bring the saw"), event.ReminderOpen, "2026-11-28 10:00")
	if len(w.told) != n {
		t.Errorf("Ben is asked again: %+v", w.told[n:])
	}
	w.says(ben(), "- ⏰ #1 Sat 28 Nov 2026, 10:00 for Ben: bring the drill\n- ⏰ #2 Sat 28 Nov 2026, 10:00 for Ben: bring the saw", "reminders", nil)
	w.says(ben(), "Cancelled: bring the saw", "reminder", args{"id": 2, "change": "cancel"})
}

// Each reads in the language of their own chat: who is asked, and who lists what another has made.
func TestConsent_InTheLanguageOfWhoIsAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.langs = map[event.Chat]string{bens: "ru"}
	w.must(ana(), "remind", args{"text": "Bohrer", "at": "Samstag um 10:00", "lang": "de", "for": "Ben"})
	asked := w.told[0].Noted
	if want := "Ana Alt просит напомнить вам: сб 28 ноября 2026, 10:00: Bohrer\nМожно?"; asked.Text != want || asked.Choices[0].Label != "Да" {
		t.Errorf("Ben is asked %q, want %q, with %+v", asked.Text, want, asked.Choices)
	}
	w.says(ben(), "Хорошо, так и будет: Ana Alt.", "reminder", args{"id": 1, "change": "agree"})
	w.says(ben(), "- ⏰ #1 сб 28 ноября 2026, 10:00 для Ben: Bohrer", "reminders", nil)
	w.says(ana(), "- ⏰ #1 Sa. 28. November 2026, 10:00 für Ben: Bohrer", "reminders", nil)
}

// A no holds for all reminders of who asks, now and later. One who mutes is not named.
func TestConsent_No(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"refuse", "mute"} {
		w := newWorld(t)
		id := askBen(w)
		other := w.remindBen("bring the saw")
		n := len(w.told)
		w.says(ben(), "Good, I keep that for Ana Alt.", "reminder", args{"id": id, "change": answer})
		w.is(id, event.ReminderRefused, "2026-11-28 10:00")
		w.is(other, event.ReminderRefused, "2026-11-28 10:00")
		if told := len(w.told) - n; told != map[string]int{"refuse": 1, "mute": 0}[answer] {
			t.Errorf("%s: Ana reads %+v", answer, w.told[n:])
		}
		w.fails(ana(), "Ben does not want to be reminded by you", "remind", args{"text": "x", "at": "Saturday at 10:00", "for": "Ben"})
		if len(w.told) > n+1 {
			t.Errorf("%s: Ben is asked again", answer)
		}
	}
}

// No change makes a reminder be told to somebody who has not agreed.
func TestConsent_NoWayRound(t *testing.T) {
	t.Parallel()
	for _, change := range []string{"restore", "tomorrow at 9:00", "+1h", "done"} {
		for _, first := range []string{"", "cancel", "done"} {
			for _, answer := range []string{"", "refuse"} {
				w := newWorld(t)
				id := askBen(w)
				if answer != "" {
					w.must(ben(), "reminder", args{"id": id, "change": answer})
				}
				for _, step := range []string{first, change} {
					_, _ = w.call(ana(), "reminder", args{"id": id, "change": step}) // some are refused
				}
				if r := w.get(id); r.State == event.ReminderOpen {
					t.Errorf("answered %q, then %q and %q: Ben is told", answer, first, change)
				}
			}
		}
	}
	w := newWorld(t)
	id := askBen(w)
	w.must(ana(), "reminder", args{"id": id, "change": "cancel"})
	w.must(ana(), "reminder", args{"id": id, "change": "restore"})
	w.is(id, event.ReminderWaiting, "2026-11-28 10:00")
	w.must(ben(), "reminder", args{"id": id, "change": "agree"})
	w.is(id, event.ReminderOpen, "2026-11-28 10:00")
}

// Ten reminders for others may be open at once.
func TestConsent_AtMostTen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(ben(), "reminder", args{"id": askBen(w), "change": "agree"})
	for range 9 {
		w.remindBen("bring the saw")
	}
	w.fails(ana(), "you have 10 reminders for others open, and that is the most", "remind", args{"text": "x", "at": "Saturday at 10:00", "for": "Ben"})
	w.must(ana(), "reminder", args{"id": 3, "change": "cancel"})
	w.remindBen("bring the saw")
	if id := w.idOf(w.must(ben(), "remind", args{"text": "call", "at": "Saturday at 10:00", "for": "Ana"})); id == 0 {
		t.Error("Ben may remind nobody")
	}
}

// Who asked takes it back by words alone, though it is told elsewhere. "Done" is not theirs to say.
func TestConsent_WhoAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := askBen(w)
	w.must(ben(), "reminder", args{"id": id, "change": "agree"})
	w.tell(id, w.get(id).Due)
	w.fails(ana(), "it is not clear which reminder", "reminder", args{"change": "done"})
	w.says(ana(), "Cancelled: bring the drill", "reminder", args{"change": "cancel"})
}

// Who reminds themselves by name asks nobody, and in a group everybody reads it.
func TestConsent_NotAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.says(ana(), "⏰ #1 Sat 28 Nov 2026, 10:00: the drill", "remind", args{"text": "the drill", "at": "Saturday at 10:00", "for": "Ana"})
	w.says(person("7", group), "⏰ #2 Sat 28 Nov 2026, 10:00 for Ben: the drill", "remind", args{"text": "the drill", "at": "Saturday at 10:00", "for": "@Ben"})
	if len(w.told) > 0 {
		t.Errorf("somebody is asked: %+v", w.told)
	}
	w.fails(person("8", group), "only Ben can answer that", "reminder", args{"id": 2, "change": "agree"})
}

// A question in which a stranger's words stand keeps their label.
func TestConsent_Label(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	reader := ana()
	reader.Label = event.Label{Untrusted: true, Source: "web:example.org"}
	w.must(reader, "remind", args{"text": "buy gift cards", "at": "Saturday at 10:00", "for": "Ben"})
	w.must(ben(), "reminder", args{"id": 1, "change": "agree"})
	for _, n := range w.told {
		if !n.Label.Untrusted || !strings.Contains(n.Text, "a stranger's words, from web:example.org") {
			t.Errorf("%s reads %q with the label %+v", n.chat, n.Text, n.Label)
		}
	}
}

// Who answers what was taken back meanwhile reads that.
func TestConsent_TakenBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for lang, want := range map[string]string{
		"": "That was taken back: there is nothing to answer any more.", "de": "Das wurde zurückgenommen: es gibt nichts mehr zu beantworten.",
	} {
		w.langs = map[event.Chat]string{bens: lang}
		for _, answer := range []string{"agree", "refuse", "mute"} {
			w.says(ben(), want, "reminder", args{"id": 9, "change": answer})
		}
	}
	w.fails(ben(), "there is no reminder 9", "reminder", args{"id": 9, "change": "done"})
}
