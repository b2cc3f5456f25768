package session_test

import (
	"context"
	"iter"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store/storetest"
)

// slowReading is a journal whose next read, once slow is set, waits for goOn.
type slowReading struct {
	session.Journal
	slow atomic.Bool
	goOn chan struct{}
}

func (j *slowReading) Chat(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		if j.slow.CompareAndSwap(true, false) {
			<-j.goOn
		}
		j.Journal.Chat(ctx, chat, after)(yield)
	}
}

// Whoever reads a turn's end from the journal hears no more of how it was written: what comes later
// is no delta of it.
func TestFollowLeavesOutWhatWasOvertaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &slowReading{Journal: storetest.NewMemory(time.Now), goOn: make(chan struct{})}
		h := open(t, j, llm.NewScript(llm.Say("good evening"), llm.Say("good night")))
		h.watch(h.submit("1", "hello"), false)
		j.slow.Store(true)
		var got []string
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() {
			defer close(over)
			for e, err := range h.Follow(ctx, "main", 0) {
				if err == nil {
					got = append(got, e.Body.Type())
				}
			}
		}()
		synctest.Wait() // it follows, and has read nothing yet
		h.submit("2", "good night")
		synctest.Wait() // the turn is over
		close(j.goOn)
		synctest.Wait()
		cancel()
		<-over
		if words := strings.Join(got, " "); strings.Contains(words, "delta") ||
			strings.Count(words, "ended") != 2 || !strings.HasSuffix(words, "ended") {
			t.Errorf("it hears %s", words)
		}
	})
}

// halfway is a model that stops in the middle of its reply until goOn.
type halfway struct{ goOn chan struct{} }

func (m halfway) Chat(_ context.Context, _ llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	onDelta(llm.Delta{Text: "good "})
	onDelta(llm.Delta{Text: "even"})
	<-m.goOn
	onDelta(llm.Delta{Text: "ing"})
	return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: "good evening"}}, nil
}

// Whoever comes while a reply is being written reads all of it, each piece once.
func TestFollowBeginsWithTheDraft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := halfway{make(chan struct{})}
		h := open(t, storetest.NewMemory(time.Now), m)
		h.submit("1", "hello")
		synctest.Wait() // the model has written half of it
		var got []event.Delta
		over := make(chan struct{})
		go func() {
			defer close(over)
			for e, err := range h.Follow(t.Context(), "main", 0) {
				if d, ok := e.Body.(event.Delta); ok {
					got = append(got, d)
				}
				if _, ended := e.Body.(event.Ended); ended || err != nil {
					return
				}
			}
		}()
		synctest.Wait()
		close(m.goOn)
		<-over
		if want := []event.Delta{{Text: "good even", Restart: true}, {Text: "ing"}}; !reflect.DeepEqual(got, want) {
			t.Errorf("it hears %+v, want %+v", got, want)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for e := range h.Follow(ctx, "main", 0) { // the reply is written: there is no draft of it
			if d, ok := e.Body.(event.Delta); ok {
				t.Errorf("an old draft was kept: %+v", d)
			}
		}
	})
}

// countedReading is a journal that counts who reads a chat.
type countedReading struct {
	session.Journal
	reads atomic.Int32
}

func (j *countedReading) Chat(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
	j.reads.Add(1)
	return j.Journal.Chat(ctx, chat, after)
}

// Whoever follows a turn from what it has journaled last reads no journal beside it, and misses nothing.
func TestFollowFromTheNewest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &countedReading{Journal: storetest.NewMemory(time.Now)}
		m := halfway{make(chan struct{})}
		h := open(t, j, m)
		said := h.submit("1", "hello")
		synctest.Wait() // the model has written half of it
		j.reads.Store(0)
		var got []int64
		over := make(chan struct{})
		go func() {
			defer close(over)
			for e := range h.Follow(t.Context(), "main", said-1) {
				if e.Seq > 0 {
					got = append(got, e.Seq)
				}
				if _, ended := e.Body.(event.Ended); ended {
					return
				}
			}
		}()
		synctest.Wait()
		close(m.goOn)
		<-over
		var want []int64
		for e := range j.Journal.Chat(t.Context(), "main", said-1) {
			want = append(want, e.Seq)
		}
		if n := j.reads.Load(); n != 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("it yields %v of %v, and reads the journal %d times", got, want, n)
		}
	})
}
