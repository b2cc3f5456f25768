package gamemaster

import (
	"context"

	"hob/internal/event"
	"hob/internal/game/saga"
	"hob/internal/tools"
)

// strange reports whether the words that a caller brings into a story may be those of somebody whom the owner does not trust: they
// have that label, they come from a group, or from a person who may not answer questions either.
func strange(c tools.Caller) bool {
	return c.Label.Untrusted || c.Platform != "" && (c.Scope == "group" || c.Level < event.BotAdmin)
}

// guardedLog is the log of a table. Before somebody untrusted writes to it, the campaign becomes untrusted: no other chat reads their words
// before it knows that. What is written may be taken back later, but not that.
type guardedLog struct {
	saga.Log
	tb *table
}

// Append implements [saga.Log].
func (l guardedLog) Append(ctx context.Context, n int64, line []byte, request string) error {
	if strange(tools.CallerFrom(ctx)) {
		if err := l.tb.m.cfg.Campaigns.Distrust(ctx, l.tb.id); err != nil {
			return err
		}
	}
	return l.Log.Append(ctx, n, line, request)
}

// Snapshot implements [saga.Cache].
func (l guardedLog) Snapshot(ctx context.Context) ([]byte, error) {
	if c, ok := l.Log.(saga.Cache); ok {
		return c.Snapshot(ctx)
	}
	return nil, nil
}

// KeepSnapshot implements [saga.Cache].
func (l guardedLog) KeepSnapshot(ctx context.Context, b []byte) error {
	if c, ok := l.Log.(saga.Cache); ok {
		return c.KeepSnapshot(ctx, b)
	}
	return nil
}

// label says where the text of the table's campaign comes from. What was read of it before has that label at the latest.
func (tb *table) label(ctx context.Context) (event.Label, error) {
	return tb.m.cfg.Campaigns.Label(ctx, tb.id)
}

// fence returns what makes text of the campaign fit for a prompt: a fence around it where the campaign is untrusted, else nil.
func (tb *table) fence(ctx context.Context) (func(string) string, error) {
	from, err := tb.label(ctx)
	if err != nil || !from.Untrusted || tb.m.cfg.Fence == nil {
		return nil, err
	}
	return func(text string) string { return tb.m.cfg.Fence(text, from) }, nil
}
