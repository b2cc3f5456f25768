// Package storetest has journals for tests: [Open] makes one on the disk, and [Memory] is a fake, for sessions and Telegram.
//
// Under the race detector it costs a tenth of the processor time that SQLite does. It has the methods that these tests use and
// no others; the tests of package store hold it and SQLite to the same contract.
package storetest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"hob/internal/event"
	"hob/internal/store"
)

// Memory is a journal, and what belongs to it, that ends with the process. It is safe for concurrent use.
type Memory struct {
	now func() time.Time

	mu     sync.Mutex
	rows   []row // rows[i].Seq is i+1
	keys   map[chatKey]int64
	open   map[int64]event.Chat
	marks  map[string]int64
	audits []event.Audit
	grants []event.Grant

	updates []event.Update // updates[i].N is i+1
	sends   []event.Send
	shown   map[chatKey]int64 // by chat and name

	people  map[personKey]event.Person
	invites map[string]invite
}

// chatKey is a name that is unique in its chat.
type chatKey struct {
	chat event.Chat
	name string
}

// row is an event without its body, which each reader decodes anew.
type row struct {
	event.Event
	typ, key string
	raw      json.RawMessage
}

func (r row) decoded() event.Event {
	r.Body = event.Read(r.typ, r.raw)
	return r.Event
}

// NewMemory returns an empty journal whose events happen at now().
func NewMemory(now func() time.Time) *Memory {
	return &Memory{
		now:     now,
		keys:    map[chatKey]int64{},
		open:    map[int64]event.Chat{},
		marks:   map[string]int64{},
		shown:   map[chatKey]int64{},
		people:  map[personKey]event.Person{},
		invites: map[string]invite{},
	}
}

// do calls f while nobody else reads or writes, unless ctx has ended.
func (m *Memory) do(ctx context.Context, f func() error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("use the journal: %w", err)
	}
	return f()
}

// Append implements [store.Journal].
func (m *Memory) Append(ctx context.Context, entries ...store.Entry) (events []event.Event, err error) {
	err = m.do(ctx, func() error {
		var rows []row
		now := time.UnixMilli(m.now().UnixMilli()).UTC()
		for i, e := range entries {
			r, err := newRow(e, int64(len(m.rows)+i+1), now)
			if err != nil {
				return err
			}
			twice := slices.ContainsFunc(rows, func(o row) bool { return r.key != "" && o.Chat == r.Chat && o.key == r.key })
			if seq := m.keys[chatKey{r.Chat, r.key}]; seq != 0 || twice {
				return &store.DuplicateError{Chat: r.Chat, Key: r.key, Seq: seq}
			}
			rows = append(rows, r)
		}
		for i, r := range rows {
			if r.key != "" {
				m.keys[chatKey{r.Chat, r.key}] = r.Seq
			}
			m.rows = append(m.rows, r)
			events = append(events, r.decoded())
			m.keep(entries[i], events[i])
		}
		return nil
	})
	return events, err
}

func newRow(e store.Entry, seq int64, now time.Time) (row, error) {
	if e.Chat == "" || e.Body == nil {
		return row{}, errors.New("append to the journal: an entry has no chat or no body")
	}
	raw, err := event.Marshal(e.Body)
	if err != nil {
		return row{}, err
	}
	r := row{Event: event.Event{Seq: seq, Time: now, Chat: e.Chat, Turn: e.Turn}, typ: e.Body.Type(), raw: raw}
	body, err := event.Unmarshal(r.typ, raw)
	if err != nil {
		return row{}, err
	}
	if _, said := body.(event.Said); said && r.Turn == 0 {
		r.Turn = seq
	}
	r.key = event.Key(body)
	return r, nil
}

