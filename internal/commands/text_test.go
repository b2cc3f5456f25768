package commands

import "testing"

// Code that hob has marked in a text of its own is code in Markdown, and all else is text.
func TestEscapeText(t *testing.T) {
	for text, want := range map[string]string{
		"start it with `ollama serve`, or":    "start it with `ollama serve`\\, or",
		"run `hob model pull qw…":             "run `hob model pull qw…`",
		"a *b* <i> `c_*d*`":                   "a \\*b\\* \\<i\\> `c_*d*`",
		"nothing `` in it\nand a second line": "nothing  in it and a second line",
	} {
		if got := escapeText(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
