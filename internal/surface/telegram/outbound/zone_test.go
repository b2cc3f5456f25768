package outbound

import (
	"os"
	"testing"
	"time"
)

// TestMain runs the tests in one time zone: messages name times in the zone of the machine.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}