// keep updates what depends on an event: open turns, records of calls and grants.
func (m *Memory) keep(e store.Entry, added event.Event) {
	switch b := added.Body.(type) {
	case event.Said:
		if added.Turn == added.Seq {
			m.open[added.Seq] = added.Chat
		}
	case event.Ended:
		delete(m.open, added.Turn)
	case event.Joined:
		delete(m.open, b.Said)
	case event.Returned:
		if e.Audit != nil {
			a := *e.Audit
			a.ID, a.Time, a.Chat, a.Turn = int64(len(m.audits)+1), added.Time, added.Chat, added.Turn
			a.CallID, a.Tool, a.DurationMS = b.ID, b.Tool, b.DurationMS
			if b.Rule != "" {
				a.Rule = b.Rule
			}
			m.audits = append(m.audits, a)
		}
	case event.Decided:
		for _, g := range e.Grants {
			g.ID, g.Time, g.By = int64(len(m.grants)+1), added.Time, cmp.Or(g.By, b.By)
			m.grants = append(m.grants, g)
		}
	}
}

// Since implements [store.Journal].
func (m *Memory) Since(ctx context.Context, prefix string, after int64) iter.Seq2[event.Event, error] {
	return m.read(ctx, after, func(chat event.Chat) bool { return strings.HasPrefix(string(chat), prefix) })
}

// Chat is that of [store.DB].
func (m *Memory) Chat(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
	return m.read(ctx, after, func(name event.Chat) bool { return name == chat })
}

func (m *Memory) read(ctx context.Context, after int64, wanted func(event.Chat) bool) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		for i := max(after, 0); ; i++ {
			var rows []row
			if err := m.do(ctx, func() error { rows = m.rows; return nil }); err != nil {
				yield(event.Event{}, err)
				return
			}
			if i >= int64(len(rows)) || wanted(rows[i].Chat) && !yield(rows[i].decoded(), nil) {
				return
			}
		}
	}
}

// Keyed is that of [store.DB].
func (m *Memory) Keyed(ctx context.Context, chat event.Chat, key string) (seq int64, err error) {
	err = m.do(ctx, func() error { seq = m.keys[chatKey{chat, key}]; return nil })
	return seq, err
}

// Mark implements [store.Journal].
func (m *Memory) Mark(ctx context.Context, reader string, seq int64) error {
	if reader == "" || seq < 0 {
		return fmt.Errorf("mark %q at %d: the reader has no name, or the number is negative", reader, seq)
	}
	return m.do(ctx, func() error { m.marks[reader] = max(m.marks[reader], seq); return nil })
}

// Marked implements [store.Journal].
func (m *Memory) Marked(ctx context.Context, reader string) (seq int64, err error) {
	err = m.do(ctx, func() error { seq = m.marks[reader]; return nil })
	return seq, err
}

// OpenTurns is that of [store.DB].
func (m *Memory) OpenTurns(ctx context.Context, chat event.Chat) (turns []int64, err error) {
	err = m.do(ctx, func() error {
		for _, turn := range slices.Sorted(maps.Keys(m.open)) {
			if m.open[turn] == chat {
				turns = append(turns, turn)
			}
		}
		return nil
	})
	return turns, err
}

// Last is that of [store.DB].
func (m *Memory) Last(ctx context.Context, chat event.Chat) (seq int64, err error) {
	err = m.do(ctx, func() error {
		for _, r := range m.rows {
			if chat == "" || r.Chat == chat {
				seq = r.Seq
			}
		}
		return nil
	})
	return seq, err
}

// ChatsOf is that of [store.DB].
func (m *Memory) ChatsOf(ctx context.Context, prefix string) (chats []event.Chat, err error) {
	err = m.do(ctx, func() error {
		for _, r := range m.rows {
			if strings.HasPrefix(string(r.Chat), prefix) {
				chats = append(chats, r.Chat)
			}
		}
		slices.Sort(chats)
		chats = slices.Compact(chats)
		return nil
	})
	return chats, err
}

// Audits returns all records of calls, the newest first. They are no chain, and there are no filters.
func (m *Memory) Audits(ctx context.Context, f store.AuditFilter) (all []event.Audit, err error) {
	if f != (store.AuditFilter{}) {
		return nil, errors.New("the fake journal does not filter records of calls")
	}
	err = m.do(ctx, func() error { all = slices.Clone(m.audits); return nil })
	slices.Reverse(all)
	return all, err
}

// Grants returns the grants that came with decisions, the oldest first.
func (m *Memory) Grants(ctx context.Context) (all []event.Grant, err error) {
	err = m.do(ctx, func() error { all = slices.Clone(m.grants); return nil })
	return all, err
}
