package campaigns

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"hob/internal/event"
	"hob/internal/game/eventlog"
	"hob/internal/store"
)

// EventLog is the log of one campaign in the journal's file.
type EventLog struct {
	db   *store.Campaigns
	id   string
	made *event.Change // where not nil: gets the last change that an entry came to
}

// load calls do with the campaign.
func (l EventLog) load(ctx context.Context, do func(*eventlog.Log) error) error {
	t, err := eventlog.Load(ctx, l, Options())
	if err != nil {
		return fmt.Errorf("load campaign %s: %w", l.id, err)
	}
	return do(t)
}

// Append implements [eventlog.Storage].
func (l EventLog) Append(ctx context.Context, n int64, line []byte, request string) error {
	var way store.StoryMove
	if m, moves := eventlog.MoveFrom(ctx); moves {
		way.Fresh = m.Played
		for _, turn := range m.Turns {
			way.States = append(way.States, stateAt(m.Commitment, turn))
		}
	}
	made, err := l.db.AppendMove(ctx, l.id, n, line, request, way)
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return eventlog.ErrStale
	}
	if l.made != nil && len(made) > 0 {
		*l.made = made[len(made)-1]
	}
	return err
}

// Number implements [eventlog.NumberedStorage].
func (l EventLog) Number(ctx context.Context, commitment string, turn int64) (int64, error) {
	return l.db.ChangeTo(ctx, l.id, stateAt(commitment, turn))
}

// stateAt is the state of a story in the log of changes: the last turn that changed something, and whose story it is.
func stateAt(commitment string, turn int64) []byte {
	return fmt.Appendf(nil, `{"turn":%d,"story":%q}`, turn, commitment)
}

// Line implements [eventlog.Storage].
func (l EventLog) Line(ctx context.Context, n int64) ([]byte, error) {
	line, err := l.db.Entry(ctx, l.id, n)
	if err == nil && line == nil {
		return nil, fmt.Errorf("campaign %q has no entry %d any more: was it removed meanwhile? hob game list says", l.id, n)
	}
	return line, err
}

// Lines implements [eventlog.Storage].
func (l EventLog) Lines(ctx context.Context, from int64) iter.Seq2[[]byte, error] {
	return l.db.Entries(ctx, l.id, from)
}

// Request implements [eventlog.Storage].
func (l EventLog) Request(ctx context.Context, id string) (int64, bool, error) {
	return l.db.EntryOf(ctx, l.id, id)
}

// Snapshot implements [eventlog.SnapshotStorage].
func (l EventLog) Snapshot(ctx context.Context) ([]byte, error) {
	return l.db.Cache(ctx, l.id)
}

// KeepSnapshot implements [eventlog.SnapshotStorage].
func (l EventLog) KeepSnapshot(ctx context.Context, b []byte) error {
	return l.db.SetCache(ctx, l.id, b)
}

// entriesOf returns the lines of a whole log with their request ids.
func entriesOf(ctx context.Context, log *eventlog.MemoryStorage) (list []store.CampaignEntry, err error) {
	requests := log.Requests()
	for line, err := range log.Lines(ctx, 0) {
		if err != nil {
			return nil, err
		}
		list = append(list, store.CampaignEntry{Line: line, Request: requests[len(list)]})
	}
	return list, nil
}
