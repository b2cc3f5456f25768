// Package schedule tells people later what they have asked to be told: reminders and timers.
//
//	rule.go, sun.go  the times of a rule: RFC 5545 over the clocks of a place, sunrise and sunset
//	schedule.go      [Scheduler], which tells what is due
//	words.go         what people read
//
// # Invariants
//
//   - No model is asked: a reminder is told while Ollama is away.
//   - A reminder is told by a note in the journal of its chat, whose ID says which reminder it is, for the how-manieth time, and for
//     which of its times. The journal takes an ID once. So a crash between the note and the record of the reminder tells nothing
//     twice, one before the note loses nothing, and neither does a person who moves the reminder right after the crash. How the
//     note reaches a person is the surface's part: on Telegram it counts as delivered when it has the id of a message there.
//   - Reminders of one note are marked with its ID before it is written. A crash finds the same reminders for the same note.
//   - Due is the time that somebody asked for. What the scheduler puts off itself, it holds: Held moves, Due stays. So a note that
//     was held says when it was due.
//   - Times are kept as people mean them. See [event.When].
package schedule

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"time"

	"hob/internal/event"
	"hob/internal/lazyregexp"
	"hob/internal/recurrence"
)

const (
	// onTime is how much later than asked for a reminder still counts as on time.
	onTime = 2 * time.Minute
	// again is the time between two tellings of one that is told until somebody says that it is done, maxAgain how many there are.
	again    = 10 * time.Minute
	maxAgain = 10
	// check is how often the clock and the reminders are looked at: a machine that slept has a clock that jumped, and another process may
	// have added one.
	check = 30 * time.Second
	// most is how many reminders are read at once. A household has fewer: those of one note are always read together.
	most = 100_000
	// maxDigest is how many reminders a note tells.
	maxDigest = 200
	// later is how long one waits that could not be told.
	later = time.Minute
	// spare is the shortest wait between two looks where the first has told nothing.
	spare = time.Second
)

// Store keeps reminders. *store.Reminders is one.
type Store interface {
	Due(ctx context.Context, now time.Time, limit int) ([]event.Reminder, error)
	NextDue(ctx context.Context) (time.Time, error)
	Get(ctx context.Context, id int64) (r event.Reminder, known bool, err error)
	// Change keeps what change makes of a reminder. Held and Digest go when it changes Due or State without them.
	Change(ctx context.Context, id int64, change func(*event.Reminder) error) (event.Reminder, error)
}

// Config is what a [Scheduler] needs.
type Config struct {
	Store Store
	// Tell puts a note into a chat, durably when it returns, and returns its Seq. The same ID twice is one note.
	Tell    func(ctx context.Context, chat event.Chat, note event.Noted) (int64, error)
	Now     func() time.Time
	Place   Place
	Quiet   Quiet
	PerHour int // notes that a chat gets in an hour, but for timers: the last one names all that is due. 0: no limit
	// Written returns when notes were written into each chat since a time: a restart forgets none. nil: nobody knows.
	Written func(ctx context.Context, since time.Time) (map[event.Chat][]time.Time, error)
	Log     *slog.Logger
}

// Scheduler tells what is due. Run does, and Wake says that a reminder has changed.
type Scheduler struct {
	cfg  Config
	wake chan struct{}
	sent map[event.Chat][]time.Time // when notes were written in the last hour; Run owns it
}

// New returns a scheduler.
func New(cfg Config) *Scheduler {
	return &Scheduler{cfg: cfg, wake: make(chan struct{}, 1), sent: map[event.Chat][]time.Time{}}
}

// Wake says that a reminder was added or has changed.
func (s *Scheduler) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run tells what is due until ctx ends.
func (s *Scheduler) Run(ctx context.Context) {
	if s.cfg.Written != nil && s.cfg.PerHour > 0 {
		sent, err := s.cfg.Written(ctx, s.cfg.Now().Add(-time.Hour))
		if err != nil && ctx.Err() == nil {
			s.cfg.Log.Error("the reminders of the last hour cannot be counted", "err", err)
		}
		maps.Copy(s.sent, sent)
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		wait, err := s.round(ctx)
		if err != nil && ctx.Err() == nil {
			s.cfg.Log.Error("reminders cannot be told", "err", err)
			wait = later
		}
		timer.Reset(wait)
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		case <-timer.C:
		}
	}
}

// round tells all that is due, and returns how long to wait for the next, or for another process to add one.
func (s *Scheduler) round(ctx context.Context) (time.Duration, error) {
	for {
		written, err := s.tellDue(ctx)
		if err != nil {
			return 0, err
		}
		if written == 0 {
			break
		}
	}
	next, err := s.cfg.Store.NextDue(ctx)
	if err != nil || next.IsZero() {
		return check, err
	}
	wait := next.Sub(s.cfg.Now())
	if wait <= 0 {
		wait = spare
	}
	return min(wait, check), nil
}

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
		n := s.prepare(r, now)
		switch end := s.quietUntil(n, now); {
		case n.skipped:
			err = s.skip(ctx, r, now)
		case !end.IsZero():
			err = s.hold(ctx, r, end)
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
	return n, nil
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

// advance notes that a reminder was told, and when it is told next. What a person has changed meanwhile stays.
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

// Answered returns a reminder of which somebody says that it is done. A repeated one goes on, at its next time. Where nothing was told
// since the last time that somebody said so, the time to come is meant if it is nearer than the one that was, and else it is said twice.
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

// Quiet are hours of the day in which nobody is called who has not asked for it themselves, from From to To; equal: none.
type Quiet struct {
	From, To time.Duration // since midnight
}

// quietHours are such as "22:00-07:00".
var quietHours = lazyregexp.New(`^([01]?[0-9]|2[0-4]):([0-5][0-9])-([01]?[0-9]|2[0-4]):([0-5][0-9])$`)

// ParseQuiet reads hours such as "22:00-07:00"; "" are none.
func ParseQuiet(text string) (q Quiet, err error) {
	if text == "" {
		return Quiet{}, nil
	}
	found := quietHours().FindStringSubmatch(text)
	var at [4]time.Duration
	for i, unit := range []time.Duration{time.Hour, time.Minute, time.Hour, time.Minute} {
		if found != nil {
			n, _ := strconv.Atoi(found[i+1])
			at[i] = time.Duration(n) * unit
		}
	}
	q = Quiet{at[0] + at[1], at[2] + at[3]}
	if found == nil || max(q.From, q.To) > 24*time.Hour {
		return Quiet{}, fmt.Errorf("%q are no hours: write them as 22:00-07:00", text)
	}
	return q, nil
}

// End returns when the quiet hours end that now is in, by its clock on the wall; the zero time outside of them.
func (q Quiet) End(now time.Time) time.Time {
	shown := recurrence.Wall(now)
	day := time.Duration(shown.Hour())*time.Hour + time.Duration(shown.Minute())*time.Minute + time.Duration(shown.Second())*time.Second
	midnight := shown.Add(-day)
	switch {
	case q.From == q.To:
		return time.Time{}
	case q.From < q.To && day >= q.From && day < q.To, q.From > q.To && day < q.To:
	case q.From > q.To && day >= q.From:
		midnight = midnight.AddDate(0, 0, 1)
	default:
		return time.Time{}
	}
	end := recurrence.Instant(midnight.Add(q.To), now.Location())
	if !end.After(now) { // the clock was put back to before it
		return time.Time{}
	}
	return end
}
