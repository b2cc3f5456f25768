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

// Place is where a request stands in the queue for the model: by Priority, then by Turn. All requests of one turn, those
// that its tools make included, have the place of the turn.
type Place struct {
	Priority Priority
	Turn     int64 // rises with the time at which turns began
}

type placeKey struct{}

// WithPlace returns a context whose requests stand at p.
func WithPlace(ctx context.Context, p Place) context.Context {
	return context.WithValue(ctx, placeKey{}, p)
}

// PlaceFrom returns the place that ctx carries, or the zero Place: before everybody else.
func PlaceFrom(ctx context.Context) Place {
	p, _ := ctx.Value(placeKey{}).(Place)
	return p
}
