package retry_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/retry"
)

var (
	errPasses = errors.New("it may work later")
	errStays  = errors.New("it never works")
	errEnd    = errors.New("the end")
)

// tried is when something was tried, counted from the beginning, and what came of it.
type tried struct {
	At  []time.Duration
	Err error
}

// play tries something whose errors are given, one after the other; the last is returned again and again.
func play(ctx context.Context, p retry.Policy, all ...error) tried {
	var t tried
	began := time.Now()
	t.Err = p.Do(ctx, func() error {
		t.At = append(t.At, time.Since(began))
		return all[min(len(t.At), len(all))-1]
	})
	return t
}

func TestDo(t *testing.T) {
	const s = time.Second
	doubling := retry.Backoff{First: s, Max: 5 * s}
	for _, c := range []struct {
		name string
		p    retry.Policy
		end  time.Duration // of the context; 0: never
		all  []error
		want tried
	}{
		{"it works", retry.Policy{Backoff: doubling}, 0, []error{nil}, tried{At: []time.Duration{0}}},
		{"it works later", retry.Policy{Backoff: doubling}, 0, []error{errPasses, errPasses, errPasses, errPasses, errPasses, nil},
			tried{At: []time.Duration{0, s, 3 * s, 7 * s, 12 * s, 17 * s}}},
		{"without a bound", retry.Policy{Backoff: retry.Backoff{First: s}}, 0, []error{errPasses, errPasses, errPasses, errPasses, nil},
			tried{At: []time.Duration{0, s, 3 * s, 7 * s, 15 * s}}},
		{"at once", retry.Policy{}, 0, []error{errPasses, errPasses, nil}, tried{At: []time.Duration{0, 0, 0}}},
		{"so many tries", retry.Policy{Backoff: doubling, Tries: 3}, 0, []error{errPasses}, tried{At: []time.Duration{0, s, 3 * s}, Err: errPasses}},
		{"permanent", retry.Policy{Backoff: doubling, Permanent: func(err error) bool { return errors.Is(err, errStays) }}, 0,
			[]error{errPasses, errStays, nil}, tried{At: []time.Duration{0, s}, Err: errStays}},
		{"stopped", retry.Policy{Backoff: doubling}, 0, []error{errPasses, retry.Stop(errStays), nil}, tried{At: []time.Duration{0, s}, Err: errStays}},
		{"stopped, in other words", retry.Policy{Backoff: doubling}, 0, []error{fmt.Errorf("over: %w", retry.Stop(errStays))},
			tried{At: []time.Duration{0}, Err: errStays}},
		{"the server says when", retry.Policy{Backoff: doubling, Wait: func(_ error, b time.Duration) time.Duration { return max(b, 2*s) }}, 0,
			[]error{errPasses, errPasses, errPasses, nil}, tried{At: []time.Duration{0, 2 * s, 4 * s, 8 * s}}},
		{"the end while it waits", retry.Policy{Backoff: doubling}, 5 * s, []error{errPasses}, tried{At: []time.Duration{0, s, 3 * s}, Err: errEnd}},
		{"the end is near", retry.Policy{Backoff: doubling, GiveUpEarly: true}, 5 * s, []error{errPasses},
			tried{At: []time.Duration{0, s, 3 * s}, Err: errPasses}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if c.end > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeoutCause(ctx, c.end, errEnd)
					defer cancel()
				}
				got := play(ctx, c.p, c.all...)
				if d := cmp.Diff(c.want.At, got.At); d != "" || !errors.Is(got.Err, c.want.Err) || (got.Err == nil) != (c.want.Err == nil) {
					t.Errorf("%v: %s", got.Err, d)
				}
			})
		})
	}
}

// Who gives up early has waited for nothing: the error comes at once, and not at the deadline.
func TestGivingUpEarlyTakesNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		play(ctx, retry.Policy{Backoff: retry.Backoff{First: time.Hour}, GiveUpEarly: true}, errPasses)
		if took := time.Since(began); took != 0 {
			t.Errorf("it took %v", took)
		}
	})
}

// Each wait is logged, before it begins; what is never waited for is not.
func TestEachWaitIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var waits []time.Duration
		p := retry.Policy{Backoff: retry.Backoff{First: time.Second}, Tries: 3, Failed: func(_ error, w time.Duration) { waits = append(waits, w) }}
		play(t.Context(), p, errPasses)
		if d := cmp.Diff([]time.Duration{time.Second, 2 * time.Second}, waits); d != "" {
			t.Error(d)
		}
	})
}

// After the end nothing is tried but once.
func TestAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errEnd)
	if got := play(ctx, retry.Policy{}, errPasses); len(got.At) != 1 || !errors.Is(got.Err, errEnd) {
		t.Errorf("%+v", got)
	}
}

func TestBackoff(t *testing.T) {
	b := retry.Backoff{First: time.Second, Max: 40 * time.Second, Jitter: func(d time.Duration) time.Duration { return d / 2 }}
	var got []time.Duration
	for range 8 {
		got = append(got, b.Next())
	}
	b.Reset()
	got = append(got, b.Next())
	const ms = time.Millisecond
	want := []time.Duration{1250 * ms, 2500 * ms, 5000 * ms, 10000 * ms, 20000 * ms, 40000 * ms, 50000 * ms, 50000 * ms, 1250 * ms}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestStopOfNothing(t *testing.T) {
	if err := retry.Stop(nil); err != nil {
		t.Error(err)
	}
}

func TestWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		if retry.Within(done, time.Second) {
			t.Error("it came, and nobody sent it")
		}
		time.AfterFunc(time.Second, func() { close(done) })
		if !retry.Within(done, 2*time.Second) {
			t.Error("it did not come")
		}
	})
}
