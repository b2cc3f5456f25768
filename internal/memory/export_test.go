package memory

import (
	"strings"

	"hob/internal/event"
)

// Terms returns what a fact is found by.
func Terms(f event.Fact) string { return strings.Join(newReader().terms(f.Text, f.Key), " ") }
