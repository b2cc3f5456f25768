package account

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/game/spelling"
)

// known is all that was told or written down where everybody could read it, in lower case.
type known struct {
	text  string
	there string          // all but what players said
	stems map[string]bool // the stems of its words
}

// Known returns all that is known, in lower case.
func (d *Digest) Known() string { return d.learn().text }

// Knows reports whether words are known.
func (d *Digest) Knows(text string) bool {
	k := d.learn()
	if text = strings.TrimSpace(spelling.Lower(text)); text == "" || strings.Contains(k.text, text) {
		return true
	}
	return d.Language() != "zh" && !slices.ContainsFunc(spelling.Words(text), func(w string) bool { return !k.stems[spelling.Stem(d.Language(), w)] })
}

// IsThere reports whether a word is known other than from a player, whose words make nothing true.
func (d *Digest) IsThere(stem string) bool { return strings.Contains(d.learn().there, stem) }

// learn gathers what is known, the first time that it is needed.
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

// written passes on texts of the world: either those that are secret, or those that are not.
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

// Pieces returns the parts by which a text is recognized: the stems of its longer words without those that any text
// has; in Chinese, each pair of characters.
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
