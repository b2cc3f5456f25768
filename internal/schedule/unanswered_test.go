package schedule_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"hob/internal/event"
	"hob/internal/schedule"
)

const anns, bens event.Chat = "telegram/1", "telegram/2"

// forBen is a reminder that Ann has asked for in her chat, and that Ben is told in his.
func forBen(r event.Reminder) event.Reminder {
	r.Chat, r.For, r.AskedIn = bens, ben, anns
	return r
}

// Who asked for a reminder hears once that its time has come without an answer, and that is all: the person is not reminded of it.
func TestScheduler_NobodySaysYes(t *testing.T) {
	for lang, want := range map[string]string{
		"":   "Ben has not answered yet whether I may. Not reminded of: drill",
		"de": "Ben hat noch nicht gesagt, ob ich erinnern darf. Nicht erinnert: drill",
		"ru": "Ben ещё не отвечает, можно ли напоминать. Напоминания не было: drill",
		"zh": "Ben还没有回答是否可以提醒，所以没有提醒：drill",
	} {
		for _, repeat := range []string{"", "FREQ=DAILY"} {
			inHouse(t, nil, func(h *house) {
				id := h.add(forBen(event.Reminder{State: event.ReminderWaiting, When: at("2T08:00", repeat), Text: "drill", Lang: lang}))
				h.until("5 12:00")
				h.wantTold("2 08:00:00 " + want)
				if got := h.told(bens); len(got) > 0 {
					t.Errorf("Ben is told %q", got)
				}
				if r := h.get(id); r.State != event.ReminderWaiting || r.Sent > 0 || r.Due.IsZero() != (repeat == "") {
					t.Errorf("%q: %+v", repeat, r)
				}
			})
		}
	}
}

// A reminder is told in the language of the chat in which it is told, whoever asked for it in another. What is reported of it has that of who asked.
func TestScheduler_LanguageOfTheChat(t *testing.T) {
	inHouse(t, func(h *house) {
		h.cfg.Language = func(_ context.Context, chat event.Chat) string {
			return map[event.Chat]string{bens: "de", "telegram/1": "ru"}[chat]
		}
	}, func(h *house) {
		h.add(forBen(event.Reminder{When: at("2T08:00", ""), Text: "drill", Lang: "en"}))
		h.add(forBen(event.Reminder{State: event.ReminderWaiting, When: at("2T08:00", ""), Text: "bins", Lang: "en"}))
		h.until("2 12:00")
		h.wantTold("2 08:00:00 Ben ещё не отвечает, можно ли напоминать. Напоминания не было: bins")
		if got, want := h.told(bens), []string{"2 08:00:00 drill (von Ann)"}; !slices.Equal(got, want) {
			t.Errorf("Ben is told %q, want %q", got, want)
		}
	})
}

// A restart says it no second time, and a note that fails is said later. Quiet hours hold it back, as the reminder itself.
func TestScheduler_NobodySaysYesAtOnce(t *testing.T) {
	inHouse(t, func(h *house) {
		h.cfg.Quiet, _ = schedule.ParseQuiet("22:00-07:00")
	}, func(h *house) {
		h.failing = func(event.Noted) error { return errors.New("the disk is full") }
		h.add(forBen(event.Reminder{State: event.ReminderWaiting, When: at("2T08:00", ""), Text: "drill"}))
		h.add(forBen(event.Reminder{State: event.ReminderWaiting, When: at("3T06:00", ""), Text: "saw"}))
		h.until("08:00")
		h.wantTold()
		h.failing, h.crash = nil, "drill"
		h.until("08:01")
		h.stop()
		h.start()
		h.until("4 00:00")
		h.wantTold("2 08:01:00 Ben has not answered yet whether I may. Not reminded of: drill",
			"3 07:00:00 Ben has not answered yet whether I may. Not reminded of: saw")
	})
}

// Who asked for a reminder that is told until it is done hears that it was not, after the last time.
func TestScheduler_NobodySaysDone(t *testing.T) {
	inHouse(t, nil, func(h *house) {
		id := h.add(forBen(event.Reminder{When: with(at("2T08:00", "FREQ=DAILY"), untilDone), Text: "pills"}))
		h.until("2 09:00")
		h.wantTold()
		h.until("3 08:05")
		h.wantTold("2 09:30:00 Ben has not answered the reminder: pills. I said it 10 times.")
		h.done(id)
		h.until("4 00:00")
		h.wantTold("2 09:30:00 Ben has not answered the reminder: pills. I said it 10 times.")
		if n := len(h.told(bens)); n != 11 {
			t.Errorf("Ben is told %d times", n)
		}
	})
}

// What a group reads, and what somebody asked for themselves, is reported to nobody.
func TestScheduler_NobodySaysDoneOfTheirOwn(t *testing.T) {
	inHouse(t, nil, func(h *house) {
		h.add(event.Reminder{When: with(at("2T08:00", ""), untilDone), Text: "pills"})
		h.add(event.Reminder{Chat: "telegram/-5", For: event.Party{Name: "Ben"}, When: with(at("2T08:00", ""), untilDone), Text: "bins"})
		h.until("3 00:00")
		for chat, text := range map[event.Chat]string{anns: "pills", "telegram/-5": "Ben: bins (from Ann"} {
			if got := h.told(chat); len(got) != 10 || slices.ContainsFunc(got, func(s string) bool { return len(s) < len(text) }) {
				t.Errorf("%s is told %q", chat, got)
			}
		}
	})
}
