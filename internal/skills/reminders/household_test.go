package reminders_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
)

// notes are the notes that the skill has put into a chat.
func (w *world) notes(chat event.Chat) (texts []string) {
	for _, n := range w.told {
		if n.chat == chat {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

// Who says done second reads who was first, in the language of their chat, and there is nothing to take back.
func TestChange_DoneTwice(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{
		"en": "Ben has done it already: bins", "de": "Schon erledigt, von Ben: bins",
		"ru": "Уже готово, отмечает Ben: bins", "zh": "Ben已经完成了: bins",
	} {
		for _, words := range []string{"at 15:00 bins", "every day at 15:00 bins"} {
			w := newWorld(t)
			w.langs = map[event.Chat]string{group: lang}
			id := w.remind(person("7", group), words)
			w.now = w.at(15, 0)
			w.tell(id, w.get(id).Due.AddDate(0, 0, 1))
			w.must(person("8", group), "reminder", args{"id": id, "change": "done"})
			kept := w.get(id)
			for _, change := range []string{"done", "in 10 minutes", "tomorrow"} { // pressed at the same moment
				res := w.must(person("7", group), "reminder", args{"id": id, "change": change})
				if res.Text != want || len(res.Effects)+len(res.Choices) > 0 {
					t.Errorf("%s, %s: %q with %+v, %+v, want %q", words, change, res.Text, res.Effects, res.Choices, want)
				}
			}
			if diff := cmp.Diff(kept, w.get(id)); diff != "" {
				t.Errorf("%s: it has changed\n%s", words, diff)
			}
			w.now = w.now.Add(2 * time.Minute) // who has read it
			w.must(person("7", group), "reminder", args{"id": id, "change": "in 10 minutes"})
			if got := w.get(id); !got.Due.Equal(w.at(15, 12)) {
				t.Errorf("%s: it comes at %v", words, got.Due)
			}
		}
	}
}

// Who cancels a reminder of two people reads that in their own language, and so does the other one.
func TestChange_CancelOfTwo(t *testing.T) {
	t.Parallel()
	const told = "⏰ #1 Sat 28 Nov 2026, 10:00 for Ben: bring the drill"
	w := newWorld(t)
	w.langs = map[event.Chat]string{bens: "ru", home: "en"}
	id := askBen(w)
	w.must(ben(), "reminder", args{"id": id, "change": "agree"})
	w.told = nil
	w.says(ben(), "Отменено: bring the drill", "reminder", args{"id": id, "change": "cancel"})
	want := []note{{home, event.Noted{ID: w.told[0].ID, Text: "Ben has cancelled this reminder: " + told}}}
	if diff := cmp.Diff(want, w.told, cmp.AllowUnexported(note{})); diff != "" {
		t.Errorf("Ana reads (-want +got):\n%s", diff)
	}

	w.must(ben(), "reminder", args{"id": id, "change": "restore"})
	w.told = nil
	w.says(ana(), "Cancelled: bring the drill", "reminder", args{"id": id, "change": "cancel"})
	if diff := cmp.Diff([]string{"Ana Alt отменяет это напоминание: ⏰ #1 сб 28 ноября 2026, 10:00 для Ben: bring the drill"}, w.notes(bens)); diff != "" {
		t.Errorf("Ben reads (-want +got):\n%s", diff)
	}

	w.must(ana(), "reminder", args{"id": id, "change": "restore"})
	w.told = nil
	w.says(ana(), "1 cancelled", "reminder", args{"change": "cancel all"})
	if n := len(w.notes(bens)); n != 1 {
		t.Errorf("Ben reads %d notes of all that Ana cancels", n)
	}
}

// Who brings a cancelled reminder back is heard by the other one, as who cancels it is.
func TestChange_RestoreOfTwo(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{
		"en": "Ben has brought this reminder back: ⏰ #1 Sat 28 Nov 2026, 10:00 for Ben: bring the drill",
		"de": "Ben hat diese Erinnerung zurückgeholt: ⏰ #1 Sa. 28. November 2026, 10:00 für Ben: bring the drill",
	} {
		w := newWorld(t)
		w.langs = map[event.Chat]string{home: lang}
		id := askBen(w)
		w.must(ben(), "reminder", args{"id": id, "change": "agree"})
		w.must(ben(), "reminder", args{"id": id, "change": "cancel"})
		w.told = nil
		w.must(ben(), "reminder", args{"id": id, "change": "restore"})
		if diff := cmp.Diff([]string{want}, w.notes(home)); diff != "" || len(w.told) != 1 {
			t.Errorf("Ana reads (-want +got), of %d notes:\n%s", len(w.told), diff)
		}
	}
}

// An owner who cancels what another has asked for does not do so behind their back. Their own needs no note.
func TestChange_OwnerCancels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.remind(ben(), "tomorrow at 15:00 dentist")
	w.must(ana(), "reminder", args{"id": id, "change": "cancel"})
	if diff := cmp.Diff([]string{"Ana Alt has cancelled this reminder: ⏰ #1 Thu 26 Nov 2026, 15:00: dentist"}, w.notes(bens)); diff != "" {
		t.Errorf("Ben reads (-want +got):\n%s", diff)
	}
	w.told = nil
	w.must(ben(), "reminder", args{"id": w.remind(ben(), "tomorrow at 15:00 tea"), "change": "cancel"})
	if len(w.told) > 0 {
		t.Errorf("somebody is told: %+v", w.told)
	}
}

// Whose reminder another moves reads that. Who puts off what somebody else has asked for tells nobody.
func TestChange_Moved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.remind(ben(), "tomorrow at 15:00 dentist")
	w.must(ana(), "reminder", args{"id": id, "change": "tomorrow at 16:00"})
	if diff := cmp.Diff([]string{"Ana Alt has moved this reminder: ⏰ #1 Thu 26 Nov 2026, 16:00: dentist"}, w.notes(bens)); diff != "" {
		t.Errorf("Ben reads (-want +got):\n%s", diff)
	}
	w.told = nil
	w.must(ana(), "reminder", args{"id": id, "zone": "Europe/London"})
	if got := w.notes(bens); len(got) != 1 || !strings.HasPrefix(got[0], "Ana Alt has moved this reminder: ⏰ #1 ") {
		t.Errorf("of other clocks Ben reads %q", got)
	}
	w.told = nil
	w.must(ben(), "reminder", args{"id": id, "change": "tomorrow at 17:00"})
	id = askBen(w)
	w.must(ben(), "reminder", args{"id": id, "change": "agree"})
	w.told = nil
	w.must(ben(), "reminder", args{"id": id, "change": "+1h"})
	if len(w.told) > 0 {
		t.Errorf("somebody is told: %+v", w.told)
	}
}

// A yes that comes after its time, when the scheduler has passed it by, has it told late.
func TestConsent_YesAfterItsTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := askBen(w)
	if _, err := w.store.Change(t.Context(), id, func(r *event.Reminder) error { r.Due = time.Time{}; return nil }); err != nil {
		t.Fatal(err)
	}
	w.must(ben(), "reminder", args{"id": id, "change": "agree"})
	w.is(id, event.ReminderOpen, "2026-11-28 10:00")
}

