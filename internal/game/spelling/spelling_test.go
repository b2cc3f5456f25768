package spelling_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/spelling"
)

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"Mara’s bone-key, obj_001!": {"mara's", "bone-key", "obj_001"},
		"Ёж нашёл ключ.":            {"еж", "нашел", "ключ"},
		"你拿起钥匙。":                    {"你拿起钥匙"},
		" — ":                       {},
	} {
		if diff := cmp.Diff(want, spelling.Words(text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// The forms of a word have one stem.
func TestStem(t *testing.T) {
	for _, test := range []struct {
		lang  string
		forms []string
	}{
		{"en", []string{"key", "keys", "key's"}}, {"en", []string{"box", "boxes"}}, {"en", []string{"story", "stories"}}, {"en", []string{"glass"}},
		{"ru", []string{"осколок", "осколка", "осколком"}}, {"ru", []string{"галерея", "галерею", "галерей"}}, {"ru", []string{"паук", "паука", "пауками"}},
		{"zh", []string{"钥匙"}},
	} {
		for _, form := range test.forms {
			if got, want := spelling.Stem(test.lang, form), spelling.Stem(test.lang, test.forms[0]); got != want {
				t.Errorf("%s %s: %s, want %s", test.lang, form, got, want)
			}
		}
	}
	if spelling.Stem("en", "glass") != "glass" {
		t.Error("glass is no plural")
	}
}

func TestLine(t *testing.T) {
	if got := spelling.Line(" one\n\ttwo\x00 \xffthree ", 9); got != "one two …" {
		t.Errorf("%q", got)
	}
}
