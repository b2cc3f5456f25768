// Package race tells tests whether they run under the race detector, which makes a program ten times slower. What then takes
// minutes and shares nothing between goroutines leaves itself out: SQLite's translation from C, whole hobs that are started for
// each case, commands in walls.
package race

import (
	"fmt"
	"os"
	"testing"
)

// Skip skips a test under the race detector.
func Skip(t testing.TB, why string) {
	t.Helper()
	if On {
		t.Skip("not under the race detector: " + why)
	}
}

// SkipAll ends a test program under the race detector. TestMain calls it.
func SkipAll(why string) {
	if On {
		fmt.Println("not under the race detector:", why)
		os.Exit(0)
	}
}
