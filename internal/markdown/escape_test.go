package markdown_test

import (
	"testing"

	"hob/internal/markdown"
)

func TestPlain(t *testing.T) {
	for given, want := range map[string]string{
		"": "",
		"**Taken back** " + markdown.Escape("a_b*c.txt"): "Taken back a_b*c.txt",
		"one  \ntwo":     "one\ntwo",
		`a \\ b`:         `a \ b`,
		`ends with \`:    `ends with \`,
		"`/tools fetch`": "`/tools fetch`",
	} {
		if got := markdown.Plain(given); got != want {
			t.Errorf("%q became %q, not %q", given, got, want)
		}
	}
}
