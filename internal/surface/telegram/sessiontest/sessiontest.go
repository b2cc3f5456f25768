// Package sessiontest has sessions whose turns a test plays itself, and the files that they hand over.
package sessiontest

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"sync"
	"testing"

	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/store/storetest"
)

// Journal is sessions whose turns a test plays itself.
type Journal struct {
	*storetest.Memory
	t       testing.TB
	mu      sync.Mutex
	changed chan struct{}
	deltas  []event.Event // of all time; who follows has seen some
	// Following is how many follow the journal, and Read how many events they have read.
	Following  int
	Read       int
	broken     error // of all who follow, until it is nil
	Unreadable int64 // Seq of an event that cannot be read; 0 none
}

// NewJournal returns sessions in which nothing has happened.
func NewJournal(t testing.TB, mem *storetest.Memory) *Journal {
	return &Journal{t: t, Memory: mem, changed: make(chan struct{})}
}

func (j *Journal) touch(change func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	change()
	close(j.changed)
	j.changed = make(chan struct{})
}

// Add journals bodies of a turn, or begins one, and returns the Seq of the last.
func (j *Journal) Add(chat event.Chat, turn int64, bodies ...event.Body) int64 {
	j.t.Helper()
	entries := lists.Map(bodies, func(b event.Body) store.Entry { return store.Entry{Chat: chat, Turn: turn, Body: b} })
	events, err := j.Append(j.t.Context(), entries...)
	if err != nil {
		j.t.Fatal(err)
	}
	j.touch(func() {})
	return events[len(events)-1].Seq
}

// Say begins a turn with an input of that id and text.
func (j *Journal) Say(chat event.Chat, id string) int64 {
	return j.Add(chat, 0, event.Said{InputID: id, From: "77", Text: id})
}

// Delta streams a part of a reply, which is not journaled.
func (j *Journal) Delta(chat event.Chat, turn int64, b event.Delta) {
	j.touch(func() { j.deltas = append(j.deltas, event.Event{Chat: chat, Turn: turn, Body: b}) })
}

// Fail has all who follow the journal fail, until err is nil.
func (j *Journal) Fail(err error) { j.touch(func() { j.broken = err }) }

// Follow implements the sessions' Follow.
func (j *Journal) Follow(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		j.mu.Lock()
		j.Following++
		seen := len(j.deltas)
		j.mu.Unlock()
		defer func() { j.mu.Lock(); j.Following--; j.mu.Unlock() }()
		for {
			j.mu.Lock()
			changed, deltas, broken := j.changed, j.deltas[seen:], j.broken
			seen = len(j.deltas)
			j.mu.Unlock()
			if broken != nil {
				yield(event.Event{}, broken)
				return
			}
			for e, err := range j.Chat(ctx, chat, after) {
				if err == nil && e.Seq == j.Unreadable {
					e.Body = event.Unreadable{Of: e.Body.Type()}
				}
				if !yield(e, err) || err != nil {
					return
				}
				after = e.Seq
				j.mu.Lock()
				j.Read++
				j.mu.Unlock()
			}
			for _, d := range deltas {
				if d.Chat == chat && !yield(d, nil) {
					return
				}
			}
			select {
			case <-changed:
			case <-ctx.Done():
				yield(event.Event{}, context.Cause(ctx))
				return
			}
		}
	}
}

// Submit takes any input, and does nothing about it.
func (j *Journal) Submit(_ context.Context, _ session.Input) (int64, error) {
	return 1, nil
}

// Decide does nothing.
func (*Journal) Decide(context.Context, session.Answer) error { return nil }

// Stop does nothing.
func (*Journal) Stop(context.Context, event.Chat) (bool, error) { return false, nil }

// Reset does nothing.
func (*Journal) Reset(context.Context, event.Chat) error { return nil }

// IsAsking does nothing.
func (*Journal) IsAsking(context.Context, event.Chat, string) (bool, error) { return false, nil }

// Last returns the Seq of the newest event of a chat.
func (j *Journal) Last(chat event.Chat) int64 {
	seq, err := j.Memory.Last(j.t.Context(), chat)
	if err != nil {
		j.t.Fatal(err)
	}
	return seq
}

// Files are the texts of files, by path.
type Files map[string]string

// Receive refuses any file.
func (Files) Receive(context.Context, string, int64, event.Label, io.Reader) (event.File, error) {
	return event.File{}, errors.New("nothing is received here")
}

// Open opens a file that is there.
func (s Files) Open(_ context.Context, f event.File) (io.ReadCloser, error) {
	text, ok := s[f.Path]
	if !ok {
		return nil, errors.New("it has changed since it was handed over")
	}
	return io.NopCloser(strings.NewReader(text)), nil
}
