package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"hob/internal/race"
	"hob/internal/sandbox/inside"
)

// TestMain lets the test binary be hob: for scripts under its name, for other tests with HOB_TEST_MAIN set. With HOB_TEST_MCP it
// is a server of other people's tools.
func TestMain(m *testing.M) {
	inside.Enter(os.Args, programs())
	if os.Getenv(otherServer) != "" {
		os.Exit(beServer())
	}
	if os.Getenv("HOB_TEST_MAIN") != "" {
		main() // the variable stays: this hob may start itself again
		return
	}
	race.SkipAll("whole hobs are started, on SQLite")
	testscript.Main(m, map[string]func(){"hob": main})
}

// notShort leaves a test that takes seconds out of short runs.
func notShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
}
