package store

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"hob/internal/event"
)

// Memory is a journal that keeps nothing when the process ends: the fake for tests of sessions and of Telegram. It does what
// [DB], [Deliveries] and [People] do, and passes the same suite. It starts no goroutine, and costs a tenth of what SQLite does
// where the race detector watches.
type Memory struct {
	now func() time.Time

	mu     sync.Mutex
	rows   []row // in order; rows[i].seq is i+1
	keys   map[[2]string]int64
	open   map[int64]string // turn to chat
	marks  map[string]int64
	audits []event.Audit // a record's ID is its place, counted from 1
	grants []event.Grant // likewise
	post   memoryPost
}

// NewMemory returns an empty journal whose events happen at now().
func NewMemory(now func() time.Time) *Memory {
	return &Memory{
		now:   now,
		keys:  map[[2]string]int64{},
		open:  map[int64]string{},
		marks: map[string]int64{},
	}
}

// Append implements [Journal].
func (m *Memory) Append(ctx context.Context, entries ...Entry) ([]event.Event, error) {
	rows, err := rowsOf(entries)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("append to journal: %w", err)
	}
	err = taken(rows, func(chat, key string) (int64, error) { return m.keys[[2]string{chat, key}], nil })
	if err != nil {
		return nil, err
	}
	number(rows, int64(len(m.rows)), m.now())
	events := eventsOf(rows)
	if err := m.keep(rows); err != nil {
		return nil, fmt.Errorf("append to journal: %w", err)
	}
	for _, r := range rows {
		if r.key != "" {
			m.keys[[2]string{r.chat, r.key}] = r.seq
		}
		switch {
		case r.typ == event.Said{}.Type() && r.turn == r.seq:
			m.open[r.turn] = r.chat
		case r.typ == event.Ended{}.Type():
			delete(m.open, r.turn)
		case r.typ == event.Joined{}.Type():
			delete(m.open, r.decoded.(event.Joined).Said)
		}
		r.decoded, r.audit, r.grants = nil, nil, nil // every reader gets a body of its own
		m.rows = append(m.rows, r)
	}
	return events, nil
}

// Since implements [Journal].
func (m *Memory) Since(ctx context.Context, prefix string, after int64) iter.Seq2[event.Event, error] {
	return m.read(ctx, after, func(chat string) bool { return strings.HasPrefix(chat, prefix) })
}

// Chat is Since for the one chat of exactly that name.
func (m *Memory) Chat(ctx context.Context, chat event.Chat, after int64) iter.Seq2[event.Event, error] {
	return m.read(ctx, after, func(name string) bool { return name == string(chat) })
}

func (m *Memory) read(ctx context.Context, after int64, want func(chat string) bool) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		for i := max(after, 0); ; i++ {
			if err := ctx.Err(); err != nil {
				yield(event.Event{}, fmt.Errorf("read journal: %w", err))
				return
			}
			r, ok := m.row(i)
			if !ok {
				return
			}
			if !want(r.chat) {
				continue
			}
			if !yield(r.event(), nil) {
				return
			}
		}
	}
}

func (m *Memory) row(i int64) (row, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i >= int64(len(m.rows)) {
		return row{}, false
	}
	return m.rows[i], true
}

// Keyed is that of [DB].
func (m *Memory) Keyed(_ context.Context, chat event.Chat, key string) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.keys[[2]string{string(chat), key}], nil
}

// Mark implements [Journal].
func (m *Memory) Mark(ctx context.Context, reader string, seq int64) error {
	if err := checkMark(reader, seq); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("mark %s: %w", reader, err)
	}
	m.marks[reader] = max(m.marks[reader], seq)
	return nil
}

// Marked implements [Journal].
func (m *Memory) Marked(ctx context.Context, reader string) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("read mark of %s: %w", reader, err)
	}
	return m.marks[reader], nil
}

// Chats is [DB.Chats].
func (m *Memory) Chats(ctx context.Context) ([]ChatInfo, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("list chats: %w", err)
	}
	infos := map[string]*ChatInfo{}
	for _, r := range m.rows {
		if infos[r.chat] == nil {
			infos[r.chat] = &ChatInfo{Chat: event.Chat(r.chat)}
		}
		infos[r.chat].Last, infos[r.chat].Time = r.seq, time.UnixMilli(r.time).UTC()
	}
	for _, turn := range slices.Sorted(maps.Keys(m.open)) {
		info := infos[m.open[turn]]
		info.Open = append(info.Open, turn)
	}
	var chats []ChatInfo
	for _, name := range slices.Sorted(maps.Keys(infos)) {
		chats = append(chats, *infos[name])
	}
	return chats, nil
}

