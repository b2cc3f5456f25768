// Package schedule tells people later what they have asked to be told: reminders and timers.
//
//	rule.go, sun.go  the times of a rule: RFC 5545 over the clocks of a place, sunrise and sunset
//	schedule.go      [Scheduler], which tells what is due
//	words.go         what people read
//
// # Invariants
//
//   - No model is asked: a reminder is told while Ollama is away.
//   - A reminder is told by a note in the journal of its chat, whose ID says which reminder it is, for the how-manieth time. The
//     journal takes an ID once. So a crash between the note and the record of the reminder tells nothing twice, and one before the
//     note loses nothing. How the note reaches a person is the surface's part: on Telegram it counts as delivered when it has the
//     id of a message there.
//   - Times are kept as people mean them. See [event.When].
package schedule

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"hob/internal/event"
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
	// batch is how many reminders are read at once.
	batch = 200
	// later is how long one waits that could not be told.
	later = time.Minute
)

// Store keeps reminders. *store.Reminders is one.
type Store interface {
	Due(ctx context.Context, now time.Time, limit int) ([]event.Reminder, error)
	NextDue(ctx context.Context) (time.Time, error)
	Change(ctx context.Context, id int64, change func(*event.Reminder) error) (event.Reminder, error)
	// Gather gives reminders the name of a digest, all or none.
	Gather(ctx context.Context, ids []int64, digest string) error
}

// Config is what a [Scheduler] needs.
type Config struct {
	Store Store
	// Tell puts a note into a chat, durably when it returns, and returns its Seq. The same ID twice is one note.
	Tell    func(ctx context.Context, chat event.Chat, note event.Noted) (int64, error)
	Now     func() time.Time
	Place   Place
	Quiet   Quiet
	PerHour int // reminders that a chat is told one by one in an hour; the rest comes in one note. 0: no limit
	Log     *slog.Logger
}

// Scheduler tells what is due. Run does, and Wake says that a reminder has changed.
type Scheduler struct {
	cfg  Config
	wake chan struct{}
	sent map[event.Chat][]time.Time // when reminders were told in the last hour; Run owns it
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
		now := s.cfg.Now()
		due, err := s.cfg.Store.Due(ctx, now, batch)
		if err != nil {
			return 0, err
		}
		for _, some := range s.group(due, now) {
			if err := s.tell(ctx, some, now); err != nil {
				return 0, err
			}
		}
		if len(due) < batch {
			break
		}
	}
	next, err := s.cfg.Store.NextDue(ctx)
	if err != nil || next.IsZero() {
		return check, err
	}
	return min(max(0, next.Sub(s.cfg.Now())), check), nil
}

// group splits what is due into notes: one for each reminder, in their order, and one for all that are too many for their chat.
func (s *Scheduler) group(due []event.Reminder, now time.Time) (notes [][]event.Reminder) {
	digests := map[string]int{} // the index in notes
	counts := map[event.Chat]int{}
	for chat, times := range s.sent {
		times = slices.DeleteFunc(times, func(t time.Time) bool { return now.Sub(t) >= time.Hour })
		if s.sent[chat] = times; len(times) == 0 {
			delete(s.sent, chat)
		}
		counts[chat] = len(times)
	}
	for _, r := range due {
		key := r.Digest
		if key == "" && s.cfg.PerHour > 0 && counts[r.Chat] >= s.cfg.PerHour {
			key = "new/" + string(r.Chat)
		}
		if i, ok := digests[key]; ok {
			notes[i] = append(notes[i], r)
			continue
		}
		counts[r.Chat]++
		if key != "" {
			digests[key] = len(notes)
		}
		notes = append(notes, []event.Reminder{r})
	}
	return notes
}

// tell tells reminders of a chat in one note.
func (s *Scheduler) tell(ctx context.Context, all []event.Reminder, now time.Time) error {
	var told []event.Reminder
	var notes []reminded
	for _, r := range all {
		n, wanted, err := s.prepare(ctx, r, now)
		if err != nil {
			return err
		}
		if wanted {
			told, notes = append(told, r), append(notes, n)
		}
	}
	if len(told) == 0 {
		return nil
	}
	note := notes[0].note()
	digest := ""
	if len(told) > 1 || told[0].Digest != "" {
		if digest = told[0].Digest; digest == "" {
			digest = "digest/" + strconv.FormatInt(told[0].ID, 10) + "/" + strconv.Itoa(told[0].Sent+1)
		}
		var ids []int64
		for _, r := range told {
			ids = append(ids, r.ID)
		}
		if err := s.cfg.Store.Gather(ctx, ids, digest); err != nil { // from here on a crash makes the same note of them
			return err
		}
		note = digestNote(notes, digest)
	}
	seq, err := s.cfg.Tell(ctx, told[0].Chat, note)
	if err != nil {
		s.cfg.Log.Error("a reminder cannot be told", "reminder", told[0].ID, "chat", told[0].Chat, "err", err)
		if ctx.Err() != nil {
			return err
		}
		for _, r := range told {
			if err := s.postpone(ctx, r, now.Add(later)); err != nil {
				return err
			}
		}
		return nil
	}
	s.sent[told[0].Chat] = append(s.sent[told[0].Chat], now)
	for i, r := range told {
		if err := s.advance(ctx, r, notes[i].planned, seq, now); err != nil {
			return err
		}
	}
	return nil
}

