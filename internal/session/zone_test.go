package session_test

import (
	"os"
	"testing"
	"time"
)

// TestMain has the tests happen where it is the day that bubbles of time begin with, wherever they
// are run.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}
