package eventlog_test

import "testing"

// The rows of the conformance file that are about the log.
func TestConformance(t *testing.T) {
	t.Run("turn-engine-13", testPreview)
	t.Run("turn-engine-17", testRequestAgain)
	t.Run("turn-engine-20", testEnded)
	t.Run("turn-engine-22", testRepeats)
}
