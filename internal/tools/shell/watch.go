package shell

import (
	"context"
	"time"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/files/watch"
)

// Watcher looks at the workspace before a command and, by after, when nothing of it runs any more. A [*watch.Watcher] is one.
type Watcher interface {
	Before(ctx context.Context, command string, from event.Label) (after func(context.Context) watch.Seen)
}

// before looks at the workspace before a command; what it returns looks again.
func (s *ShellTool) before(ctx context.Context, command string, from event.Label) (after func(context.Context) watch.Seen) {
	if s.cfg.Watch == nil {
		return func(context.Context) watch.Seen { return watch.Seen{} }
	}
	return s.cfg.Watch.Before(ctx, command, from)
}

// changed looks at the workspace after a command. Who stops a command need not wait until all of it was looked at: that
// goes on beside, and what was changed can be taken back when it is done.
func (s *ShellTool) changed(ctx context.Context, command string, after func(context.Context) watch.Seen) watch.Seen {
	background, whole := s.cfg.Background, context.WithoutCancel(ctx)
	if s.cfg.Watch == nil || background == nil {
		return after(whole)
	}
	done := make(chan watch.Seen, 1)
	if !background.settle(func() { done <- after(whole) }) {
		return after(whole)
	}
	select {
	case seen := <-done:
		return seen
	case <-ctx.Done():
	}
	late := time.NewTimer(lookGrace)
	defer late.Stop()
	select {
	case seen := <-done:
		return seen
	case <-late.C:
		return background.reportLater(tools.CallerFrom(ctx).Chat, command, done)
	}
}
