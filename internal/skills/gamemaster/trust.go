package gamemaster

import (
	"context"

	"hob/internal/event"
	"hob/internal/game/saga"
	"hob/internal/tools"
)

// isStranger reports whether the words that a caller brings into a story may be those of somebody whom the owner does not trust: they
// have that label, they come from a group, or from a person who may not answer questions either.
func isStranger(c tools.Caller) bool {
	return c.Label.Untrusted || c.Platform != "" && (c.Scope == "group" || c.Level < event.BotAdmin)
}

// guardedLog is the log of a table. Before somebody untrusted writes to it, the campaign becomes untrusted: no other chat reads their words
// before it knows that. What is written may be taken back later, but not that.
type guardedLog struct {
	saga.Log
	camp *campaign
}

// Append implements [saga.Log].
func (l guardedLog) Append(ctx context.Context, n int64, line []byte, request string) error {
	if isStranger(tools.CallerFrom(ctx)) {
		if err := l.camp.m.cfg.Campaigns.Distrust(ctx, l.camp.id); err != nil {
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

// labelOf says where the text of the table's campaign comes from. What was read of it before has that label at the latest.
func (camp *campaign) labelOf(ctx context.Context) (event.Label, error) {
	return camp.m.cfg.Campaigns.Label(ctx, camp.id)
}

// fence returns what makes text of the campaign fit for a prompt: a fence around it where the campaign is untrusted, else nil.
func (camp *campaign) fence(ctx context.Context) (func(string) string, error) {
	from, err := camp.labelOf(ctx)
	if err != nil || !from.Untrusted || camp.m.cfg.Fence == nil {
		return nil, err
	}
	return func(text string) string { return camp.m.cfg.Fence(text, from) }, nil
}
