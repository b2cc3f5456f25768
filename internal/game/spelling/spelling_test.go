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

// Forms of a word are akin, and words that only begin alike are not.
func TestAkin(t *testing.T) {
	for words, want := range map[[2]string]bool{
		{"bell", "bells"}: true, {"boxes", "box"}: true, {"crane", "crane's"}: true, {"bell", "belly"}: false, {"", "bell"}: false,
		{"рука", "руке"}: true, {"яд", "яда"}: true, {"железный", "железным"}: true, {"замок", "замка"}: true, {"огонь", "огня"}: true,
		{"пес", "пса"}: true, {"письмо", "писем"}: true, {"молот", "кирка-молот"}: true, {"камень", "камнями"}: true, {"окно", "окон"}: true,
		{"запад", "запах"}: false, {"замок", "зам"}: false, {"король", "корона"}: false, {"вода", "водит"}: false, {"ель", "ели"}: false,
		{"кот", "кто"}: false,
	} {
		if got := spelling.Akin(words[0], words[1]); got != want || spelling.Akin(words[1], words[0]) != want && words[1] != "кирка-молот" {
			t.Errorf("%v: %v", words, got)
		}
	}
}

func TestLine(t *testing.T) {
	if got := spelling.Line(" one\n\ttwo\x00 \xffthree ", 9); got != "one two …" {
		t.Errorf("%q", got)
	}
}
