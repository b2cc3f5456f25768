package origins

import (
	"context"

	"hob/internal/event"
)

// Store remembers which files strangers may have had a hand in: those that were written while a conversation held their
// words, or by a command that could read them. A file carries that as long as it is there, whatever is written to it later.
//
// Paths are absolute and without links. What is said of a folder holds for all below it.
type Store interface {
	// Mark makes durable where the content of files comes from, before it is written.
	Mark(ctx context.Context, paths []string, from event.Label) error
	// Of returns the labels of those of paths, and of the folders they lie in, that are marked.
	Of(ctx context.Context, paths []string) (map[string]event.Label, error)
	// All returns all that is marked.
	All(ctx context.Context) (map[string]event.Label, error)
	// Forget forgets files that are gone, and those that a person has looked through.
	Forget(ctx context.Context, paths []string) error
}

// Kept lists the changes whose files could be brought back.
type Kept interface {
	// Since returns the changes after that number, the newest first.
	Since(ctx context.Context, number int64) ([]event.Change, error)
}
