package schedule

import (
	"cmp"
	"context"
	"slices"
	"time"

	"hob/internal/event"
)

// tellDue tells what is due now, and returns how many notes it has written.
func (s *Scheduler) tellDue(ctx context.Context) (written int, err error) {
	now := s.cfg.Now().Round(0) // of the clock on the wall: the other one stands still while the machine sleeps
	all, err := s.cfg.Store.Due(ctx, now, most)
	if err != nil {
		return 0, err
	}
	slices.SortStableFunc(all, func(a, b event.Reminder) int { return a.Due.Compare(b.Due) }) // some were held
	var due []reminded
	for _, r := range all {
		n := s.inLanguageOf(ctx, r.Chat, s.prepare(r, now))
		switch end := s.quietUntil(n, now); {
		case n.skipped && r.State == event.ReminderOpen:
			err = s.skip(ctx, r, now)
		case !end.IsZero():
			err = s.hold(ctx, r, end)
		case r.State == event.ReminderWaiting:
			err = s.passBy(ctx, n, now)
		default:
			due = append(due, n)
		}
		if err != nil {
			return 0, err
		}
	}
	notes, held := s.group(due, now)
	for _, h := range held {
		if err := s.hold(ctx, h.Reminder, h.until); err != nil {
			return written, err
		}
	}
	for _, some := range notes {
		ok, err := s.tell(ctx, some, now)
		if err != nil {
			return written, err
		}
		if ok {
			written++
		}
	}
	return written, nil
}

// inLanguageOf returns a reminder with the language of the chat in which it is told.
func (s *Scheduler) inLanguageOf(ctx context.Context, chat event.Chat, n reminded) reminded {
	if s.cfg.Language != nil {
		n.Lang = cmp.Or(s.cfg.Language(ctx, chat), n.Lang)
	}
	return n
}

// prepare returns what is said of a reminder that is due.
func (s *Scheduler) prepare(r event.Reminder, now time.Time) reminded {
	n := reminded{Reminder: r, due: r.Due, again: r.When.UntilDone && r.Unseen%maxAgain > 0}
	n.late = now.Sub(r.Due) > onTime
	if n.again || r.Digest != "" || r.When.AfterDone > 0 || !r.Due.Equal(r.Planned) { // no time of its rule alone
		return n
	}
	switch {
	case r.When.Missed == event.MissedSkip:
		n.skipped = n.late && r.Held.IsZero() // hob did not run
	case r.When.Missed == event.MissedOnce && repeats(r.When):
		last, missed, err := newest(r.When, r.Planned, now, s.cfg.Place)
		if err != nil {
			s.cfg.Log.Error("the rule of a reminder cannot be followed", "reminder", r.ID, "err", err)
		}
		if missed > 0 {
			n.due = last
			if n.late {
				n.missed = missed
			}
			n.late = now.Sub(last) > onTime
		}
	}
	return n
}

// repeats reports whether a rule has times that follow its first by themselves.
func repeats(w event.When) bool { return w.AfterDone == 0 && w.Repeats() }

// quietUntil returns when the quiet hours end in which nobody is told of a reminder, the zero time where it may be told now. They are
// those of the clocks that it was asked for by. Who asked for it themselves, or moved it since it was last told, wants it then.
func (s *Scheduler) quietUntil(n reminded, now time.Time) time.Time {
	snoozed := n.Sent > 0 && n.Changed.After(n.Last) && !n.Due.Equal(n.Planned)
	if (n.For != (event.Party{}) || n.again) && !snoozed && n.Digest == "" { // else it was to be told before a crash
		return s.cfg.Quiet.End(local(now, n.When.Zone))
	}
	return time.Time{}
}

// heldBack is a reminder that is too much for its chat now.
type heldBack struct {
	event.Reminder
	until time.Time
}

