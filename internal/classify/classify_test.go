package classify_test

import (
	"slices"
	"strings"
	"testing"

	"hob/internal/classify"
)

func tokens(text string) (all []classify.Token) {
	for word := range strings.FieldsSeq(text) {
		all = append(all, classify.Token{Text: word})
	}
	return all
}

// examples are sentences of two kinds, and of none. A word with a * stands in the slot "thing".
func examples() (all []classify.Example) {
	for kind, sentences := range map[string][]string{
		"add":         {"please put *milk on the list", "put *soap on it", "could you put *eggs on the list", "put *tea on the list please", "list put *bread on"},
		"show":        {"show me the list", "please show what is there", "could you show me it", "show it now", "show the whole list"},
		classify.None: {"milk is white", "i like eggs", "what a day it is", "there is no tea like green tea", "we are there"},
	} {
		for _, s := range sentences {
			e := classify.Example{Texts: [][]classify.Token{tokens(strings.ReplaceAll(s, "*", ""))}, Kinds: []string{kind}}
			for word := range strings.FieldsSeq(s) {
				e.Slots = append(e.Slots, map[bool]string{true: "thing"}[strings.HasPrefix(word, "*")])
			}
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b classify.Example) int { return strings.Compare(a.Kinds[0], b.Kinds[0]) })
	return all
}

// A model knows the kinds of texts that it has not seen, and what stands in their slots, whatever that is.
func TestModel(t *testing.T) {
	t.Parallel()
	m := classify.Open(classify.Train(examples(), classify.Letters, 0.3), classify.Letters)
	for text, want := range map[string]string{
		"put jam on the list":           "add jam",
		"would you put honey on it":     "add honey",
		"show me the whole list please": "show ",
		"it is a white day":             classify.None + " ",
	} {
		kinds := m.Kinds(tokens(text))
		sum := 0.0
		for _, k := range kinds {
			sum += k.Chance
		}
		if len(kinds) != 3 || sum < 0.999 || sum > 1.001 {
			t.Errorf("%q: %v", text, kinds)
		}
		var things []string
		for i, slot := range m.Slots(kinds[0].Name, tokens(text), 1)[0] {
			if slot == "thing" {
				things = append(things, strings.Fields(text)[i])
			}
		}
		if got := kinds[0].Name + " " + strings.Join(things, " "); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// Of the ways to fill the slots of a kind the best one is the first, and no two are the same.
func TestModel_Ways(t *testing.T) {
	t.Parallel()
	m := classify.Open(classify.Train(examples(), classify.Letters, 0.3), classify.Letters)
	text := tokens("put jam on the list")
	one, some := m.Slots("add", text, 1), m.Slots("add", text, 5)
	if len(one) != 1 || len(some) != 5 || !slices.Equal(one[0], some[0]) {
		t.Fatalf("%q, %q", one, some)
	}
	for i, way := range some {
		if len(way) != len(text) || slices.ContainsFunc(some[:i], func(other []string) bool { return slices.Equal(other, way) }) {
			t.Errorf("way %d of %q", i, some)
		}
	}
	if all := m.Slots("add", tokens("put jam"), 100); len(all) != 4 { // each of two words stands in the only slot or in none
		t.Errorf("%d ways: %q", len(all), all)
	}
}

// The same examples make the same model. A text without words has kinds and no slots, and so has a kind that is not known.
func TestModel_Bounds(t *testing.T) {
	t.Parallel()
	encoded := classify.Train(examples(), classify.Letters, 0.3)
	if encoded != classify.Train(examples(), classify.Letters, 0.3) {
		t.Error("two models of the same examples differ")
	}
	m := classify.Open(encoded, classify.Letters)
	if kinds, slots := m.Kinds(nil), m.Slots("add", nil, 2); len(kinds) != 3 || len(slots) != 1 || len(slots[0]) != 0 {
		t.Errorf("%v, %v", kinds, slots)
	}
	if slots := m.Slots("other", tokens("put jam"), 2); len(slots) != 1 || !slices.Equal(slots[0], []string{"", ""}) {
		t.Errorf("%q", slots)
	}
}
