package receipt

import (
	"testing"

	"hob/internal/phrases"
)

// Each language has the same words.
func TestWords(t *testing.T) {
	if err := phrases.Check(files); err != nil {
		t.Error(err)
	}
}

// A rule by which a call was denied has words in each language; in English it is its name.
func TestVoice_Rule(t *testing.T) {
	for lang, want := range map[string]string{"": "level", "de": "fehlende Rechte", "ru": "не хватает прав", "zh": "权限不够"} {
		if got := (Language{Name: lang}).voice().rule("level"); got != want {
			t.Errorf("%q: %q, want %q", lang, got, want)
		}
	}
	if got := (Language{Name: "de"}).voice().rule("of-a-server"); got != "of-a-server" {
		t.Errorf("a rule without words is %q", got)
	}
}
