package llm

import "context"

// Priority says how urgent a reply is. Lower goes first.
type Priority int

// The priorities. The zero Priority is a person's.
const (
	ForPerson Priority = iota // a person waits for the answer
	ForJob                    // a job that a person approved
)

// Position is the place of a request in the queue for the model: by Priority, then by Turn. All
// requests of one turn, including those of its tools, have the turn's position.
type Position struct {
	Priority Priority
	Turn     int64 // rises with the start time of turns
}

type placeKey struct{}

// WithPosition returns a context whose requests have position p.
func WithPosition(ctx context.Context, p Position) context.Context {
	return context.WithValue(ctx, placeKey{}, p)
}

// PositionFrom returns the position in ctx, or the zero Position, which goes first.
func PositionFrom(ctx context.Context) Position {
	p, _ := ctx.Value(placeKey{}).(Position)
	return p
}
