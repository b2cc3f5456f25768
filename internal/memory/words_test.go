package memory_test

import (
	"testing"

	"hob/internal/memory"
)

// What is found does not depend on the marks that emoji, and characters of scripts without blanks, are written with.
func TestWordsOfMarks(t *testing.T) {
	m, _ := newMemory(t)
	cat, kanji := remember(t, m, owner(), "I have a cat ❤️"), remember(t, m, owner(), "祇園の鍵は葛城さんにある")
	for query, want := range map[string]int64{
		"❤️": 0, "\ufe0f": 0, "\u0301": 0, "☀️ 1️⃣": 0, "ぬ゙": 0, "漢\u0301": 0, "\U000e0100": 0,
		"my cat ❤️": cat.ID, "my cat\ufe0f": cat.ID, "祇\U000e0100園": kanji.ID, "葛\U000e0101城さん": kanji.ID,
	} {
		found, err := m.Search(t.Context(), owner(), query, 5)
		var got int64
		if len(found) > 0 {
			got = found[0].ID
		}
		if err != nil || got != want {
			t.Errorf("%q (%+q) finds fact %d, want %d; %v", query, query, got, want, err)
		}
	}
}

// Whatever is written can be searched for.
func FuzzWords(f *testing.F) {
	for _, seed := range []string{"❤️", "I love you ❤️", "é\u0301", "漢゙ぬ゙", "ﷺ 1️⃣", "\xff\ufe0f", "İ ǅ ß й", "ge\u0301\u0301\u0301t"} {
		f.Add(seed)
	}
	m, _ := newMemory(f)
	remember(f, m, owner(), "I have a cat")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := m.Search(t.Context(), owner(), text, 5); err != nil {
			t.Error(err)
		}
		memory.Forms(text)
	})
}
