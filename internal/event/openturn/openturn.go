// Package openturn is what every surface knows of the turns of a chat that have begun and not ended.
package openturn

import "slices"

// Turn is an open turn. A surface embeds it in what it keeps of the turn itself.
type Turn struct {
	Seq     int64 // of what was said
	Command bool  // a person called a tool: its result is no Markdown
	Parked  bool  // it waits for the model
}

func (t *Turn) base() *Turn { return t }

// List are the open turns of a chat, in the order in which they run. T is a pointer to what embeds a [Turn].
type List[T interface{ base() *Turn }] []T

// Running returns the turn that runs, or will run next, or nil.
func (l List[T]) Running() (none T) {
	for _, t := range l {
		if !t.base().Parked {
			return t
		}
	}
	return none
}

// Find returns a turn, or nil.
func (l List[T]) Find(seq int64) (none T) {
	for _, t := range l {
		if t.base().Seq == seq {
			return t
		}
	}
	return none
}

// Close takes a turn out that has ended, or has joined another.
func (l *List[T]) Close(seq int64) {
	*l = slices.DeleteFunc(*l, func(t T) bool { return t.base().Seq == seq })
}