// group splits what is due into notes: one for each reminder, in their order, one for all that are too many for their chat, and those
// of before a crash. Where a chat has no note left, its reminders are held until it has one.
func (s *Scheduler) group(due []reminded, now time.Time) (notes [][]reminded, held []heldBack) {
	for chat, times := range s.sent { // a clock that was put back makes none of them young again
		s.sent[chat] = slices.DeleteFunc(times, func(t time.Time) bool { return now.Sub(t) >= time.Hour || t.After(now) })
		if len(s.sent[chat]) == 0 {
			delete(s.sent, chat)
		}
	}
	waiting := map[event.Chat]int{} // how many want a note of their chat
	for _, n := range due {
		if n.limited() {
			waiting[n.Chat]++
		}
	}
	digests := map[string]int{} // the index in notes
	used := map[event.Chat]int{}
	for _, n := range due {
		key := n.Digest
		if n.limited() && s.cfg.PerHour > 0 {
			i, begun := digests[string(n.Chat)]
			switch free := s.cfg.PerHour - len(s.sent[n.Chat]) - used[n.Chat]; {
			case begun && len(notes[i]) < maxDigest, !begun && free == 1 && waiting[n.Chat] > 1:
				key = string(n.Chat)
			case begun || free <= 0:
				held = append(held, heldBack{n.Reminder, s.freeAt(n.Chat, used[n.Chat], now)})
				continue
			}
			waiting[n.Chat]--
		}
		if i, begun := digests[key]; begun {
			notes[i] = append(notes[i], n)
			continue
		}
		if key != "" {
			digests[key] = len(notes)
		}
		if n.limited() {
			used[n.Chat]++
		}
		notes = append(notes, []reminded{n})
	}
	return notes, held
}

// limited reports whether a reminder waits where its chat has had many. A timer does not, nor do those of a note from before a crash.
func (n reminded) limited() bool { return !n.Timer && n.Digest == "" }

// freeAt is when a chat may have its next note, where some are used up now.
func (s *Scheduler) freeAt(chat event.Chat, used int, now time.Time) time.Time {
	times := slices.Clone(s.sent[chat])
	for range used {
		times = append(times, now)
	}
	return times[max(0, len(times)-s.cfg.PerHour)].Add(time.Hour)
}

// tell writes a note of reminders of a chat, unless somebody has changed them since they were read, and reports whether it did.
func (s *Scheduler) tell(ctx context.Context, all []reminded, now time.Time) (written bool, err error) {
	note := event.Noted{}
	if len(all) > 1 || all[0].Digest != "" {
		if all, err = s.gather(ctx, all); err == nil && len(all) > 0 {
			note = digestNote(all)
		}
	} else if all[0], err = s.fresh(ctx, all[0]); all[0].ID != 0 {
		note = all[0].note()
	}
	if err != nil || note.ID == "" {
		return false, err
	}
	chat := all[0].Chat
	seq, err := s.cfg.Tell(ctx, chat, note)
	if ctx.Err() != nil {
		return false, err
	}
	if err != nil {
		s.cfg.Log.Error("a reminder cannot be told", "reminder", all[0].ID, "chat", chat, "err", err)
		for _, n := range all {
			if err := s.hold(ctx, n.Reminder, now.Add(later)); err != nil {
				return false, err
			}
		}
		return false, nil
	}
	s.sent[chat] = append(s.sent[chat], now)
	for _, n := range all {
		if ok, err := s.reportUndone(ctx, n, now); err != nil || !ok {
			return true, err
		}
		if err := s.advance(ctx, n, seq, now); err != nil {
			return true, err
		}
	}
	return true, nil
}

// unchanged reports whether nobody has moved or ended a reminder since it was read.
func unchanged(cur, read event.Reminder) bool {
	return cur.Due.Equal(read.Due) && cur.State == read.State && cur.Sent == read.Sent
}

// fresh reads a reminder again, with the words that it has now. Its ID is 0 where somebody has moved or ended it.
func (s *Scheduler) fresh(ctx context.Context, n reminded) (reminded, error) {
	cur, known, err := s.cfg.Store.Get(ctx, n.ID)
	if err != nil || !known || !unchanged(cur, n.Reminder) {
		return reminded{}, err
	}
	n.Reminder = cur
	return s.inLanguageOf(ctx, n.Chat, n), nil
}

