package tools

import (
	"context"
	"slices"

	"hob/internal/excerpt"
)

// CallRef identifies a call in its turn.
type CallRef struct {
	ID    string // of the call
	Reply int    // the number of the reply with the call, from 1
	Index int    // the index of the call in the reply, from 0
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

// Task is what a tool may know about the turn of its call, to select the relevant part of a long
// result. A call by hand has the zero Task.
type Task struct {
	Words excerpt.Query // the person's words
	List  []string      // names of the tools in the model's list
}

// HasSearch reports whether the model can search a file or a stored result.
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
