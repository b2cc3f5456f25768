package policy

import (
	"sync"
	"time"
	"unicode/utf8"

	"hob/internal/event"
	"hob/internal/tools"
)

// Limits bound how often people may send messages, and how long those may be. 0 is no limit.
type Limits struct {
	TurnsPerMinute int // of one person, over everything received in any 60 seconds
	MaxText        int // characters of one message
	// Home is the platform of people at the machine itself. They have no limits here: their input
	// is limited where it is read.
	Home string
}

// Limiter applies limits to people. It remembers messages of the last minute or two. It is safe for
// concurrent use.
type Limiter struct {
	limits Limits
	now    func() time.Time

	mu     sync.Mutex
	recent map[speaker][]time.Time // within the last minute, oldest first
	swept  time.Time               // when silent people were last forgotten
}

type speaker struct{ platform, user string }

// NewLimiter returns a limiter that takes the time from now.
func NewLimiter(limits Limits, now func() time.Time) *Limiter {
	return &Limiter{limits: limits, now: now, recent: map[speaker][]time.Time{}, swept: now()}
}

// TooManyError is the error of [Limiter.Allow] for a person who sends too often. It wraps a
// [tools.Error] of type rate_limit.
type TooManyError struct {
	most int // messages a minute
	wait time.Duration
}

func (e *TooManyError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the error for people and programs.
func (e *TooManyError) Unwrap() error {
	return tools.RateLimited("at most %d messages a minute: try again in %d s", e.most, (e.wait+time.Second-1)/time.Second).Retry()
}

// RetryAfter returns the time until the next message is accepted.
func (e *TooManyError) RetryAfter() time.Duration { return e.wait }

// Allow counts a message, or returns why it is refused: a *[TooManyError] that says when to try
// again, or a [tools.Error] of type validation about its length. A refused message does not count.
func (l *Limiter) Allow(platform, user, text string) error {
	if platform == l.limits.Home && platform != "" {
		return nil
	}
	if n := utf8.RuneCountInString(text); l.limits.MaxText > 0 && n > l.limits.MaxText {
		return tools.Invalid(event.CodeInvalidValue, "at most %d characters a message: this one has %d", l.limits.MaxText, n).
			Suggest("send it in parts, or as a file")
	}
	if l.limits.TurnsPerMinute <= 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	l.sweep(now)
	who := speaker{platform, user}
	said := recent(l.recent[who], now)
	if len(said) >= l.limits.TurnsPerMinute {
		l.recent[who] = said
		return &TooManyError{l.limits.TurnsPerMinute, said[len(said)-l.limits.TurnsPerMinute].Add(time.Minute).Sub(now)}
	}
	l.recent[who] = append(said, now)
	return nil
}

// sweep forgets, once a minute, people who were silent for a minute.
func (l *Limiter) sweep(now time.Time) {
	if now.Sub(l.swept) < time.Minute {
		return
	}
	l.swept = now
	for who, said := range l.recent {
		if len(recent(said, now)) == 0 {
			delete(l.recent, who)
		}
	}
}

// recent returns the times in said that are less than a minute ago.
func recent(said []time.Time, now time.Time) []time.Time {
	for len(said) > 0 && now.Sub(said[0]) >= time.Minute {
		said = said[1:]
	}
	return said
}
