package cli

import "hob/internal/display"

const emojiPresentation = '\uFE0F' // shows the rune before it as an emoji, two columns wide

// Width returns the columns that s takes. Where terminals differ it is the larger number, so that a line is
// never longer than it was thought to be.
func Width(s string) int {
	width, before := 0, 0
	for _, r := range s {
		w := display.RuneWidth(r)
		if r == emojiPresentation && before == 1 {
			w = 1
		}
		width += w
		before = w
	}
	return width
}

// truncate cuts s to the width, with an ellipsis where it cut. A width of 0 cuts nothing.
func truncate(s string, width int) string {
	if width <= 0 || Width(s) <= width {
		return s
	}
	used, before := 0, 0
	for i, r := range s {
		w := display.RuneWidth(r)
		if r == emojiPresentation && before == 1 {
			w = 1
		}
		if used+w > width-1 {
			return s[:i] + "…"
		}
		used += w
		before = w
	}
	return s
}