// "Done" and "later" are about the one reminder that has rung in the chat. Of several hob asks which, with a button for each.
func TestChange_WhichHasRung(t *testing.T) {
	t.Parallel()
	for lang, which := range map[string]string{"en": "Which one?", "de": "Welche?", "ru": "Какое из них?", "zh": "哪一个？"} {
		for _, in := range []args{{"change": "done"}, {"change": "in 10 minutes", "only": "rung"}} {
			w := newWorld(t)
			w.langs = map[event.Chat]string{home: lang}
			for _, words := range []string{"at 15:00 bins", "at 15:00 dog"} {
				id := w.remind(ana(), words)
				w.now = w.at(15, 0)
				w.tell(id, time.Time{})
				w.now = w.at(14, 50)
			}
			w.now = w.at(15, 10)
			res := w.must(ana(), "reminder", in)
			want := which + "\n- #1 bins\n- #2 dog"
			change, _ := in["change"].(string)
			choices := []event.Choice{{Label: "bins #1", Text: "/reminder 1 " + change, Trusted: true}, {Label: "dog #2", Text: "/reminder 2 " + change, Beside: true, Trusted: true}}
			if diff := cmp.Diff(choices, res.Choices); res.Text != want || diff != "" || len(res.Effects) > 0 {
				t.Errorf("%q, %+v, want %q\n%s", res.Text, res.Effects, want, diff)
			}
			w.must(ana(), "reminder", args{"id": 1, "change": "done"})
			if res := w.must(ana(), "reminder", in); len(res.Effects) != 1 || res.Effects[0].Target != "2" {
				t.Errorf("%v: the only one is %+v", in, res.Effects)
			}
		}
	}
}

// A list has whose a reminder is that is not the reader's own: of a person, or of a group. In the group itself it is the group's.
func TestList_OfAGroup(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{
		"en": "- ⏰ #1 Wed 25 Nov 2026, 15:00 for the group: bins", "de": "- ⏰ #1 Mi. 25. November 2026, 15:00 für die Gruppe: bins",
		"ru": "- ⏰ #1 ср 25 ноября 2026, 15:00 для группы: bins",
	} {
		w := newWorld(t)
		w.remind(person("7", group), "at 15:00 bins")
		if got := w.must(person("7", home), "reminders", args{"lang": lang}).Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := w.must(person("7", group), "reminders", args{"lang": lang}).Text; got != strings.Replace(want, want[strings.Index(want, "15:00")+5:], ": bins", 1) {
			t.Errorf("%q in the group", got)
		}
	}
}
