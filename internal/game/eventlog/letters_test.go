package eventlog_test

import (
	"strings"
	"testing"

	"hob/internal/game/eventlog"
)

func TestLetters(t *testing.T) {
	long := eventlog.Letters([32]byte{9}, 1000, "a")
	if len(long) != 1000 || strings.Trim(long, "abcdefghijklmnopqrstuvwxyz") != "" ||
		!strings.HasPrefix(long, eventlog.Letters([32]byte{9}, 4, "a")) {
		t.Errorf("%q", long)
	}
	all := map[string]bool{
		eventlog.Letters([32]byte{9}, 8, "a", "b"): true, eventlog.Letters([32]byte{9}, 8, "ab"): true,
		eventlog.Letters([32]byte{8}, 8, "ab"):     true,
		eventlog.Letters([32]byte{9}, 8, "b", "a"): true, eventlog.Letters([32]byte{9}, 8, "ab", ""): true,
	}
	if len(all) != 5 {
		t.Errorf("other words have the same letters: %v", all)
	}
}
