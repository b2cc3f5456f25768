package main

import (
	"context"
	"runtime/debug"
	"time"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/store"
)

// calmAfter is how long nothing is journaled before the daemon counts as idle.
const calmAfter = 2 * time.Second

// calm is a journal of a daemon that gives memory back to the machine when it falls silent. While there is work, the heap may be
// twice what is in use, which halves what collecting it takes of a turn; between turns the model needs the memory more.
type calm struct {
	session.Journal
	timer *time.Timer
}

func newCalm(j session.Journal) calm { return calm{j, time.AfterFunc(calmAfter, debug.FreeOSMemory)} }

// Append implements [store.Journal].
func (c calm) Append(ctx context.Context, entries ...store.Entry) ([]event.Event, error) {
	c.timer.Reset(calmAfter)
	return c.Journal.Append(ctx, entries...)
}