// OpenTurns is [DB.OpenTurns].
func (m *Memory) OpenTurns(ctx context.Context, chat event.Chat) (turns []int64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("read journal: %w", err)
	}
	for _, turn := range slices.Sorted(maps.Keys(m.open)) {
		if m.open[turn] == string(chat) {
			turns = append(turns, turn)
		}
	}
	return turns, nil
}

// Last is [DB.Last].
func (m *Memory) Last(ctx context.Context, chat event.Chat) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("read end of journal: %w", err)
	}
	for _, r := range slices.Backward(m.rows) {
		if chat == "" || r.chat == string(chat) {
			return r.seq, nil
		}
	}
	return 0, nil
}

// ChatsOf is [DB.ChatsOf].
func (m *Memory) ChatsOf(ctx context.Context, prefix string) ([]event.Chat, error) {
	all, err := m.Chats(ctx)
	return withPrefix(all, prefix), err
}

// Search is [DB.Search].
func (m *Memory) Search(ctx context.Context, chat event.Chat, words string, limit int) ([]event.Event, error) {
	m.mu.Lock()
	rows := m.rows // rows are only ever added, and none is changed
	m.mu.Unlock()
	f := newFinder(words, limit)
	for _, r := range slices.Backward(rows) {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("search journal: %w", err)
		}
		if !f.wants() {
			break
		}
		if r.chat != string(chat) {
			continue
		}
		f.look(r)
	}
	return f.found, nil
}

// lock locks, unless the context has ended.
func (m *Memory) lock(ctx context.Context, what string) (unlock func(), err error) {
	m.mu.Lock()
	if err := ctx.Err(); err != nil {
		m.mu.Unlock()
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return m.mu.Unlock, nil
}

// record appends records, all or none.
func (m *Memory) record(records []event.Audit) error {
	c, all := chain{}, slices.Clip(m.audits)
	if n := len(all); n > 0 {
		c = chain{all[n-1].ID, all[n-1].Hash}
	}
	for _, a := range records {
		a, err := c.link(a)
		if err != nil {
			return err
		}
		all = append(all, a)
	}
	m.audits = all
	return nil
}

// keep keeps what belongs to rows beside their events, all or nothing.
func (m *Memory) keep(rows []row) error {
	var records []event.Audit
	for _, r := range rows {
		if r.audit != nil {
			a := *r.audit
			a.Time = time.UnixMilli(r.time)
			records = append(records, a)
		}
	}
	if err := m.record(records); err != nil {
		return err
	}
	for _, r := range rows {
		for _, g := range r.grants {
			m.grant(g, time.UnixMilli(r.time))
		}
	}
	return nil
}

// AppendAudit is [DB.AppendAudit].
func (m *Memory) AppendAudit(ctx context.Context, records ...event.Audit) error {
	unlock, err := m.lock(ctx, "record a call")
	if err != nil {
		return err
	}
	defer unlock()
	records = slices.Clone(records)
	for i := range records {
		if records[i].Time.IsZero() {
			records[i].Time = m.now()
		}
	}
	if err := m.record(records); err != nil {
		return fmt.Errorf("record a call: %w", err)
	}
	return nil
}

// Audits is [DB.Audits].
func (m *Memory) Audits(ctx context.Context, f AuditFilter) ([]event.Audit, error) {
	unlock, err := m.lock(ctx, "read the records of calls")
	if err != nil {
		return nil, err
	}
	defer unlock()
	var found []event.Audit
	for _, a := range slices.Backward(m.audits) {
		if f.picks(a) && (f.Limit <= 0 || len(found) < f.Limit) {
			a.Repairs = slices.Clone(a.Repairs)
			found = append(found, a)
		}
	}
	return found, nil
}

func (m *Memory) grant(g event.Grant, now time.Time) {
	for _, there := range m.grants {
		if there.Tool == g.Tool && there.Host == g.Host && there.Path == g.Path {
			return
		}
	}
	g.ID, g.Time = int64(len(m.grants)+1), time.UnixMilli(now.UnixMilli()).UTC()
	m.grants = append(m.grants, g)
}

// Grants returns the grants that were given with decisions, the oldest first.
func (m *Memory) Grants(ctx context.Context) ([]event.Grant, error) {
	unlock, err := m.lock(ctx, "read the grants")
	if err != nil {
		return nil, err
	}
	defer unlock()
	return slices.Clone(m.grants), nil
}
