package eventlog

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
)

// Storage stores the lines.
type Storage interface {
	// Append adds line number n, without a newline, with the id of its request, or "". It is durable when it returns. n must be
	// the next number, or Append fails with [ErrStale]. It keeps no part of line.
	Append(ctx context.Context, n int64, line []byte, request string) error
	// Line returns line number n. The caller does not change it.
	Line(ctx context.Context, n int64) ([]byte, error)
	// Lines returns all lines from a number on, in order. A line is valid until the next one.
	Lines(ctx context.Context, from int64) iter.Seq2[[]byte, error]
	// Request returns the number of the line that has the request id, if there is one.
	Request(ctx context.Context, id string) (n int64, ok bool, err error)
}

// SnapshotStorage is a [Storage] that keeps the newest snapshot, nil for none. The snapshot may be old, foreign or damaged.
type SnapshotStorage interface {
	Snapshot(ctx context.Context) ([]byte, error)
	KeepSnapshot(ctx context.Context, b []byte) error
}

// NumberedStorage is a [Storage] beside a log of changes, in which a turn that changed something has a number. By that number a person
// takes it back, as any other change.
type NumberedStorage interface {
	// Number returns the number of a turn of the campaign with that commitment, 0 where it has none.
	Number(ctx context.Context, commitment string, turn int64) (int64, error)
}

// The errors that callers compare with.
var (
	ErrBusy    = errors.New("the campaign is busy with another turn; try again when it is over")
	ErrStale   = errors.New("another process has written to this campaign; load it again")
	ErrChanged = errors.New("the campaign has changed since the preview; preview the turn again")
	ErrEmpty   = errors.New("there is no campaign: not even its beginning is whole")
)

// ConflictError is a request id that was used before with another body. Nothing was executed.
type ConflictError struct{ Request string }

// Error implements error.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("request %q was made before with other contents; use a new id", e.Request)
}

// DamagedError is a log that is not as it was written. The lines before this one are whole.
type DamagedError struct {
	Line int64 // counted from 1, as an editor shows them
	Turn int64 // 0 is the beginning
	Why  string
}

// Error implements error.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("turn %d is damaged (line %d of the log): %s; use an undamaged copy", e.Turn, e.Line, e.Why)
}

// MemoryStorage is a [Storage] in memory, for tests and for games that end with their process. It is safe for concurrent use.
type MemoryStorage struct {
	mu       sync.Mutex
	lines    [][]byte
	requests []string // by line; "" where there is none
	snapshot []byte
}

// NewMemoryStorage returns an empty log.
func NewMemoryStorage() *MemoryStorage { return &MemoryStorage{} }

// Append implements [Storage].
func (m *MemoryStorage) Append(ctx context.Context, n int64, line []byte, request string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if n != int64(len(m.lines)) {
		return ErrStale
	}
	m.lines, m.requests = append(m.lines, slices.Clone(line)), append(m.requests, request)
	return nil
}

// Line implements [Storage].
func (m *MemoryStorage) Line(ctx context.Context, n int64) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n < 0 || n >= int64(len(m.lines)) {
		return nil, fmt.Errorf("the log has no line %d", n+1)
	}
	return m.lines[n], ctx.Err()
}

// Lines implements [Storage].
func (m *MemoryStorage) Lines(ctx context.Context, from int64) iter.Seq2[[]byte, error] {
	m.mu.Lock()
	defer m.mu.Unlock()
	lines := m.lines
	return func(yield func([]byte, error) bool) {
		for n := from; n < int64(len(lines)); n++ {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(lines[n], nil) {
				return
			}
		}
	}
}

// Request implements [Storage].
func (m *MemoryStorage) Request(ctx context.Context, id string) (n int64, ok bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n = int64(slices.Index(m.requests, id))
	return n, id != "" && n >= 0, ctx.Err()
}

// Requests returns the ids of the requests by line.
func (m *MemoryStorage) Requests() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// Snapshot implements [SnapshotStorage].
func (m *MemoryStorage) Snapshot(ctx context.Context) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.snapshot, ctx.Err()
}

// KeepSnapshot implements [SnapshotStorage].
func (m *MemoryStorage) KeepSnapshot(ctx context.Context, b []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.snapshot = slices.Clone(b)
	return ctx.Err()
}
