package chat

import "hob/internal/display"

// OneLine makes a short line of a text that a stranger may have chosen. It has no brackets: here they mean that
// hob itself speaks.
func OneLine(s string, limit int) string {
	return display.Truncate(display.Visible(display.Without(s, "[]<>")), limit)
}
