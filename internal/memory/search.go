package memory

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/window"
)

// What bounds a search, however many texts there are: of each word the newest texts with it, and of all words the best candidates.
const (
	perWord       = 200
	maxCandidates = 100
	maxCommon     = 4 // words that so many texts have, of which each pair is looked for
)

// What rides beside a message.
const (
	maxRiding    = 5   // facts
	ridingTokens = 300 // of all of them together, as the window counts
	// ridingScore is how much of a message a fact must be about. It is fixed: it does not depend on how many facts there are, so that what
	// a person has seen riding rides again.
	ridingScore = 2.0
	rareLetters = 6    // that a word has which is enough by itself, where few facts have it
	pairPart    = 0.75 // of a word is a pair of characters
)

// Found is a fact that a search has found.
type Found struct {
	event.Fact
	match
}

// match is how well a text fits the words of a question.
type match struct {
	Score float64 // of the words that it has, each weighed by how few texts have it
	words float64 // that it has; one that only begins alike is half of one
	about float64 // likewise, without everyday words; a pair of characters is less than a word
	rare  float64 // one of them is a word that few texts have
}

// Search returns up to most facts that a person may know and that have words of a text, the best first.
func (m *Memory) Search(ctx context.Context, by Person, text string, most int) ([]Found, error) {
	found, _, err := m.search(ctx, by, text, most)
	return found, err
}

// search is Search; it also returns how many words the text has.
func (m *Memory) search(ctx context.Context, by Person, text string, most int) ([]Found, int, error) {
	subjects := by.Subjects()
	words := m.read().words(text)
	words = words[:min(len(words), maxWords)]
	size := len(words)
	for _, key := range m.read().asked(text) {
		words = append(words, word{forms: []string{keyTerm(key)}})
	}
	if len(subjects) == 0 || len(words) == 0 {
		return nil, size, nil
	}
	candidates, all, err := m.read().candidates(words, func(words [][]string) ([]int64, error) {
		return m.store.Holding(ctx, subjects, words, perWord)
	})
	if err != nil {
		return nil, size, err
	}
	facts, err := m.store.ByNumber(ctx, candidates)
	if err != nil {
		return nil, size, err
	}
	found := make([]Found, 0, len(facts))
	for _, f := range facts {
		terms := strings.Fields(f.Terms)
		one := Found{f, score(terms, all)}
		one.Score *= 1 + 1/(4+float64(len(terms))) // of two with the same words that which says less else is better
		found = append(found, one)
	}
	slices.SortFunc(found, func(a, b Found) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID)) })
	return found[:min(len(found), most)], size, nil
}

// sought is a word of a question, with the texts that have it.
type sought struct {
	word
	weight float64
	few    bool // the texts that have it are few

	everyday bool    // it says nothing of what a message is about
	part     float64 // of a word that it is
	letters  int
}

// candidates returns the numbers of the texts that have the most of the words, and the words with their weights. holding returns the
// newest texts that have all of some words, at most [perWord]; see [Index].
func (r *reader) candidates(words []word, holding func(words [][]string) ([]int64, error)) ([]int64, []sought, error) {
	scores := map[int64]float64{}
	var all, common []sought
	for _, w := range words {
		ids, err := holding([][]string{w.forms})
		if err != nil {
			return nil, nil, err
		}
		s := sought{word: w, weight: weigh(len(ids)), few: len(ids) <= fewTexts, everyday: r.everyday[w.forms[len(w.forms)-1]], part: 1}
		s.letters = utf8.RuneCountInString(w.forms[0])
		if first, _ := utf8.DecodeRuneInString(w.forms[0]); isIdeograph(first) {
			if s.part, s.letters = pairPart, rareLetters; len(w.forms[0]) == utf8.RuneLen(first) { // one character
				s.part /= 2
			}
		}
		for _, id := range ids {
			scores[id] += s.weight
		}
		if w.start != "" && len(ids) < perWord {
			nearby, err := holding([][]string{{w.start + "*"}})
			if err != nil {
				return nil, nil, err
			}
			if len(ids) == 0 {
				s.weight, s.few = weigh(len(nearby)), len(nearby) <= fewTexts
			}
			for _, id := range nearby {
				if !slices.Contains(ids, id) {
					scores[id] += s.weight * nearly
				}
			}
		}
		if all = append(all, s); len(ids) == perWord && len(common) < maxCommon {
			common = append(common, s)
		}
	}
	for i, a := range common { // of words that many texts have, the newest texts are not those with two of them
		for _, b := range common[:i] {
			ids, err := holding([][]string{a.forms, b.forms})
			if err != nil {
				return nil, nil, err
			}
			for _, id := range ids {
				scores[id] = max(scores[id], a.weight+b.weight)
			}
		}
	}
	best := make([]int64, 0, len(scores))
	for id := range scores {
		best = append(best, id)
	}
	slices.SortFunc(best, func(a, b int64) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(b, a)) })
	return best[:min(len(best), maxCandidates)], all, nil
}

