package session_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store/storetest"
	"hob/internal/tools"
)

// slow is a tool that acts until it is let go.
func slow(goOn chan struct{}, began *int) tools.Tool {
	return tools.New(tools.Def{Name: "slow", Description: "takes its time", Capabilities: tools.Writes}, func(ctx context.Context, _ struct{}) (tools.Result, error) {
		*began++
		select {
		case <-goOn:
			return tools.Result{Text: "done"}, nil
		case <-ctx.Done():
			return tools.Result{}, ctx.Err()
		}
	})
}

// has counts the events of a type in the journal.
func has(t *testing.T, journal session.Journal, typ string) (n int) {
	for e, err := range journal.Chat(t.Context(), "main", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Body.Type() == typ {
			n++
		}
	}
	return n
}

// Hold waits for the call that acts and lets none begin; what Close then cuts short goes on at the
// next start, and nobody reads that the outcome of anything is unknown.
func TestHoldThenClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := storetest.NewMemory(time.Now)
		goOn, began := make(chan struct{}), 0
		script := llm.NewScript(llm.Do(plain(1, "slow")), llm.Do(plain(2, "slow")), llm.Say("done"))
		h := openWith(t, memory, script, slow(goOn, &began))
		seq := h.submit("1", "go")
		synctest.Wait()
		held := make(chan error)
		go func() { _, err := h.Hold(t.Context()); held <- err }()
		synctest.Wait()
		select {
		case <-held:
			t.Fatal("it holds while a call acts")
		default:
		}
		close(goOn)
		if err := <-held; err != nil || has(t, memory, "returned") != 1 {
			t.Fatalf("Hold = %v with %d results in the journal", err, has(t, memory, "returned"))
		}
		synctest.Wait() // the model has asked for the second call by now
		late := h.submit("2", "and me")
		h.Close()
		if began != 1 || has(t, memory, "called") != 2 || has(t, memory, "started") != 1 {
			t.Errorf("%d calls began, %d were made", began, has(t, memory, "called"))
		}
		h = openWith(t, memory, script, slow(goOn, &began))
		for _, seq := range []int64{seq, late} {
			for _, b := range h.watch(seq, false) {
				if r, ok := b.(event.Returned); ok && !r.OK {
					t.Errorf("a result: %+v", r)
				}
			}
		}
		if began != 2 {
			t.Errorf("%d calls began", began)
		}
	})
}

// Release lets the same process go on: calls that waited, and turns.
func TestRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn, began := make(chan struct{}), 0
		close(goOn)
		script := llm.NewScript(llm.Do(plain(1, "slow")), llm.Say("done"))
		memory := storetest.NewMemory(time.Now)
		h := openWith(t, memory, script, slow(goOn, &began))
		first, err := h.Hold(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		second, err := h.Hold(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		seq := h.submit("1", "go")
		first()
		first()
		pass(time.Hour)
		if n := len(script.Requests()); n > 0 || began > 0 {
			t.Errorf("while one still holds, %d requests were made and %d calls began", n, began)
		}
		if busy, err := h.IsBusy(t.Context(), "main"); err != nil || !busy {
			t.Errorf("Busy = %t, %v: a turn waits", busy, err)
		}
		second()
		synctest.Wait()
		if n := len(script.Requests()); n != 2 {
			t.Errorf("once nobody holds, %d requests were made", n)
		}
		h.watch(seq, false)
		if busy, err := h.IsBusy(t.Context(), "main"); err != nil || busy || began != 1 {
			t.Errorf("Busy = %t, %v after the turn; %d calls began", busy, err, began)
		}
	})
}

// Hold says when its context has ended, and then, too, nothing begins.
func TestHoldHasABound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn, began := make(chan struct{}), 0
		h := openWith(t, storetest.NewMemory(time.Now),
			llm.NewScript(llm.Do(plain(1, "slow")), llm.Do(plain(2, "slow")), llm.Say("done")), slow(goOn, &began))
		seq := h.submit("1", "go")
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
		defer cancel()
		release, err := h.Hold(ctx)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Hold = %v", err)
		}
		close(goOn)
		synctest.Wait()
		if began != 1 {
			t.Errorf("%d calls began", began)
		}
		if again, err := h.Hold(t.Context()); err != nil {
			t.Errorf("nothing acts now: %v", err)
		} else {
			again()
		}
		release()
		h.watch(seq, false)
	})
}

// A call that waits for a person does not count as acting. The person may answer meanwhile, and is
// not asked twice, by this process or the next.
func TestAQuestionDoesNotKeepHoldFromHolding(t *testing.T) {
	for name, calls := range map[string][]llm.Step{
		"what acts":  {llm.Do(call(1, "run", "x"))},
		"what looks": {llm.Do(plain(1, "diary")), llm.Do(fetch(2, "https://b.example/?q=1"))},
	} {
		for _, restart := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, restart %t", name, restart), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					memory := storetest.NewMemory(time.Now)
					did := map[string]int{}
					script := llm.NewScript(append(calls, llm.Say("done"))...)
					first := openWith(t, memory, script, world(&did)...)
					seq := first.submit("1", "go")
					synctest.Wait()
					release, err := first.Hold(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					if err := first.Decide(t.Context(), yes(first.asked(), true, "ana")); err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
					if has(t, memory, "started") > 0 {
						t.Error("it began while it was held")
					}
					last := first
					if restart {
						first.Close()
						last = openWith(t, memory, script, world(&did)...)
					} else {
						release()
					}
					last.watch(seq, false)
					if ran := first.did["run x"] + did["fetch https://b.example/?q=1"]; has(t, memory, "asked") != 1 || restart && last.did["run x"]+ran != 1 || !restart && ran != 1 {
						t.Errorf("asked %d times, ran %d and %d times", has(t, memory, "asked"), ran,
							last.did["run x"])
					}
				})
			})
		}
	}
}

// A stop reaches a call that is held.
func TestAStopWhileHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn, began := make(chan struct{}), 0
		var h *house
		script := llm.NewScript(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
			if _, err := h.Hold(t.Context()); err != nil {
				t.Error(err)
			}
			return llm.Do(plain(1, "slow"))(ctx, r, d)
		})
		h = openWith(t, storetest.NewMemory(time.Now), script, slow(goOn, &began))
		seq := h.submit("1", "go")
		synctest.Wait()
		if ran, err := h.Stop(t.Context(), "main"); err != nil || !ran {
			t.Error(ran, err)
		}
		bodies := h.watch(seq, false)
		if end := bodies[len(bodies)-1].(event.Ended); end.Reason != event.Stopped || began > 0 {
			t.Errorf("it ended with %+v after %d calls", end, began)
		}
	})
}

// What was said while hob holds can be taken back at once, and a conversation be begun anew.
func TestATurnThatWaitsIsStopped(t *testing.T) {
	for _, reset := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			script := llm.NewScript(llm.Say("fine"))
			h := open(t, storetest.NewMemory(time.Now), script)
			release, err := h.Hold(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			seq := h.submit("1", "go")
			if reset {
				err = h.Reset(t.Context(), "main")
			} else {
				_, err = h.Stop(t.Context(), "main")
			}
			bodies := h.watch(seq, false)
			if end := bodies[len(bodies)-1].(event.Ended); err != nil || end.Reason != event.Stopped ||
				len(script.Requests()) > 0 {
				t.Errorf("reset %t: %v; it ended with %+v", reset, err, end)
			}
			release()
			h.watch(h.submit("2", "and now"), false)
		})
	}
}
