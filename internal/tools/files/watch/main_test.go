package watch_test

import (
	"os"
	"testing"

	"hob/internal/sandbox"
	"hob/internal/sandbox/inside"
)

// TestMain lets the test binary be what attacks the walls in their self-test.
func TestMain(m *testing.M) {
	inside.Enter(os.Args, sandbox.Programs())
	os.Exit(m.Run())
}
