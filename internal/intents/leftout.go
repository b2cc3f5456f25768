package intents

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// People say more than a sentence has room for. Words that say nothing, such as "still" and "actually", may be left out where they stand
// outside of what a person fills in; the reading is certain.

const (
	mostWords = 30 // of a text from which words are left out
	mostEmpty = 3  // words that say nothing
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

// without returns the text without some parts, and where each of them stood.
func (p pieces) without(left ...span) (text string, at []int) {
	from := 0
	for _, s := range left {
		text += strings.Join(p[from:s.from], "")
		at, from = append(at, len(strings.TrimSpace(text))), s.to
	}
	return strings.TrimSpace(text + strings.Join(p[from:], "")), at
}

// withoutEmpty reads a text that is no chore without one or two of the words that say nothing.
func (s *Sentences) withoutEmpty(text, lang string) Reading {
	for i := range s.langs() {
		l := &s.langs()[i]
		if lang != "" && l.name != lang || !l.mayBe(fold(text)) {
			continue
		}
		if r := s.leaveEmpty(l, l.spoken(text)); r.Kind != "" {
			return r
		}
	}
	return Reading{}
}

// leaveEmpty is withoutEmpty of a language.
func (s *Sentences) leaveEmpty(l *language, text string) (found Reading) {
	p, norm := piecesOf(text), fold(text).norm
	spans := l.emptyIn(p)
	if len(spans) > mostEmpty || l.hasPhrase("condition", norm) {
		return Reading{} // "es sei denn" is no denn
	}
	var one, two [][]span
	for i, e := range spans {
		one = append(one, []span{e})
		for _, f := range spans[i+1:] {
			if f.from >= e.to {
				two = append(two, []span{e, f})
			}
		}
	}
	for _, ways := range [][][]span{one, two} {
		for _, left := range ways {
			rest, at := p.without(left...)
			switch r := s.read(rest, l.name, false); {
			case !r.isCall() || !r.from.standOutside(rest, at):
			case found.Kind != "" && !isSameCall(r, found):
				return Reading{}
			default:
				found = r
			}
		}
		if found.Kind != "" {
			return found
		}
	}
	return Reading{}
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

// standOutside reports whether all that was left out of a text stood within no slot, nor beside one that may hold any words.
func (p *parse) standOutside(text string, left []int) bool {
	if p.text.text != text {
		return false // it was read in parts
	}
	return !slices.ContainsFunc(p.slots, func(s slot) bool {
		from, to := p.text.at[s.from], p.text.at[s.to]
		return slices.ContainsFunc(left, func(at int) bool {
			return at > from && at < to-1 || (s.isFree() || s.is(verbatim)) && at >= from-1 && at <= to+1
		})
	})
}

// scored returns a reading with a score, also of what it is in other languages.
func (r Reading) scored(score float64) Reading {
	r.Score, r.others = score, slices.Clone(r.others)
	for i := range r.others {
		r.others[i].Score = score
	}
	return r
}

// isCall reports whether a reading is a call that lacks nothing, whatever the day.
func (r Reading) isCall() bool {
	at := r.At(anyDay())
	return at.Call.Name != "" && at.Ask == ""
}
