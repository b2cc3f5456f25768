package gamemaster

import (
	"context"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/game/eventlog"
	"hob/internal/tools"
)

// isStranger reports whether somebody whom the owner does not trust may have written the words of a caller: they are
// labelled so, or they come from a group or from a person without an owner's rights.
func isStranger(c tools.Caller) bool {
	return c.Label.Untrusted || c.Platform != "" && (c.Scope == "group" || c.Level < event.BotAdmin)
}

// mostWhat is how many characters of a player's words name a turn in the list of what can be taken back.
const mostWhat = 60

// guardedLog is the log of a campaign. Before somebody untrusted writes to it, the whole campaign becomes untrusted, so
// that their words carry a label in every chat. Undo does not change that.
type guardedLog struct {
	eventlog.Storage
	camp *campaign
}

// Append implements [eventlog.Storage]. It also records whose change it is and the words that asked for it, so that
// they can find it and take it back.
func (l guardedLog) Append(ctx context.Context, n int64, line []byte, request string) error {
	caller := tools.CallerFrom(ctx)
	cause := caller.Cause("story")
	if s := l.camp.stateOf(caller.Chat); s.turn == caller.Turn {
		cause.What = display.Truncate(display.Join(s.words), mostWhat)
	}
	ctx = event.WithCause(ctx, cause)
	if isStranger(caller) {
		if err := l.camp.m.cfg.Campaigns.Distrust(ctx, l.camp.id); err != nil {
			return err
		}
	}
	return l.Storage.Append(ctx, n, line, request)
}

// Number implements [eventlog.NumberedStorage].
func (l guardedLog) Number(ctx context.Context, commitment string, turn int64) (int64, error) {
	if log, ok := l.Storage.(eventlog.NumberedStorage); ok {
		return log.Number(ctx, commitment, turn)
	}
	return 0, nil
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

// labelOf returns the source of the campaign's text. It covers all that was read before the call.
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
