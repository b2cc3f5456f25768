package atlas_test

import (
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/atlas"
)

// themed has a theme for every line of words there is, in each language.
func themed() map[string]string {
	return map[string]string{
		"cave": "Crystal Cave|Тёмная пещера|钟乳洞", "forest": "Forest|Волчий лес|黑森林", "crypt": "The Crypt|Склеп|地下城",
		"town": "Market|Старый город|小镇", "house": "Haunted House|Особняк|庄园", "ship": "Pirate Ships|На корабле|海盗船",
		"ruin": "Temple|Руины|废墟", "station": "Spaceship|Космическая станция|飞船", "any": "Dreams|Сны|梦境",
	}
}

func TestNamesCarryTheTheme(t *testing.T) {
	names := func(theme, lang string) (all []string) {
		n := atlas.NewNaming(atlas.KeyOf("k", theme), theme, lang)
		for i := range atlas.MaxRooms {
			all = append(all, n.Name(i))
		}
		return all
	}
	for kind, themes := range themed() {
		for _, theme := range strings.Split(themes, "|") {
			for _, lang := range []string{"en", "ru", "zh", "de"} {
				seen := map[string]bool{}
				for i, name := range names(theme, lang) {
					own, found := strings.CutPrefix(name, theme)
					if !found || seen[name] || len(own) < 5 {
						t.Errorf("%s, %s: room %d is called %q", theme, lang, i, name)
					}
					if script(own) != map[string]string{"ru": "ru", "zh": "zh"}[lang] {
						t.Errorf("%s, %s: room %d is called %q", theme, lang, i, name)
					}
					seen[name] = true
				}
				// Another theme of the same kind draws from the same words.
				key := atlas.KeyOf("k")
				word := strings.Split(themes, "|")[0]
				a, b := atlas.NewNaming(key, theme, lang).Name(3), atlas.NewNaming(key, word, lang).Name(3)
				if strings.TrimPrefix(a, theme) != strings.TrimPrefix(b, word) {
					t.Errorf("%s (%s) and %s have other words: %q, %q", theme, kind, word, a, b)
				}
			}
		}
	}
	t.Run("map_generate-04", func(t *testing.T) {
		for _, name := range names("Cave", "en") {
			if !strings.Contains(name, "Cave") {
				t.Errorf("%q does not carry the theme", name)
			}
		}
	})
	t.Run("map_generate-07", func(t *testing.T) {
		for _, blank := range []string{"", "   "} {
			for _, name := range names(blank, "en") {
				if !strings.HasPrefix(name, "Generated: ") {
					t.Errorf("%q does not carry the default", name)
				}
			}
		}
	})
	if diff := cmp.Diff(names("Cave", "zh"), names("Cave", "zh")); diff != "" {
		t.Error(diff)
	}
	if names("Cave", "en")[0] == names("Caves", "en")[0] {
		t.Error("two keys draw the same names")
	}
}

// script returns the language that the letters of a text are of, "" for Latin ones, "mixed" for several.
func script(text string) string {
	found := map[string]bool{}
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Cyrillic, r):
			found["ru"] = true
		case unicode.Is(unicode.Han, r):
			found["zh"] = true
		case unicode.IsLetter(r):
			found[""] = true
		}
	}
	if len(found) != 1 {
		return "mixed"
	}
	for lang := range found {
		return lang
	}
	return ""
}

func TestWhatAThemeIsNot(t *testing.T) {
	key := atlas.KeyOf("k")
	for theme, other := range map[string]string{
		"worship": "ship", "Лестница": "лес", "basement": "base", "Домострой": "дом", "forestry": "forest",
	} {
		a, b := atlas.NewNaming(key, theme, "en").Name(0), atlas.NewNaming(key, other, "en").Name(0)
		if strings.TrimPrefix(a, theme) == strings.TrimPrefix(b, other) {
			t.Errorf("%s is taken for %s: %s", theme, other, a)
		}
	}
}

func TestRoomsAreDescribed(t *testing.T) {
	key := atlas.KeyOf("k")
	for lang, want := range map[string]string{
		"en": "Whoever had something to keep would keep it here.", "ru": "Тот, кому есть что беречь, берёг бы это здесь.",
		"zh": "谁有值得收藏的东西，都会收在这里。", "fr": "Whoever had something to keep would keep it here.",
	} {
		n := atlas.NewNaming(key, "Cave", lang)
		plain, tagged := n.Describe(2, nil), n.Describe(2, []string{"dead_end", "treasure", "unheard of"})
		if !strings.HasPrefix(tagged, plain) || !strings.HasSuffix(tagged, want) || plain == n.Describe(3, nil) {
			t.Errorf("%s: %q and %q", lang, plain, tagged)
		}
	}
}

// Every list is there in every language, as long, and without anything twice.
func TestTheFileOfWords(t *testing.T) {
	text, err := os.ReadFile("words.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 40<<10 {
		t.Errorf("the words are %d bytes", len(text))
	}
	lengths := map[string]map[string]int{} // by the section without its language, and the list
	section, lang := "", ""
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "[") {
			at := strings.LastIndex(line, " ")
			section, lang = line[1:at], strings.TrimSuffix(line[at+1:], "]")
			continue
		}
		name, words, ok := strings.Cut(line, ": ")
		if !ok || line[0] == '#' || section == "match" {
			continue
		}
		list, seen := strings.Split(words, "|"), map[string]bool{}
		for _, word := range list {
			if word == "" || word != strings.TrimSpace(word) || seen[word] {
				t.Errorf("line %d: %q is blank or there twice", i+1, word)
			}
			if want := map[string]string{"ru": "ru", "zh": "zh"}[lang]; script(word) != want {
				t.Errorf("line %d: %q is not %s", i+1, word, lang)
			}
			seen[word] = true
		}
		least := map[string]int{"nouns": 12, "traits": 12, "looks": 6}[name]
		if strings.HasPrefix(section, "zone ") {
			least = map[string]int{"nouns": 8, "traits": 8, "looks": 4, "spots": 9}[name]
		}
		if len(list) < least {
			t.Errorf("line %d: %d words, want %d", i+1, len(list), least)
		}
		key := section + " " + name
		if lengths[key] == nil {
			lengths[key] = map[string]int{}
		}
		lengths[key][lang] = len(list)
	}
	for key, langs := range lengths {
		if len(langs) != 3 || langs["en"] != langs["ru"] || langs["en"] != langs["zh"] {
			t.Errorf("%s: %v", key, langs)
		}
	}
	if len(lengths) != 9*3+5+7*4+3 {
		t.Errorf("there are %d lists", len(lengths))
	}
}
