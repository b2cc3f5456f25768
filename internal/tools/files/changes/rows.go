package changes

import (
	"context"
	"errors"
	"fmt"

	"hob/internal/event"
)

// Rows is a [Log] that also has changes of rows of hob's store, such as facts: they have names in place of paths.
type Rows interface {
	// Row returns the state of a row; the zero state is no row.
	Row(ctx context.Context, name string) (event.FileState, error)

	// SetRow puts content in the place of the row c.Path, nil for none, if it is as c.Before says, and keeps that
	// change. It returns it as it is kept. Both happen at once, or neither.
	SetRow(ctx context.Context, c event.Change, content []byte) (event.Change, error)

	// ByHob says what hob itself has done to the row since c, such as "it was told already"; "" is nothing.
	ByHob(ctx context.Context, c event.Change) (string, error)
}

// rowState returns what a row is now.
func (w *Writer) rowState(ctx context.Context, name string) (event.FileState, error) {
	rows, ok := w.log.(Rows)
	if !ok {
		return event.FileState{}, errors.New("hob keeps no rows here")
	}
	return rows.Row(ctx, name)
}

// whyChanged says why something is not as c left it.
func (w *Writer) whyChanged(ctx context.Context, c event.Change) string {
	if rows, ok := w.log.(Rows); ok && c.IsRow() {
		if why, err := rows.ByHob(ctx, c); err == nil && why != "" {
			return why
		}
	}
	return "it was changed since by somebody else"
}

// revertRow takes the change of a row back, if the row is still what it was when it was looked at.
func (w *Writer) revertRow(ctx context.Context, t reversal) (by event.Change, err error) {
	rows, ok := w.log.(Rows)
	if !ok {
		return by, errors.New("hob keeps no rows here")
	}
	var content []byte
	if t.change.Before.HasContent() {
		if content, err = w.log.Image(ctx, t.change.Before.Sum); err != nil {
			return by, err
		}
	}
	by, err = rows.SetRow(ctx, event.Change{Cause: t.cause(ctx), Path: t.change.Path, Before: t.found}, content)
	if err != nil {
		return by, fmt.Errorf("%s: %w", t.change.Path, err)
	}
	return by, nil
}
