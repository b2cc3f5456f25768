package account

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/game/spelling"
)

// Banned says why a text must not be told.
type Banned struct {
	Line    bool   // it tells of what the players avoid; else it tells a secret
	Words   string // the words that are the reason
	Problem string // what is wrong, in English, for a model
}

// Banned returns why a text must not be told, or nothing if it may be. What somebody says in it counts like any other
// text.
func (d *Digest) Banned(text string) (list []Banned) {
	begin := func(n int) string { return strings.ToValidUTF8(text[:min(len(text), n)], "") }
	said := d.stems(text)
	for _, term := range d.After.Self().Lines {
		if d.mentions(term, spelling.Lower(text), said) {
			list = append(list, Banned{true, begin(60), "“" + spelling.Line(term, 60) + "” must not be in the story"})
		}
	}
	for _, t := range d.After.Things() {
		if t.Hidden && d.reveals(text, said, t.ID, t.Name) {
			list = append(list, Banned{Words: spelling.Line(t.Name, longestName), Problem: "nobody has found this yet"})
		}
	}
	for _, p := range d.After.Places() {
		_, name, parts := strings.Cut(p.Name, ": ")
		if p.Secret && !p.Visited && (d.reveals(text, said, p.ID, p.Name) || parts && d.reveals(text, said, p.ID, name)) {
			list = append(list, Banned{Words: spelling.Line(p.Name, longestName), Problem: "nobody knows of this place yet"})
		}
	}
	pieces := d.Pieces(text)
	secret := func(secret string) {
		if d.betrays(pieces, secret) {
			list = append(list, Banned{Words: begin(80), Problem: "nobody knows this yet"})
		}
	}
	for _, a := range d.After.Actors() {
		secret(a.Secret)
	}
	d.written(true, secret)
	return list
}

func (d *Digest) hushed(text string) bool { return len(d.Banned(text)) > 0 }

// stems returns the stems of a text's words.
func (d *Digest) stems(text string) (list []string) {
	for _, w := range spelling.Words(text) {
		list = append(list, spelling.Stem(d.Language(), w))
	}
	return list
}

// mentions reports whether a text has the words of a line, in any form and order.
func (d *Digest) mentions(line, text string, stems []string) bool {
	some := false
	for _, w := range spelling.Words(line) {
		for _, piece := range strings.FieldsFunc(w, func(r rune) bool { return r == '的' || r == '对' || r == '和' }) {
			han := spelling.HasHan(piece)
			if !han && utf8.RuneCountInString(piece) <= 2 {
				continue
			}
			if some = true; han && !strings.Contains(text, piece) || !han && !slices.Contains(stems, spelling.Stem(d.Language(), piece)) {
				return false
			}
		}
	}
	return some
}

// reveals reports whether a text names something that the players have not seen or heard of.
func (d *Digest) reveals(text string, stems []string, id, name string) bool {
	if d.Seen[id] || d.Knows(name) {
		return false
	}
	if spelling.HasHan(name) {
		_, last, _ := strings.Cut(name, "·")
		return strings.Contains(text, name) || last != "" && strings.Contains(text, last)
	}
	own := d.stems(name)
	if len(own) > 1 && own[0] == "the" {
		own = own[1:]
	}
	for i := 0; i+len(own) <= len(stems) && len(own) > 0; i++ {
		if slices.Equal(stems[i:i+len(own)], own) {
			return true
		}
	}
	return false
}

// betrays reports whether a text gives most of a secret away, not counting words that are known anyway.
func (d *Digest) betrays(pieces map[string]bool, secret string) bool {
	own, hits := 0, 0
	for piece := range d.Pieces(secret) {
		if k := d.learn(); k.stems[piece] || d.Language() == "zh" && strings.Contains(k.text, piece) {
			continue
		}
		if own++; pieces[piece] {
			hits++
		}
	}
	return hits > 0 && hits*5 >= own*3 && hits >= min(own, 2)
}
