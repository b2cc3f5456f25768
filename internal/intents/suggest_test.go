package intents_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/intents"
)

// Things that are named alone can be kept, in the language of the chat or of the word for buying.
func TestSuggest_Things(t *testing.T) {
	t.Parallel()
	all := intents.Default()
	for _, c := range []struct{ lang, text, want string }{
		{"", "milk", "add milk to the shopping list"},
		{"en", "buy milk", "add milk to the shopping list"},
		{"en", "Buy oat milk, eggs", "add oat milk, eggs to the shopping list"},
		{"en", "kaufe Milch", "setz Milch auf die Einkaufsliste"},
		{"de", "Batterien", "setz Batterien auf die Einkaufsliste"},
		{"ru", "купи молоко", "добавь молоко в список покупок"},
		{"zh", "买牛奶", "把牛奶加到购物清单"},
		{"zh", "牛奶", "把牛奶加到购物清单"},
	} {
		similar, offers := all.Suggest(c.lang, c.text)
		if len(offers) != 3 || len(similar) > 0 {
			t.Errorf("%q: %v, and near to it %v", c.text, offers, similar)
			continue
		}
		if offers[0].Sentence != c.want {
			t.Errorf("%q: %q, want %q", c.text, offers[0].Sentence, c.want)
		}
		for i, kind := range []string{"list_add", "note", "remind"} {
			if r := all.Read(offers[i].Sentence); r.Kind != kind {
				t.Errorf("%q is read as %q, want %q", offers[i].Sentence, r.Kind, kind)
			}
		}
	}
	for lang, texts := range map[string][]string{
		"en": {"what's the weather", "milk?", "tell me a joke", "sorry, I meant Marta", "yes", "ok", "no milk", "delete #1", "#1", "wait", "the long story of the sea and the boy"},
		"de": {"wie ist das Wetter", "ja", "nicht die Milch", "Milch?"}, "ru": {"какая погода", "нет", "не молоко"}, "zh": {"不要牛奶", "好的", "天气怎么样"},
	} {
		for _, text := range texts {
			if _, offers := all.Suggest(lang, text); len(offers) > 0 {
				t.Errorf("%q: %v", text, offers)
			}
		}
	}
}

// What somebody says of what is theirs can be remembered, in their own words.
func TestSuggest_Facts(t *testing.T) {
	t.Parallel()
	all := intents.Default()
	for text, want := range map[string]string{
		"My birthday is 4 May.": "remember that My birthday is 4 May", "our wifi code is 4711": "remember that our wifi code is 4711",
		"mein Geburtstag ist der 4. Mai": "merk dir: mein Geburtstag ist der 4. Mai", "мой день рождения 4 мая": "запомни, что мой день рождения 4 мая",
		"我的生日是五月四日": "记住：我的生日是五月四日",
	} {
		similar, offers := all.Suggest("", text)
		if len(offers) != 1 || len(similar) > 0 || offers[0].Sentence != want {
			t.Errorf("%q: %v, and near to it %v", text, offers, similar)
		} else if r := all.Read(want); r.Kind != "remember" {
			t.Errorf("%q is read as %q", want, r.Kind)
		}
	}
	for _, text := range []string{"my birthday?", "is my birthday on 4 May", "my shopping list please", "my notes about the boiler", "my dear"} {
		if _, offers := all.Suggest("en", text); len(offers) > 0 {
			t.Errorf("%q: %v", text, offers)
		}
	}
}

// Words that are no chore are near to examples of the help of the kinds that they most likely are of.
func TestSuggest_Similar(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lang, text string
		want       []string
	}{
		{"en", "what did I do today", []string{"what did you do", "what is on tomorrow"}},
		{"en", "which file did you change last", []string{"what did you do"}},
		{"en", "why is the sky blue", nil},
		{"en", "delete the pictures of June", []string{"delete hello.txt"}},
		{"de", "lösche alle meine Bilder aus dem Urlaub", nil},
	} {
		similar, _ := intents.Default().Suggest(c.lang, c.text)
		if diff := cmp.Diff(c.want, similar); diff != "" {
			t.Errorf("%q (-want +got)\n%s", c.text, diff)
		}
	}
}

func anyExample(string) bool { return true }

// The help has the examples that may be said, and is as it is written where all may be.
func TestHelp_OfWhatMayBeSaid(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{
		"en": "- what's on the shopping list\n", "de": "- was steht auf der Einkaufsliste\n", "ru": "- что в списке покупок\n", "zh": "- 购物清单上有什么\n",
	} {
		s := intents.Default()
		help := s.Help(lang, func(example string) bool {
			return !strings.HasPrefix(s.Read(example).Kind, "list_") || s.Read(example).Kind == "list_show"
		})
		if !strings.Contains(help, want) || strings.Count(help, "\n") != strings.Count(s.Help(lang, anyExample), "\n") {
			t.Errorf("%s: %s", lang, help)
		}
		none := s.Help(lang, func(string) bool { return false })
		if strings.Contains(none, "- ") || !strings.Contains(none, "/help") {
			t.Errorf("%s: %s", lang, none)
		}
	}
}
