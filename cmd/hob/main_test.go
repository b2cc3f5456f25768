package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"hob/internal/sandbox/inside"
)

// TestMain lets the test binary be hob: for scripts under its name, for other tests with HOB_TEST_MAIN set.
func TestMain(m *testing.M) {
	inside.Enter(os.Args, programs())
	if os.Getenv("HOB_TEST_MAIN") != "" {
		os.Unsetenv("HOB_TEST_MAIN")
		main()
		return
	}
	testscript.Main(m, map[string]func(){"hob": main})
}