// fewTexts is how many texts have a rare word.
const fewTexts = 3

// weigh returns the weight of a word that so many texts have, as far as was counted.
func weigh(texts int) float64 { return math.Log(1 + (perWord+1)/(float64(texts)+0.5)) }

// score holds the terms of a text against the words of a question.
func score(terms []string, words []sought) (m match) {
	for _, w := range words {
		fit := w.is(terms)
		m.Score += fit * w.weight
		m.words += fit
		if w.everyday {
			continue
		}
		m.about += fit * w.part
		if fit == 1 && w.few && w.letters >= rareLetters {
			m.rare = w.part
		}
	}
	return m
}

// Riding returns the facts that ride beside a message of a person: those that it is about. Most messages are about none.
func (m *Memory) Riding(ctx context.Context, by Person, text string) ([]event.Fact, error) {
	if known, err := m.store.Known(ctx, by.Subjects()...); err != nil || !known { // with nothing to find no word need be read
		return nil, err
	}
	found, size, err := m.search(ctx, by, withoutAddresses(text), maxRiding)
	if err != nil {
		return nil, err
	}
	var riding []event.Fact
	tokens := 0
	for _, f := range found {
		about := f.about + f.rare
		if f.about > 0 && f.words >= float64(size)/2 { // half of the message and more
			about++
		}
		if about < ridingScore {
			continue
		}
		if tokens += window.Tokens(llm.Message{Text: Line(f.Fact)}); tokens > ridingTokens {
			break
		}
		riding = append(riding, f.Fact)
	}
	return riding, nil
}

// holdsAll reports whether a fact has all words of a text.
func (m *Memory) holdsAll(f event.Fact, text string) bool {
	terms := strings.Fields(f.Terms)
	return !slices.ContainsFunc(m.read().words(text), func(w word) bool { return w.is(terms) < 1 })
}

// Meant returns the facts that a person means who wants one changed: that of a number such as "#12", those with a key, or those which the
// words are about. More than one means that the words do not say which. Where they are about none, what stands behind a mark in them is
// left out: it mostly says why.
func (m *Memory) Meant(ctx context.Context, by Person, words string) ([]event.Fact, error) {
	for {
		some, err := m.meantBy(ctx, by, words)
		at := strings.LastIndexFunc(words, endsClause)
		if err != nil || len(some) > 0 || at < 0 || len(m.read().words(words[:at])) < minClause {
			return some, err
		}
		words = words[:at]
	}
}

// minClause is the fewest words by which a fact is meant that more words did not mean.
const minClause = 2

// endsClause reports whether a mark may stand between what is meant and more about it.
func endsClause(r rune) bool { return strings.ContainsRune(",;.!?，；。！？", r) }

func (m *Memory) meantBy(ctx context.Context, by Person, words string) ([]event.Fact, error) {
	if id, err := strconv.ParseInt(strings.TrimPrefix(strings.TrimSpace(words), "#"), 10, 64); err == nil {
		f, err := m.Find(ctx, by, id)
		if err != nil {
			return nil, err
		}
		return []event.Fact{f}, nil
	}
	keys := m.read().asked(words)
	if fold(words) != "" && len(keys) == 0 {
		keys = []string{fold(words)}
	}
	if len(m.read().words(words)) <= 1 { // "my address", and nothing else
		var found []event.Fact
		for _, key := range keys {
			some, err := m.store.Keyed(ctx, by.Own, key)
			if err != nil {
				return nil, err
			}
			found = append(found, some...)
		}
		if len(found) > 0 {
			return found, nil
		}
	}
	found, size, err := m.search(ctx, by, words, maxRiding)
	if err != nil {
		return nil, err
	}
	var all []event.Fact
	for _, f := range found { // the best, and those that fit as well
		if f.words*2 >= float64(size) && f.words >= found[0].words {
			all = append(all, f.Fact)
		}
	}
	if named := slices.DeleteFunc(slices.Clone(all), func(f event.Fact) bool { return !m.holdsAll(f, words) }); len(named) == 1 {
		return named, nil // my sister's name, and not mine
	}
	return all, nil
}

// withoutAddresses returns a text without the addresses of pages and the names of files in it: their words are about nothing.
func withoutAddresses(text string) string {
	words := strings.Fields(text)
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return strings.ContainsAny(w, "/@\\") }), " ")
}

// Line is a fact as a model reads it.
func Line(f event.Fact) string { return "- " + f.Text }
