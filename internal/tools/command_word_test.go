package tools_test

import (
	"testing"

	"hob/internal/tools"
)

func TestIsCommand(t *testing.T) {
	for line, want := range map[string]bool{
		"/weather Berlin": true, " /weather\nBerlin": true, "/天气 北京": true, "/rain-radar.v2": true, "/_x": true, "/ü": true,
		"/etc/fstab is broken": false, "// a comment": false, "/2 of them": false, "/": false, "": false, "/ x": false, "/etc.": false,
		"say /weather": false, "/-rf": false, "/a@b": false, "/wo\u200brd": false, "/a=b": false, "weather": false,
	} {
		if got := tools.IsCommand(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestNearest(t *testing.T) {
	words := []string{"memory", "weather"}
	for word, want := range map[string]string{"memry": "memory", "Wether": "weather", "music": "", "": ""} {
		if got := tools.Nearest(word, words); got != want {
			t.Errorf("%q: %q", word, got)
		}
	}
}
