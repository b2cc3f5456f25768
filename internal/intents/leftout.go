package intents

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// People say more than a sentence has room for. Words that say nothing, such as "still" and "actually", may be left out where they stand
// outside of what a person fills in; the reading is certain. Without a model [Sentences.Guess] leaves out any words.

const (
	mostWords   = 30 // of a text from which words are left out
	mostEmpty   = 3  // words that say nothing
	mostGuesses = 80 // readings of a text for a guess
	mostLeftOut = 6  // words, or letters of Chinese, that a guess leaves out
	leastKept   = 3  // and that it keeps
)

// pieces are a text that is cut where words may be left out: its words with the spaces behind them, and each letter of Chinese.
type pieces []string

// piecesOf cuts a text. It is nil where the text is too long, or has quotes, which are meant.
func piecesOf(text string) (all pieces) {
	if strings.Contains(fold(text).norm, `"`) {
		return nil
	}
	for i, r := range text {
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		if i == 0 || isHan(r) || isHan(before) || unicode.IsSpace(before) && !unicode.IsSpace(r) {
			all = append(all, "")
		}
		all[len(all)-1] += string(r)
	}
	if len(all) > mostWords {
		return nil
	}
	return all
}

// without returns the text without some of its pieces, and where they stood.
func (p pieces) without(from, to int) (text string, at int) {
	before := strings.Join(p[:from], "")
	return strings.TrimSpace(before + strings.Join(p[to:], "")), len(strings.TrimSpace(before))
}

// withoutEmpty reads a text that is no chore without one or two of the words that say nothing.
func (s *Sentences) withoutEmpty(text, lang string) Reading {
	for i := range s.langs() {
		l := &s.langs()[i]
		if lang != "" && l.name != lang || !l.mayBe(fold(text)) {
			continue
		}
		if r := s.leaveEmpty(l, l.spoken(text), 2); r.Kind != "" {
			return r
		}
	}
	return Reading{}
}

// leaveEmpty is withoutEmpty of a language, with so many words at most.
func (s *Sentences) leaveEmpty(l *language, text string, most int) (found Reading) {
	p, norm := piecesOf(text), fold(text).norm
	spans := l.emptyIn(p)
	if len(spans) > mostEmpty || l.hasPhrase("condition", norm) {
		return Reading{} // "es sei denn" is no denn
	}
	for _, e := range spans {
		rest, at := p.without(e.from, e.to)
		switch r := s.read(rest, l.name, false); {
		case !r.isCall() || !r.from.standsOutside(rest, at):
		case found.Kind != "" && !isSameCall(r, found):
			return Reading{}
		default:
			found = r
		}
	}
	for _, e := range spans {
		if rest, _ := p.without(e.from, e.to); found.Kind == "" && most > 1 {
			found = s.leaveEmpty(l, rest, most-1)
		}
	}
	return found
}

// emptyIn returns which pieces of a text are words that say nothing.
func (l *language) emptyIn(p pieces) (all []span) {
	for from := range p {
		for to := from + 1; to <= min(from+2, len(p)); to++ {
			if l.has("empty", fold(strings.Join(p[from:to], "")).norm) {
				all = append(all, span{from, to})
			}
		}
	}
	return all
}

// standsOutside reports whether what was left out of a text at a position stood within no slot, nor beside one that may hold any words.
func (p *parse) standsOutside(text string, at int) bool {
	if p.text.text != text {
		return false // it was read in parts
	}
	return !slices.ContainsFunc(p.slots, func(s slot) bool {
		from, to := p.text.at[s.from], p.text.at[s.to]
		return at > from && at < to-1 || (s.isFree() || s.is(verbatim)) && at >= from-1 && at <= to+1
	})
}

// Guess returns what a text may mean that is no chore: what is read without some of its words, as few as can be. It has a score below 1. Where
// two readings differ there is none.
func (s *Sentences) Guess(text string) Reading {
	t := fold(text)
	g := guess{s: s, most: mostLeftOut}
	for i := range s.langs() {
		l := &s.langs()[i]
		if !l.mayBe(t) || l.hasLongPhrase("condition", t.norm) || l.hasLongPhrase("negation", t.norm) {
			continue
		}
		all := piecesOf(t.text)
		g.look(l, all)
		if full := slices.DeleteFunc(slices.Clone(all), func(word string) bool { return l.has("empty", fold(word).norm) }); g.found.Kind == "" && len(full) < len(all) {
			g.look(l, full)
		}
	}
	if g.differ {
		return Reading{}
	}
	return g.found.scored(max(perMistake, 1-perMistake*float64(g.most)))
}

// scored returns a reading with a score, also of what it is in other languages.
func (r Reading) scored(score float64) Reading {
	r.Score, r.others = score, slices.Clone(r.others)
	for i := range r.others {
		r.others[i].Score = score
	}
	return r
}

// guess is what Guess has found so far.
type guess struct {
	s      *Sentences
	found  Reading
	differ bool // there is another one that leaves out as little
	most   int  // words that are left out
	tried  int  // readings
}

// isCall reports whether a reading is a call that lacks nothing, whatever the day.
func (r Reading) isCall() bool {
	at := r.At(anyDay())
	return at.Call.Name != "" && at.Ask == ""
}

// look reads a text without each run of its words that may be left out.
func (g *guess) look(l *language, p pieces) {
	for n := 1; n <= min(g.most, len(p)/2, len(p)-leastKept); n++ {
		for from := range len(p) - n + 1 {
			words := fold(strings.Join(p[from:from+n], ""))
			if first := from == 0; l.turns(words) || first && l.startsWith("verbs", words.norm) || !first && strings.ContainsAny(words.norm, ",;") {
				continue
			}
			if g.tried++; g.tried > mostGuesses {
				return
			}
			rest, _ := p.without(from, from+n)
			switch r := g.s.read(rest, l.name, false); {
			case !r.isCall() || r.Acts && l.hangs(words.norm):
			case g.found.Kind == "" || n < g.most:
				g.found, g.most, g.differ = r, n, false
			case !isSameCall(r, g.found):
				g.differ = true
			}
		}
	}
}

// turns reports whether the meaning of a text may turn on words: they are no, if, a number, a time, a name, or another order.
func (l *language) turns(words folded) bool {
	return strings.ContainsFunc(words.norm, unicode.IsDigit) || strings.ContainsAny(words.norm, "/@.:") || l.saysTime(words.norm) || l.saysTime(phrase(l.name, "timer")+words.norm) ||
		slices.ContainsFunc(l.wordsOf(words.norm), func(w foundWord) bool {
			return l.negates(w.text) || l.has("condition", w.text) && !l.has("fillers", w.text) ||
				l.has("reminds", w.text) || l.startsWith("imperatives", words.norm[w.from:])
		})
}

// hangs reports whether words say of what something is, such as "about the dentist".
func (l *language) hangs(words string) bool {
	return l.begins("hangs", words) || l.endsInWord("hangs", words)
}
