package llm_test

import (
	"testing"

	"hob/internal/llm"
)

// A message loses the line with the time, before or behind the text of a skill, and nothing else.
func TestWithoutTime(t *testing.T) {
	const now, skill = "[Monday 2026-11-23 02:58 UTC]\n\n", "[The skill notes is open.]\nA text.\n\nMore.\n[End of the skill notes.]\n\n"
	for text, want := range map[string]string{
		now + "go on":                      "go on",
		skill + now + "go on":              skill + "go on",
		now + skill + "go on":              skill + "go on",
		"go on\n\n" + now + "and on":       "go on\n\n" + now + "and on",
		"[Monday] at noon\n\ngo on":        "[Monday] at noon\n\ngo on",
		"[The skill is not closed.]\n\ngo": "[The skill is not closed.]\n\ngo",
		"":                                 "",
	} {
		if got := llm.WithoutTime(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
