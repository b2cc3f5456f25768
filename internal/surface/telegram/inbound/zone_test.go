package inbound

import (
	"os"
	"testing"
	"time"
)

// TestMain has the tests happen in one time zone, wherever they are run: people are told the time of theirs.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}
