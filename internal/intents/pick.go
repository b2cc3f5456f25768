package intents

import (
	"slices"
	"strconv"
	"strings"

	"hob/internal/lazyregexp"
	"hob/internal/numerals"
)

// numberedLabel is a label with a number at its end: "Soup #11".
var numberedLabel = lazyregexp.New(`#(\d+)$`)

// Pick returns which of some labels an answer names, each once. A label is named by its words. Where labels have numbers, it asks which of
// several things is meant, and the answer may also be a number, a place, some words of one, or all: "#11", "29 and 30", "the first one", "the
// soup", "both".
func (s *Sentences) Pick(answer string, labels []string) []int {
	t := fold(answer)
	if t.norm == "" || t.asks || len(labels) == 0 {
		return nil
	}
	for _, l := range s.langs() {
		if !l.mayBe(t) {
			continue
		}
		if picked := l.pick(t.norm, labels); len(picked) > 0 {
			return picked
		}
	}
	return nil
}

// Affirms reports whether an answer says yes to hob's "do you mean", or no; known is false where it says neither. Who asks for the other one says yes.
func (s *Sentences) Affirms(answer string) (yes, known bool) {
	t := fold(answer)
	if t.norm == "" || t.asks {
		return false, false
	}
	words := strings.ReplaceAll(t.norm, ",", "")
	for _, l := range s.langs() {
		yes = yes || l.mayBe(t) && (l.has("yes", words) || l.has("other_one", words))
		known = known || l.mayBe(t) && l.has("no", words)
	}
	return yes, yes || known
}

func (l *language) pick(answer string, labels []string) (picked []int) {
	words := l.pickingWords(answer)
	said := strings.Join(words, " ")
	byNumber, texts := map[int]int{}, []string(nil)
	for i, label := range labels {
		text := fold(label).norm
		if text == answer || said != "" && text == said {
			return []int{i}
		}
		if m := numberedLabel().FindStringSubmatch(label); m != nil {
			n, _ := strconv.Atoi(m[1])
			byNumber[n], text = i, fold(strings.TrimSuffix(label, m[0])).norm
		}
		texts = append(texts, text)
	}
	if len(words) == 0 || len(byNumber) < len(labels) {
		return nil
	}
	if len(words) == 1 && l.has("everything", said) {
		for i := range labels {
			picked = append(picked, i)
		}
		return picked
	}
	for _, word := range words {
		i, ok := l.placeOf(word, byNumber, len(labels))
		if !ok {
			return l.labelWith(words, texts)
		}
		if !slices.Contains(picked, i) {
			picked = append(picked, i)
		}
	}
	return picked
}

// pickingWords returns the words of an answer without those that only lead to a thing: the, number, please. Chinese has no spaces.
func (l *language) pickingWords(answer string) []string {
	if l.name == "zh" {
		for word := range l.list("leads_to") {
			answer = strings.ReplaceAll(answer, word, " ")
		}
	}
	words := strings.FieldsFunc(answer, func(r rune) bool { return strings.ContainsRune(" ,;#.!", r) })
	return slices.DeleteFunc(words, func(w string) bool { return l.has("leads_to", w) })
}

// placeOf returns the label that a word names by its number, or by its place among all.
func (l *language) placeOf(word string, byNumber map[int]int, labels int) (i int, ok bool) {
	var n int
	if place, known := l.value("place", word); known {
		if n, _ = strconv.Atoi(place); n == 0 { // the last one
			n = labels
		}
		return n - 1, n <= labels
	}
	if value, size := numerals.Read(word, l.name); size == len(word) {
		n = int(value)
	} else if n, _ = strconv.Atoi(word); n < 1 {
		return 0, false
	}
	if i, ok = byNumber[n]; ok {
		return i, true
	}
	return n - 1, n >= 1 && n <= labels
}

// labelWith returns the only one of some texts that has all of some words.
func (l *language) labelWith(words, texts []string) (found []int) {
	for i, text := range texts {
		has := func(word string) bool {
			return strings.ContainsFunc(word, isHan) && strings.Contains(text, word) || slices.Contains(strings.Fields(text), word)
		}
		if !slices.ContainsFunc(words, func(w string) bool { return !has(w) }) {
			found = append(found, i)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found
}
