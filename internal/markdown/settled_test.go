package markdown_test

import (
	"testing"

	"hob/internal/markdown"
)

// A block is settled once whatever follows is another one. What is settled stands before the bar.
func TestSettled(t *testing.T) {
	for _, c := range []struct{ settled, rest string }{
		{"", ""},
		{"", "\n"},
		{"", "one line"},
		{"", "one line\n"},
		{"one\n\n", "tw"},
		{"one\n\n", ""},
		{"one\r\n\r\n", "two"},
		{"# head\n", "text"},
		{"one\n\n", "two\n"},
		{"one\n", "- first\n"},
		{"", "- first\n\n"},
		{"", "- first\n\n  of it\n"},
		{"- first\n\n", "text\n"},
		{"", "1. a\n\n2. b\n"},
		{"one\n\n", "```\ncode\n\nmore\n"},
		{"```\ncode\n\nmore\n```\n", "text"},
		{"", "| a |\n|---|\n| b |\n"},
		{"| a |\n|---|\n| b |\n\n", "text"},
		{"", "> quoted\n"},
		{"> quoted\n\n", "text\n"},
	} {
		if n := markdown.Settled(c.settled + c.rest); n != len(c.settled) {
			t.Errorf("of %q %d bytes are settled, want %d", c.settled+c.rest, n, len(c.settled))
		}
	}
}
