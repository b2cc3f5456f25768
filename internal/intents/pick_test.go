package intents_test

import (
	"slices"
	"testing"

	"hob/internal/intents"
)

// A yes, a no and "the other one" answer hob's "do you mean"; what says more answers nothing.
func TestAffirms(t *testing.T) {
	for answer, want := range map[string][2]bool{
		"yes": {true, true}, "Yes, please!": {true, true}, "no, the other one": {true, true}, "ja": {true, true}, "nein, die andere": {true, true}, "да": {true, true}, "нет, другое": {true, true},
		"是的": {true, true}, "no": {false, true}, "nö": {false, true}, "нет": {false, true}, "不是": {false, true},
		"yes?": {}, "no milk": {}, "yes and milk": {}, "": {}, "the other list": {}, "ja, um 9": {},
	} {
		if yes, known := intents.Default().Affirms(answer); yes != want[0] || known != want[1] {
			t.Errorf("%q: %v, %v", answer, yes, known)
		}
	}
}

// An answer names one of some things, or several, in each language; what says more names none.
func TestPick(t *testing.T) {
	which := []string{"Hund füttern #29", "Hund Tierarzt #30", "Суп сварить #31", "煮汤 #32", "Feed the dog #2"}
	offers := []string{"Einkaufsliste", "Notiz", "Erinnerung"}
	for _, c := range []struct {
		labels []string
		answer string
		want   []int
	}{
		{which, "30", []int{1}}, {which, "#30", []int{1}}, {which, "Nummer 30", []int{1}}, {which, "number 31 please", []int{2}}, {which, "номер 31", []int{2}}, {which, "32号", []int{3}},
		{which, "2", []int{4}}, {which, "1", []int{0}}, {which, "die erste", []int{0}}, {which, "die zweite bitte", []int{1}}, {which, "the last one", []int{4}}, {which, "the third", []int{2}},
		{which, "первое", []int{0}}, {which, "последнее", []int{4}}, {which, "第三个", []int{2}}, {which, "最后一个", []int{4}},
		{which, "29 und 30", []int{0, 1}}, {which, "29, 30", []int{0, 1}}, {which, "30 and 29", []int{1, 0}}, {which, "29 и 31", []int{0, 2}}, {which, "29和32", []int{0, 3}},
		{which, "alle", []int{0, 1, 2, 3, 4}}, {which, "all of them", []int{0, 1, 2, 3, 4}}, {which, "все", []int{0, 1, 2, 3, 4}}, {which, "都要", []int{0, 1, 2, 3, 4}},
		{which, "Tierarzt", []int{1}}, {which, "das mit dem Tierarzt", []int{1}}, {which, "the dog", []int{4}}, {which, "суп", []int{2}}, {which, "汤", []int{3}},
		{which[:2], "beide", []int{0, 1}}, {which[:2], "both", []int{0, 1}}, {which[:2], "оба", []int{0, 1}}, {which[:2], "两个都", []int{0, 1}},

		{which, "Hund", nil}, {which, "99", nil}, {which, "alle außer 29", nil}, {which, "nicht 29", nil}, {which, "30?", nil}, {which, "um 30", nil},
		{which, "29 Eier", nil}, {which, "setz 2 auf die Liste", nil}, {which, "die sechste", nil}, {which, "", nil}, {which, "bitte", nil}, {which, "all but 29", nil},

		{offers, "Einkaufsliste", []int{0}}, {offers, "die Einkaufsliste", []int{0}}, {offers, "auf die Einkaufsliste", []int{0}}, {offers, "notiz", []int{1}},
		{offers, "2", nil}, {offers, "alle", nil}, {offers, "die erste", nil}, {offers, "Einkaufsliste zeigen", nil}, {offers, "keine Notiz", nil},
		{[]string{"shopping list", "note"}, "the shopping list", []int{0}}, {[]string{"список покупок"}, "в список покупок", []int{0}}, {[]string{"购物清单"}, "购物清单", []int{0}},
		{nil, "1", nil}, {nil, "the last one", nil}, {nil, "last", nil}, {nil, "последнее", nil}, {which, "29, 29", []int{0}},
	} {
		if got := intents.Default().Pick(c.answer, c.labels); !slices.Equal(got, c.want) {
			t.Errorf("%q of %q: %v, want %v", c.answer, c.labels, got, c.want)
		}
	}
}
