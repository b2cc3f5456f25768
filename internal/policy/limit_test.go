package policy_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/policy"
	"hob/internal/tools"
)

// Twenty a minute, any minute, each person on their own; who types at the machine is not counted.
func TestLimiterSlides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := policy.NewLimiter(policy.Limits{TurnsPerMinute: 20, Home: "cli"}, time.Now)
		say := func(platform, user, want string) {
			t.Helper()
			got := ""
			if err := l.Allow(platform, user, "hello"); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%s/%s: %q, want %q", platform, user, got, want)
			}
		}
		pass := func(d time.Duration) { <-time.After(d) }
		for range 10 {
			say("telegram", "ada", "")
		}
		pass(47500 * time.Millisecond)
		for range 10 {
			say("telegram", "ada", "")
		}
		say("telegram", "ada", "at most 20 messages a minute: try again in 13 s")
		say("telegram", "bob", "")
		say("http", "ada", "")
		for range 30 {
			say("cli", "ada", "")
		}
		pass(12499 * time.Millisecond)
		say("telegram", "ada", "at most 20 messages a minute: try again in 1 s")
		pass(time.Millisecond)
		for range 10 { // the first ten are a minute ago, and what was refused does not count
			say("telegram", "ada", "")
		}
		say("telegram", "ada", "at most 20 messages a minute: try again in 48 s")
	})
}

func TestLimiterErrors(t *testing.T) {
	l := policy.NewLimiter(policy.Limits{TurnsPerMinute: 1, MaxText: 5}, time.Now)
	var got []tools.Error
	for _, text := range []string{"äöü日本語", "日本語äö", "again"} {
		if e := (*tools.Error)(nil); errors.As(l.Allow("http", "ada", text), &e) {
			got = append(got, *e)
		}
	}
	want := []tools.Error{
		{Type: event.TypeValidation, Code: event.CodeInvalidValue, Message: "at most 5 characters a message: this one has 6", Suggestion: "send it in parts, or as a file"},
		{Type: event.TypeRateLimit, Code: event.CodeRateLimitExceeded, Message: "at most 1 messages a minute: try again in 60 s", Retryable: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	home := policy.NewLimiter(policy.Limits{TurnsPerMinute: 1, MaxText: 5, Home: "cli"}, time.Now)
	for range 2 {
		if err := home.Allow("cli", "ada", "longer than that"); err != nil {
			t.Errorf("at the machine itself: %v", err)
		}
	}
	if home.Allow("http", "ada", "longer than that") == nil || l.Allow("", "ada", "longer than that") == nil {
		t.Error("a long text is taken from elsewhere")
	}
	free := policy.NewLimiter(policy.Limits{}, time.Now)
	for range 100 {
		if err := free.Allow("http", "ada", strings.Repeat("a", 1000)); err != nil {
			t.Fatal(err)
		}
	}
}

// Who is silent for a minute is forgotten, also when nobody of them comes back.
func TestLimiterForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := policy.NewLimiter(policy.Limits{TurnsPerMinute: 20, Home: "cli"}, time.Now)
		for minute := range 5 {
			for i := range 1000 {
				if err := l.Allow("telegram", fmt.Sprint(minute, "/", i), "hello"); err != nil {
					t.Fatal(err)
				}
			}
			<-time.After(time.Minute)
		}
		if n := l.Remembered(); n > 2000 {
			t.Errorf("it remembers %d people of 5000", n)
		}
	})
}

func TestLimiterIsSafe(t *testing.T) {
	l := policy.NewLimiter(policy.Limits{TurnsPerMinute: 20, Home: "cli"}, time.Now)
	var taken atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 10 {
				if l.Allow("http", "ada", "hello") == nil {
					taken.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if taken.Load() != 20 {
		t.Errorf("%d are taken", taken.Load())
	}
}
