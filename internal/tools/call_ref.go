package tools

import (
	"context"
	"slices"

	"hob/internal/excerpt"
)

// CallRef says which call of its turn a call is.
type CallRef struct {
	ID    string // of the call
	Reply int    // which reply of the turn made it, from 1
	Index int    // which of the reply's calls it is, from 0
	From  CallOrigin
}

// CallOrigin is who made a call.
type CallOrigin int

// The origins of calls.
const (
	FromModel   CallOrigin = iota
	FromPlan               // the driver of the chat, from a person's plain words
	FromCommand            // a person, by the tool's name
)

// Task is what a tool can know of the turn that it is called in, to show the part of a long result that matters there. The
// zero Task is that of a call by hand.
type Task struct {
	Words excerpt.Query // of the person
	List  []string      // the names of the tools that the model sees
}

// HasSearch reports whether the model can search in a file or a stored result.
func (t Task) HasSearch() bool { return slices.Contains(t.List, "search_files") }

type taskKey struct{}

// WithTask returns a context that carries t.
func WithTask(ctx context.Context, t Task) context.Context {
	return context.WithValue(ctx, taskKey{}, t)
}

// TaskFrom returns the task that ctx carries, or the zero Task.
func TaskFrom(ctx context.Context) Task {
	t, _ := ctx.Value(taskKey{}).(Task)
	return t
}
