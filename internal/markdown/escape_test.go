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

// Backslashes and entities are resolved once, and what is neither stays.
func TestUnescape(t *testing.T) {
	for text, want := range map[string]string{
		`a\*b\\*c`: `a*b\*c`, `\a \`: `\a \`, "&amp;lt; &lt; &#65;&#x42; &euro;": "&lt; < AB €", "&notit; &nothing; &;&# &#x;": "&notit; &nothing; &;&# &#x;", `\&amp;`: "&amp;",
	} {
		if got := markdown.Unescape(text); got != want {
			t.Errorf("of %q came %q, want %q", text, got, want)
		}
	}
}
