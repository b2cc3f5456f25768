package show

import "hob/internal/display"

// Name returns a name as one clean line: people may put anything into their own names.
func Name(s string) string { return display.Name(s, mostText) }
