package account

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/game/spelling"
)

// known is what has been told or written down for all to know, in small letters.
type known struct {
	text  string
	there string          // all of it but what players said
	stems map[string]bool // of its words
}

// Known returns what is known, in small letters.
func (d *Digest) Known() string { return d.learn().text }

// Knows reports whether words stand in what is known.
func (d *Digest) Knows(text string) bool {
	k := d.learn()
	if text = strings.TrimSpace(spelling.Lower(text)); text == "" || strings.Contains(k.text, text) {
		return true
	}
	return d.Language() != "zh" && !slices.ContainsFunc(spelling.Words(text), func(w string) bool { return !k.stems[spelling.Stem(d.Language(), w)] })
}

// IsThere reports whether a word stands in what is told of the world: that a player says it makes nothing so.
func (d *Digest) IsThere(stem string) bool { return strings.Contains(d.learn().there, stem) }

// learn gathers what is known, once.
func (d *Digest) learn() *known {
	if d.known != nil {
		return d.known
	}
	var b strings.Builder
	put := func(texts ...string) {
		for _, s := range texts {
			b.WriteString(s)
			b.WriteByte('\n')
		}
	}
	w := d.After
	put(d.Recent...)
	put(w.Self().Title, w.Self().Desc, w.Self().GoalText)
	for _, q := range w.Quests() {
		put(append(q.Objectives, q.Title)...)
	}
	d.written(false, func(text string) { put(text) })
	d.seenTexts(put)
	d.known = &known{there: spelling.Lower(b.String()), stems: map[string]bool{}}
	for _, l := range d.Says {
		put(l.Text)
	}
	d.known.text = spelling.Lower(strings.ToValidUTF8(b.String(), " "))
	for _, word := range spelling.Words(d.known.text) {
		d.known.stems[spelling.Stem(d.Language(), word)] = true
	}
	return d.known
}

// written puts what is written of the world: what is secret, or what is not.
func (d *Digest) written(secret bool, put func(string)) {
	w := d.After
	for _, f := range w.Facts() {
		if f.Secret == secret {
			put(f.Text)
		}
	}
	for _, l := range w.LoreList() {
		if l.Secret == secret {
			put(l.Text)
		}
	}
	for _, k := range w.Clocks() {
		if k.Visible != secret {
			put(k.Name)
			if k.Visible {
				put(k.OnFull)
			}
		}
	}
}

// Pieces returns what a text is known again by: the stems of its longer words that are not in every text, in Chinese all pairs of
// characters.
func (d *Digest) Pieces(text string) map[string]bool {
	all := map[string]bool{}
	if d.Language() == "zh" && spelling.HasHan(text) {
		runes := []rune(spelling.Lower(text))
		for i := range max(0, len(runes)-1) {
			if unicode.Is(unicode.Han, runes[i]) && unicode.Is(unicode.Han, runes[i+1]) {
				all[string(runes[i:i+2])] = true
			}
		}
		return all
	}
	small := strings.Fields(d.words["small"])
	for _, w := range spelling.Words(text) {
		if utf8.RuneCountInString(w) > 3 && !slices.Contains(small, w) {
			all[spelling.Stem(d.Language(), w)] = true
		}
	}
	return all
}
