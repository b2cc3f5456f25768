// Package schedule tells people later what they have asked to be told: reminders and timers.
//
//	rule.go, sun.go  the times of a rule: RFC 5545 over the clocks of a place, sunrise and sunset
//	schedule.go      [Scheduler], which waits until something is due
//	due.go           what is told then, in which notes, and what becomes of it
//	quiet.go         the hours of a night in which nobody is told anything
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
	"log/slog"
	"maps"
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
	Tell func(ctx context.Context, chat event.Chat, note event.Noted) (int64, error)
	// Language returns the language in which hob speaks in a chat, "" where nothing says it. Nil: a reminder is told in that of who asked for it.
	Language func(ctx context.Context, chat event.Chat) string
	Now      func() time.Time
	Place    Place
	Quiet    Quiet
	PerHour  int // notes that a chat gets in an hour, except for timers: the last one names all that is due. 0: no limit
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
