package llm

import "context"

// Priority says who waits for a reply. Lower goes first.
type Priority int

// The priorities. The zero Priority is a person's.
const (
	ForPerson Priority = iota // somebody waits for the answer
	ForJob                    // a job that somebody approved
	ForUpkeep                 // what nobody waits for
)

// Position is where a request stands in the queue for the model: by Priority, then by Turn. All requests of one turn, those
// that its tools make included, have the place of the turn.
type Position struct {
	Priority Priority
	Turn     int64 // rises with the time at which turns began
}

type placeKey struct{}

// WithPosition returns a context whose requests stand at p.
func WithPosition(ctx context.Context, p Position) context.Context {
	return context.WithValue(ctx, placeKey{}, p)
}

// PositionFrom returns the place that ctx carries, or the zero Place: before everybody else.
func PositionFrom(ctx context.Context) Position {
	p, _ := ctx.Value(placeKey{}).(Position)
	return p
}
