package app

import (
	"context"
	"runtime/debug"
	"time"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/store"
)

// IdleAfter is how long nothing is journaled before the daemon counts as idle.
const IdleAfter = 2 * time.Second

// idleCollector is a journal of a daemon that gives memory back to the machine when it falls silent. While there is work, the heap may be
// twice what is in use, which halves what collecting it takes of a turn; between turns the model needs the memory more.
type idleCollector struct {
	session.Journal
	timer *time.Timer
}

func newIdleCollector(j session.Journal) idleCollector {
	return idleCollector{j, time.AfterFunc(IdleAfter, debug.FreeOSMemory)}
}

// Append implements [store.Journal].
func (c idleCollector) Append(ctx context.Context, entries ...store.Entry) ([]event.Event, error) {
	c.timer.Reset(IdleAfter)
	return c.Journal.Append(ctx, entries...)
}
