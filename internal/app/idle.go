package app

import (
	"context"
	"runtime/debug"
	"time"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/store"
)

// IdleAfter is how long the journal is quiet before the daemon counts as idle.
const IdleAfter = 2 * time.Second

// idleCollector is a journal that returns free memory to the system once the daemon is idle. During
// a turn a larger heap makes garbage collection cheaper; between turns the model needs the memory
// more.
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
