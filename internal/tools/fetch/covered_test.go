package fetch_test

import (
	"testing"

	"hob/internal/tools/toolstest"
)

// TestEveryToolIsTested fails when a tool of this package lacks one of its four tests.
func TestEveryToolIsTested(t *testing.T) {
	toolstest.EveryToolIsTested(t)
}