// gather gives reminders the ID of the note that tells them, and returns those that nobody has changed since. From here on a crash
// makes the same note of them.
func (s *Scheduler) gather(ctx context.Context, all []reminded) (kept []reminded, err error) {
	id := all[0].Digest
	if id == "" {
		id = "digest/" + all[0].key()
	}
	for _, n := range all {
		if n.Digest == "" {
			n.Reminder, err = s.cfg.Store.Change(ctx, n.ID, func(cur *event.Reminder) error {
				if !unchanged(*cur, n.Reminder) {
					return nil
				}
				if cur.Digest = id; !n.due.Equal(n.Due) { // the newest stands for all that were missed
					cur.Due, cur.Planned = n.due, n.due
				}
				return nil
			})
		} else {
			n, err = s.fresh(ctx, n)
		}
		if err != nil {
			return nil, err
		}
		if n.Digest == id {
			kept = append(kept, n)
		}
	}
	return kept, nil
}

// hold keeps a reminder from being told before a time, unless somebody has changed it meanwhile.
func (s *Scheduler) hold(ctx context.Context, r event.Reminder, until time.Time) error {
	_, err := s.cfg.Store.Change(ctx, r.ID, func(cur *event.Reminder) error {
		if unchanged(*cur, r) {
			cur.Held = until
		}
		return nil
	})
	return err
}

// skip moves a reminder that was missed, and is not told then, to its next time.
func (s *Scheduler) skip(ctx context.Context, r event.Reminder, now time.Time) error {
	next := s.nextAfter(r, now)
	_, err := s.cfg.Store.Change(ctx, r.ID, func(cur *event.Reminder) error {
		if unchanged(*cur, r) {
			if cur.Due, cur.Planned = next, next; next.IsZero() && cur.Unseen == 0 {
				cur.State = event.ReminderMissed
			}
		}
		return nil
	})
	return err
}

// advance notes that a reminder was told, and sets its next time. Changes that a person has made meanwhile stay.
func (s *Scheduler) advance(ctx context.Context, n reminded, seq int64, now time.Time) error {
	r := n.Reminder
	next, planned := time.Time{}, time.Time{}
	switch {
	case r.When.UntilDone && (r.Unseen+1)%maxAgain > 0:
		next, planned = now.Add(again), r.Planned
	case !repeats(r.When):
	case r.When.Missed == event.MissedAll && r.Planned.Before(r.Due):
		next = s.nextAfter(r, r.Planned)
		planned = next
	default: // Planned, where one that was told before it had been moved; those that passed while it was put off have come with it
		next = s.nextAfter(r, n.due)
		planned = next
	}
	_, err := s.cfg.Store.Change(ctx, r.ID, func(cur *event.Reminder) error {
		if unchanged(*cur, r) {
			cur.Unseen++
			cur.Due, cur.Planned, cur.Held = next, planned, time.Time{}
		}
		cur.Sent++
		cur.Last, cur.Seq, cur.Digest = now, seq, ""
		return nil
	})
	return err
}

// nextAfter returns the first time of a rule after a time, the zero time where there is none.
func (s *Scheduler) nextAfter(r event.Reminder, after time.Time) time.Time {
	if !repeats(r.When) {
		return time.Time{}
	}
	next, err := Next(r.When, after, s.cfg.Place)
	if err != nil {
		s.cfg.Log.Error("a reminder has no next time", "reminder", r.ID, "err", err)
	}
	return next
}

// Answered returns a reminder that somebody says is done. A repeated one goes on at its next time. Where it was not told since it was
// last done, the words mean the time to come if that is nearer than the last one; otherwise they only say the same again.
func Answered(r event.Reminder, now time.Time, at Place) (event.Reminder, error) {
	fresh := r.Unseen > 0
	early := !fresh && (r.Sent == 0 || r.Planned.Sub(now) < now.Sub(r.Last))
	if repeats(r.When) && !fresh && !early {
		return r, nil
	}
	r.Unseen, r.Seen, r.Held, r.Digest = 0, now, time.Time{}, ""
	switch {
	case r.When.AfterDone > 0:
		r.Due = now.Add(r.When.AfterDone)
		r.Planned = r.Due
	case !repeats(r.When):
		r.State, r.Due, r.Planned = event.ReminderDone, time.Time{}, time.Time{}
	default:
		after := now
		if early && r.Planned.After(now) {
			after = r.Planned
		}
		next, err := Next(r.When, after, at)
		if err != nil {
			return r, err
		}
		if r.Due, r.Planned = next, next; next.IsZero() {
			r.State = event.ReminderDone
		}
	}
	return r, nil
}
