package pages_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/skills/pages"
)

func TestBlocks(t *testing.T) {
	const page = "# Heading\n\ntwo\nlines\n- a\nb\n  c\n\n  d\n  - e\n    f\n---\n1. g\n2) \n#no heading\n"
	item := func(text string, first, last int) pages.Block {
		return pages.Block{Item: true, Text: text, First: first, Last: last}
	}
	for _, c := range []struct {
		each bool
		want []pages.Block
	}{
		{false, []pages.Block{
			{Text: "two / lines", First: 2, Last: 3}, item("a / b / c / d / - e / f", 4, 10), item("g / 2) / #no heading", 12, 14),
		}},
		{true, []pages.Block{
			{Text: "two / lines", First: 2, Last: 3}, item("a", 4, 4), {Text: "b / c", First: 5, Last: 6}, {Text: "d", First: 8, Last: 8},
			item("e / f", 9, 10), item("g", 12, 12), {Text: "2) / #no heading", First: 13, Last: 14},
		}},
	} {
		got := pages.Blocks(page, c.each)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("each %v (-want +got):\n%s", c.each, diff)
		}
		if left := pages.Drop(page, got...); left != "# Heading\n\n\n---\n" && left != "# Heading\n\n---\n" {
			t.Errorf("each %v: without them the page is %q", c.each, left)
		}
	}
}

// A word is found by its other forms, and by no other word that begins like it.
func TestHasForm(t *testing.T) {
	for words, want := range map[[2]string]bool{
		{"ключ у ани", "ключи"}: true, {"ключи у ани", "ключами"}: true, {"купить муку", "мука"}: true, {"позвонить маме", "маму"}: true, {"the key is with ann", "keys"}: true,
		{"die schlüssel sind weg", "schlüssels"}: true, {"zwei bananen", "banane"}: true, {"клювы", "ключ"}: false, {"rice", "ice"}: false, {"keyboard", "keys"}: false, {"am", "an"}: false,
	} {
		if got := pages.HasForm(words[0], words[1]); got != want {
			t.Errorf("%q has a form of %q: %v, want %v", words[0], words[1], got, want)
		}
	}
}

func TestName(t *testing.T) {
	f := pages.Folder{Dir: "lists"}
	for text, want := range map[string]string{
		" Shopping ": "shopping", "lists/My Shopping.md": "my-shopping", "Отпуск: Ёлка": "отпуск-елка", "旅行 2027": "旅行-2027", "../..": "", "": "",
	} {
		if got := f.Name(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// A word stands in a text whole, or begins a longer one; Chinese has no spaces between words.
func TestHasWord(t *testing.T) {
	for _, c := range []struct {
		text, word string
		want       bool
	}{
		{"call the team", "tea", false}, {"take out the trash", "ash", false}, {"pay the parents", "rent", false}, {"call ben", "al", false}, {"call al", "al", true},
		{"nudelauflauf", "nudel", true}, {"zahnarzt anrufen", "zahnarzt", true}, {"apfelnudel", "nudel", false}, {"the soup, hot", "soup", true},
		{"给安娜打电话", "安娜", true}, {"позвонить ане", "ане", true}, {"на поляне", "ане", false}, {"tea and a team of tea", "tea", true}, {"x", "", false}, {"4分钟计时", "4", true}, {"14 eggs", "4", false},
	} {
		if got := pages.HasWord(c.text, c.word); got != c.want {
			t.Errorf("%q in %q: %v", c.word, c.text, got)
		}
	}
}
