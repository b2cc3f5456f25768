package queue

import (
	"testing"
	"time"
)

// An estimate is written no more exactly than it is known.
func TestCoarse(t *testing.T) {
	for seconds, want := range map[float64]string{
		1: "1 s", 1.4: "1 s", 4.4: "4 s", 4.9: "5 s", 5: "5 s", 8: "10 s", 12: "10 s", 29: "30 s", 31: "30 s", 36: "40 s",
		60: "60 s", 114: "110 s", 116: "2 min", 149: "2 min", 151: "3 min", 5400: "90 min",
	} {
		if got := roundWait(time.Duration(seconds * float64(time.Second))); got != want {
			t.Errorf("%v s is written %q, want %q", seconds, got, want)
		}
	}
}
