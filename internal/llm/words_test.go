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

// A person's own words have no line in brackets and no text of a skill, wherever these stand; a skill that does not end is a line.
func TestOwnWords(t *testing.T) {
	const now, skill = "[Monday 2026-11-23 02:58 UTC]\n", "[The skill notes is open.]\nA text.\n\nMore [of it].\n[End of the skill notes.]"
	for text, want := range map[string]string{
		"go on\n" + now + "and on":                "go on\nand on",
		skill + "\n\ngo on":                       "\n\ngo on",
		"go on\n\n" + skill:                       "go on\n",
		"go on\n" + now + skill + "\nand [so] on": "go on\n\nand [so] on",
		"[The skill notes is open.]\ngo on":       "go on",
		"[not] a line\nnor [this]":                "[not] a line\nnor [this]",
		"":                                        "",
	} {
		if got := llm.OwnWords(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// What the runtime writes in a user's place is no message of a person.
func TestIsPersons(t *testing.T) {
	for m, want := range map[*llm.Message]bool{
		{Role: llm.UserRole, Text: "hello"}:                        true,
		{Role: llm.UserRole, Text: "[hob: steps so far:\n- look]"}: false,
		{Role: llm.UserRole, Text: "[note: go on]", Note: true}:    false,
		{Role: llm.AssistantRole, Text: "hello"}:                   false,
	} {
		if got := m.IsPersons(); got != want {
			t.Errorf("%q of %s: %v", m.Text, m.Role, got)
		}
	}
}
