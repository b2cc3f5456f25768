package schedule

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"hob/internal/event"
)

// passBy handles a reminder whose time has come before the person whom it is for has agreed to be reminded. It notifies the person who
// asked for it, once. The reminder then waits for the answer alone; a repeated one waits for its next time, too.
func (s *Scheduler) passBy(ctx context.Context, n reminded, now time.Time) error {
	ok, err := s.report(ctx, n, event.Noted{ID: unansweredID(n.Reminder), Text: s.inLanguageOf(ctx, n.AskedIn, n).notAsked(), Label: n.Label}, now)
	if err != nil || !ok {
		return err
	}
	next := s.nextAfter(n.Reminder, now)
	_, err = s.cfg.Store.Change(ctx, n.ID, func(cur *event.Reminder) error {
		if unchanged(*cur, n.Reminder) {
			if cur.Due = next; !next.IsZero() {
				cur.Planned = next
			}
		}
		return nil
	})
	return err
}

// reportUndone says to who asked for a reminder of somebody else that it was told for the last time, and that they have not said that it
// is done. What all of a group read is reported to nobody.
func (s *Scheduler) reportUndone(ctx context.Context, n reminded, now time.Time) (bool, error) {
	if isLast := n.When.UntilDone && (n.Unseen+1)%maxAgain == 0; !isLast || !n.NeedsConsent() {
		return true, nil
	}
	return s.report(ctx, n, event.Noted{ID: unansweredID(n.Reminder) + "/" + strconv.Itoa(n.Sent+1), Text: s.inLanguageOf(ctx, n.AskedIn, n).notDone(), Label: n.Label}, now)
}

// report puts a note into the chat of who asked for a reminder, and reports whether it did. A reminder whose note fails is held.
func (s *Scheduler) report(ctx context.Context, n reminded, note event.Noted, now time.Time) (bool, error) {
	if n.AskedIn == "" {
		return true, nil
	}
	_, err := s.cfg.Tell(ctx, n.AskedIn, note)
	if err == nil || ctx.Err() != nil {
		return err == nil, err
	}
	s.cfg.Log.Error("who asked for a reminder cannot be told of it", "reminder", n.ID, "chat", n.AskedIn, "err", err)
	return false, s.hold(ctx, n.Reminder, now.Add(later))
}

func unansweredID(r event.Reminder) string { return fmt.Sprintf("unanswered/%d", r.ID) }

// notAsked and notDone are the notes to the person who asked for a reminder, where the person whom it is for does not answer.
func (n reminded) notAsked() string {
	return wordsOf(n.Lang).Text("not asked", n.For.Name, n.title())
}

func (n reminded) notDone() string {
	return wordsOf(n.Lang).Text("not done", n.For.Name, n.title(), strconv.Itoa(maxAgain))
}
