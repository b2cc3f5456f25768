package llm

import "context"

// Position is where a request stands in the queue for the model. All requests of one turn, those that its tools make
// included, have the position of the turn.
type Position struct {
	Turn int64 // rises with the time at which turns began
}

type positionKey struct{}

// WithPosition returns a context whose requests stand at p.
func WithPosition(ctx context.Context, p Position) context.Context {
	return context.WithValue(ctx, positionKey{}, p)
}

// PositionFrom returns the position that ctx carries, or the zero Position: before everybody else.
func PositionFrom(ctx context.Context) Position {
	p, _ := ctx.Value(positionKey{}).(Position)
	return p
}
