package filestest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/tools/files"
	"hob/internal/tools/files/changes"
	"hob/internal/tools/files/watch"
)

// Log is a [changes.Log] and a [watch.Recorder] in memory. It can fail, and stop where a process could be killed.
type Log struct {
	Changes []event.Change // Changes[i] has the number i+1
	Images  map[string][]byte
	Failing error  // of every call of Keep
	Dies    string // "kept" or "done": where the process ends
	Pruned  string // as a Recorder has it
	Taken   int    // how many contents were kept before anything replaced them

	mu sync.Mutex
}

var (
	_ changes.Log    = (*Log)(nil)
	_ watch.Recorder = (*Log)(nil)
)

// NewLog returns a log that remembers nothing yet.
func NewLog() *Log { return &Log{Images: map[string][]byte{}} }

// Keep implements [changes.Log].
func (m *Log) Keep(_ context.Context, c event.Change, content []byte) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Failing != nil {
		return 0, m.Failing
	}
	c.ID, c.Stage = int64(len(m.Changes))+1, event.StageBegun
	m.Changes = append(m.Changes, c)
	if content != nil {
		m.Images[c.Before.Sum] = slices.Clone(content)
	}
	if m.Dies == "kept" {
		return 0, errors.New("the process is gone")
	}
	return c.ID, nil
}

// Settle implements [changes.Log].
func (m *Log) Settle(_ context.Context, id int64, happened bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Dies == "done" {
		return errors.New("the process is gone")
	}
	c := &m.Changes[id-1]
	c.Stage = event.StageVoid
	if happened {
		c.Stage = event.StageMade
	}
	return nil
}

// Image implements [changes.Log].
func (m *Log) Image(_ context.Context, sum string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if content, ok := m.Images[sum]; ok {
		return content, nil
	}
	return nil, errors.New("it is not kept")
}

// List returns what is remembered, the newest first.
func (m *Log) List() []event.Change {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.DeleteFunc(slices.Clone(m.Changes), func(c event.Change) bool { return c.Stage == event.StageVoid })
	slices.Reverse(all)
	var fates event.Fates
	for i := range all {
		fates.Complete(&all[i])
		_, kept := m.Images[all[i].Before.Sum]
		all[i].Lost = all[i].Before.HasContent() && !kept
	}
	return all
}

// InForce returns the numbers of what an undo of everything takes back.
func (m *Log) InForce() []int64 { return changes.Since(m.List(), "", time.Time{}) }

// Mark implements [watch.Recorder].
func (m *Log) Mark(context.Context) (int64, string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return int64(len(m.Changes)), m.Pruned, nil
}

// KeepImages implements [watch.Recorder].
func (m *Log) KeepImages(_ context.Context, contents [][]byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Failing != nil {
		return m.Failing
	}
	for _, c := range contents {
		m.Images[fmt.Sprintf("%x", sha256.Sum256(c))] = bytes.Clone(c)
		m.Taken++
	}
	return nil
}

// Since implements [watch.Recorder].
func (m *Log) Since(_ context.Context, number int64) ([]event.Change, error) {
	var since []event.Change
	for _, c := range m.List() {
		if c.ID > number {
			since = append(since, c)
		}
	}
	return since, nil
}

// Record implements [watch.Recorder].
func (m *Log) Record(_ context.Context, changes []event.Change) (made []event.Change, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Failing != nil {
		return nil, m.Failing
	}
	for _, c := range changes {
		if _, there := m.Images[c.Before.Sum]; c.Before.HasContent() && !there {
			continue
		}
		c.ID, c.Time, c.Stage = int64(len(m.Changes))+1, time.Now(), event.StageMade
		if len(made) > 0 {
			c.Part = made[0].ID
		}
		m.Changes, made = append(m.Changes, c), append(made, c)
	}
	return made, nil
}

// NewKept is a workspace whose changes are remembered.
func NewKept(t *testing.T, adjust ...func(*files.Config)) (*World, *Log) {
	t.Helper()
	m := NewLog()
	own := func(c *files.Config) { c.Log, c.WatchTime = m, time.Hour }
	return New(t, append([]func(*files.Config){own}, adjust...)...), m
}

// Undo takes changes back, which must work.
func (w *World) Undo(m *Log, how changes.Options, numbers ...int64) []changes.Undone {
	w.T.Helper()
	done, err := w.Files.Changes().Undo(w.T.Context(), m.List(), numbers, how)
	if err != nil {
		w.T.Fatal(err)
	}
	return done
}

// IsConflict checks that nothing was taken back, and why.
func IsConflict(t *testing.T, err error, words ...string) {
	t.Helper()
	e := (*changes.ConflictError)(nil)
	if !errors.As(err, &e) {
		t.Fatalf("the error is %v, want a conflict", err)
	}
	var got []string
	for _, c := range e.Conflicts {
		got = append(got, c.Why)
	}
	if len(got) != len(words) {
		t.Fatalf("conflicts: %q", got)
	}
	for i := range words {
		if !strings.Contains(got[i], words[i]) {
			t.Errorf("conflict %d is %q, want %q", i, got[i], words[i])
		}
	}
}
