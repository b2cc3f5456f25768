package main

import (
	"context"
	"strings"
	"testing"
)

// A household reads on Telegram in its own language what hob says around its chores: the receipt, the question with its buttons and
// what came of it, why a call fails, and the answers of the commands.
func TestServe_InTheLanguageOfTheHouse(t *testing.T) {
	for _, c := range []struct {
		lang                            string
		note, noted                     string
		timers                          [2]string
		cancel, asks, why, yes, no      string
		toast, allowed, refused, denied string
		undo, undone                    string
		missing, status, help, unknown  string
	}{
		{
			lang: "de", note: "notiere Milch kaufen", noted: "Notiert: Milch kaufen\n\nnotes/general.md geschrieben (37 B) #2",
			timers: [2]string{"Timer 10 Minuten Nudeln", "Timer 5 Minuten Tee"}, cancel: "brich alle Timer ab",
			asks: "reminder möchte das tun:", why: "(Grund: die Worte können etwas anderes bedeuten", yes: "Ja", no: "Nein",
			toast: "Einmal erlaubt.", allowed: "Erlaubt von 100.", refused: "Abgelehnt von 100.", denied: "abgelehnt (Regel unsure)",
			undo: "/undo #2", undone: "Zurückgenommen\n• notes/general.md ist weg: angelegt um ",
			missing: "Es gibt keine Datei nope.txt.", status: "Modell: fake:1b, bereit", help: "• /undo [n | #N | list]: die letzte Änderung hier zurücknehmen",
			unknown: "Es gibt keinen Befehl /blurb: /help zeigt alle.",
		},
		{
			lang: "ru", note: "запиши купить молоко", noted: "\n\nзаписано: notes/general.md (",
			timers: [2]string{"таймер на 10 минут паста", "таймер на 5 минут чай"}, cancel: "отмени все таймеры",
			asks: "reminder просит разрешения:", why: "(причина: слова можно понять иначе", yes: "Да", no: "Нет",
			toast: "Разрешено один раз.", allowed: "Разрешено: 100.", refused: "Не разрешено: 100.", denied: "не разрешено (правило unsure)",
			undo: "/undo #2", undone: "Отменено\n• ", missing: "nope.txt", status: "Модель: fake:1b, готова", help: "• /undo [n | #N | list]: отменить последнее изменение",
			unknown: "Команды /blurb нет: /help покажет все.",
		},
	} {
		t.Run(c.lang, func(t *testing.T) {
			t.Parallel()
			h := newTownhouse(t, newFakeOllama(t).URL, 1)
			s, chat, ana := h.serve(), h.chats[0], h.people[0]
			says := func(words, want string) {
				t.Helper()
				h.ask(0, words)
				h.shows(0, want)
			}
			awaits := func(what string, holds func() bool) {
				t.Helper()
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				if err := h.bot.Wait(ctx, holds); err != nil {
					t.Fatalf("no %q; the toast is %q: %v", what, chat.Toast(ana), err)
				}
			}
			count := func(words string) (n int) {
				for _, m := range chat.FromBot() {
					n += strings.Count(m.Text, words)
				}
				return n
			}
			says(c.note, c.noted)
			for _, timer := range c.timers {
				h.ask(0, timer)
			}
			says(c.cancel, c.asks)
			h.shows(0, c.why)
			chat.PressLabel(ana, c.no)
			awaits(c.refused, func() bool { return count(c.refused) == 1 })
			h.shows(0, c.denied)
			says(c.cancel, c.asks)
			chat.PressLabel(ana, c.yes)
			awaits(c.allowed, func() bool { return count(c.allowed) == 1 && chat.Toast(ana) == c.toast })
			says(c.undo, c.undone)
			says("/read_file nope.txt", c.missing)
			says("/status", c.status)
			says("/help", c.help)
			says("/blurb", c.unknown)
			s.stop()
		})
	}
}
