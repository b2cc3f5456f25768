package gamemaster

import (
	"context"

	"hob/internal/event"
	"hob/internal/game/eventlog"
	"hob/internal/tools"
)

// isStranger reports whether the words of a caller may come from somebody whom the owner does not
// trust: they have that label, or come from a group or from a person without the rights of an
// owner.
func isStranger(c tools.Caller) bool {
	return c.Label.Untrusted || c.Platform != "" && (c.Scope == "group" || c.Level < event.BotAdmin)
}

// guardedLog is the log of a campaign. Before somebody untrusted writes to it, the campaign becomes
// untrusted, so no other chat reads their words unlabelled. An undo does not take the label back.
type guardedLog struct {
	eventlog.Storage
	camp *campaign
}

// Append implements [eventlog.Storage]. What it changes of the story is the caller's.
func (l guardedLog) Append(ctx context.Context, n int64, line []byte, request string) error {
	caller := tools.CallerFrom(ctx)
	ctx = event.WithCause(ctx, caller.Cause("story"))
	if isStranger(caller) {
		if err := l.camp.m.cfg.Campaigns.Distrust(ctx, l.camp.id); err != nil {
			return err
		}
	}
	return l.Storage.Append(ctx, n, line, request)
}

// guardLog returns the guarded log of the campaign, with its cache if it has one.
func (camp *campaign) guardLog() eventlog.Storage {
	log := guardedLog{camp.m.cfg.Campaigns.Log(camp.id), camp}
	if cache, ok := log.Storage.(eventlog.SnapshotStorage); ok {
		return struct {
			guardedLog
			eventlog.SnapshotStorage
		}{log, cache}
	}
	return log
}

// labelOf returns the source of the campaign's text. It covers everything that was read before the
// call.
func (camp *campaign) labelOf(ctx context.Context) (event.Label, error) {
	return camp.m.cfg.Campaigns.Label(ctx, camp.id)
}

// fence returns a function that fences text of an untrusted campaign for a prompt, nil for a
// trusted one.
func (camp *campaign) fence(ctx context.Context) (func(string) string, error) {
	from, err := camp.labelOf(ctx)
	if err != nil || !from.Untrusted || camp.m.cfg.Fence == nil {
		return nil, err
	}
	return func(text string) string { return camp.m.cfg.Fence(text, from) }, nil
}