// prepare returns what is said of a reminder that is due. wanted is false where it is not told now.
func (s *Scheduler) prepare(ctx context.Context, r event.Reminder, now time.Time) (n reminded, wanted bool, err error) {
	isAgain := r.When.UntilDone && r.Unseen > 0
	if end := s.cfg.Quiet.End(now); !end.IsZero() && (isAgain || r.For != (event.Party{})) {
		return n, false, s.postpone(ctx, r, end)
	}
	n = reminded{Reminder: r, planned: r.Planned, late: now.Sub(r.Due) > onTime}
	if r.Planned.IsZero() || isAgain || !n.late {
		return n, true, nil
	}
	switch r.When.Missed {
	case event.MissedSkip:
		next, err := s.nextAfter(r, now)
		if err != nil {
			return n, false, err
		}
		_, err = s.cfg.Store.Change(ctx, r.ID, func(cur *event.Reminder) error {
			if cur.Due.Equal(r.Due) {
				cur.Due, cur.Planned = next, next
			}
			return nil
		})
		return n, false, err
	case event.MissedOnce:
		for range 10_000 { // the newest that has passed
			next, err := s.nextAfter(r, n.planned)
			if err != nil || next.IsZero() || next.After(now) {
				break
			}
			n.planned = next
			n.missed++
		}
	}
	return n, true, nil
}

// postpone moves a reminder that was not told, unless somebody has changed it meanwhile.
func (s *Scheduler) postpone(ctx context.Context, r event.Reminder, to time.Time) error {
	_, err := s.cfg.Store.Change(ctx, r.ID, func(cur *event.Reminder) error {
		if cur.Due.Equal(r.Due) {
			cur.Due = to
		}
		return nil
	})
	return err
}

// advance notes that a reminder was told, and when it is told next. What a person has changed meanwhile stays.
func (s *Scheduler) advance(ctx context.Context, r event.Reminder, planned time.Time, seq int64, now time.Time) error {
	next, isAgain := time.Time{}, false
	if r.When.UntilDone && r.Unseen+1 < maxAgain {
		next, isAgain = now.Add(again), true
	}
	var err error
	if !isAgain && r.When.AfterDone == 0 && !planned.IsZero() {
		if next, err = s.nextAfter(r, planned); err != nil {
			s.cfg.Log.Error("a reminder has no next time", "reminder", r.ID, "err", err)
		}
	}
	_, err = s.cfg.Store.Change(ctx, r.ID, func(cur *event.Reminder) error {
		cur.Sent++
		cur.Unseen++
		cur.Last, cur.Seq, cur.Digest = now, seq, ""
		if !cur.Due.Equal(r.Due) || cur.State != r.State {
			return nil
		}
		if cur.Due = next; !isAgain {
			cur.Planned = next
		}
		return nil
	})
	return err
}

// nextAfter returns the first time of a rule after another of its times.
func (s *Scheduler) nextAfter(r event.Reminder, after time.Time) (time.Time, error) {
	if !r.When.Repeats() {
		return time.Time{}, nil
	}
	return Next(r.When, after, s.cfg.Place)
}

// Answered returns a reminder of which somebody says that it is done. A repeated one goes on, at its next time.
func Answered(r event.Reminder, now time.Time, at Place) (event.Reminder, error) {
	r.Unseen, r.Seen = 0, now
	switch {
	case r.When.AfterDone > 0:
		r.Due = now.Add(r.When.AfterDone)
		r.Planned = r.Due
	case !r.When.Repeats():
		r.State, r.Due, r.Planned = event.ReminderDone, time.Time{}, time.Time{}
	default:
		next, err := Next(r.When, now, at)
		if err != nil {
			return r, err
		}
		if r.Planned.After(now) { // it was done before its time
			if next, err = Next(r.When, r.Planned, at); err != nil {
				return r, err
			}
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

// ParseQuiet reads hours such as "22:00-07:00"; "" are none.
func ParseQuiet(text string) (q Quiet, err error) {
	if text == "" {
		return Quiet{}, nil
	}
	var h [4]int
	if n, err := fmt.Sscanf(text, "%d:%d-%d:%d", &h[0], &h[1], &h[2], &h[3]); err != nil || n != 4 ||
		slices.Min(h[:]) < 0 || max(h[0], h[2]) > 24 || max(h[1], h[3]) > 59 {
		return Quiet{}, fmt.Errorf("%q are no hours: write them as 22:00-07:00", text)
	}
	at := func(hour, minute int) time.Duration {
		return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute
	}
	return Quiet{at(h[0], h[1]), at(h[2], h[3])}, nil
}

// End returns when the quiet hours end that now is in; the zero time outside of them.
func (q Quiet) End(now time.Time) time.Time {
	day := now.Sub(time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location()))
	on := func(days int) time.Time {
		return time.Date(now.Year(), now.Month(), now.Day()+days, 0, int(q.To/time.Minute), 0, 0, now.Location())
	}
	switch {
	case q.From == q.To:
	case q.From < q.To && day >= q.From && day < q.To, q.From > q.To && day < q.To:
		return on(0)
	case q.From > q.To && day >= q.From:
		return on(1)
	}
	return time.Time{}
}
