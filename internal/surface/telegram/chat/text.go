package chat

import "hob/internal/display"

// OneLine shortens a text that a stranger may have chosen to one line without brackets, which here
// mark hob's own words.
func OneLine(s string, limit int) string {
	return display.Truncate(display.Visible(display.Without(s, "[]<>")), limit)
}
