package parser

import (
	"slices"

	"hob/internal/game/spelling"
)

// readPage reads words on a page of a tale of choices: a choice by its own words, or by words that no other choice has.
// There are no things and no time on a page, so only choices and views count.
func (r *reader) readPage() (m Meaning, ok bool) {
	choices := slices.Collect(r.visible(way, nil))
	some, whole := r.choose(choices)
	shown, shows := r.readVerb(r.input.tokens)
	switch shows = shows && shown.Show != ""; {
	case len(some) > 0 && (whole || !shows):
		return r.choice(some)
	case shows:
		return shown, true
	case r.options.NoModel && len(choices) > 0:
		return Meaning{Problem: r.text("page", r.joinEntities(choices))}, true
	}
	return Meaning{}, false
}

// choice takes the only one of some choices, or asks which one is meant.
func (r *reader) choice(some []*entity) (m Meaning, ok bool) {
	if len(some) == 1 {
		m, bad := r.travel(some[0])
		return m, bad == nil
	}
	var names []string
	for _, e := range some[:min(len(some), 9)] {
		one, bad := r.travel(e)
		if bad != nil {
			return Meaning{}, false
		}
		m.Options = append(m.Options, Option{Label: e.name, Calls: one.Calls})
		names = append(names, r.text("option", string(rune('0'+len(m.Options))), e.name))
	}
	m.Problem = r.text("which", r.joinNames(names))
	return m, true
}

// choose returns the choices that have the given words in their order. A choice that is exactly these words goes before
// all others.
func (r *reader) choose(choices []*entity) (some []*entity, whole bool) {
	for _, r.table = range r.langs {
		for list := r.input.tokens; len(list) > 0; {
			for _, e := range choices {
				switch fits, all := r.shortens(list, tokens(e.name).tokens); {
				case fits && all && !whole:
					some, whole = []*entity{e}, true
				case fits && all == whole:
					some = append(some, e)
				}
			}
			if len(some) > 0 {
				return some, whole
			}
			rest := list[r.table.leading("pick", list)%len(list):]
			if len(rest) == len(list) {
				rest = r.trimPolite(list)
			}
			if len(rest) == len(list) {
				break
			}
			list = rest
		}
	}
	return nil, false
}

// shortens reports whether words stand in a longer text in their order, and whether they are all of it. Articles do not
// count.
func (r *reader) shortens(words, text []token) (fits, all bool) {
	all = true
	for i := 0; i < len(words); {
		word := words[i]
		at := slices.IndexFunc(text, func(t token) bool { return spelling.Akin(word.text, t.text) || begins(word.text, t.text) })
		article := r.table.leading("article", words[i:])
		switch {
		case at >= 0:
			fits = fits || article == 0 && (!r.isOdd(words[i:i+1]) || r.isWhole(words[i:i+1]))
			all = all && len(r.withoutArticle(text[:at+1])) == 1
			text = text[at+1:]
			i++
		case article > 0:
			i += article
		default:
			return false, false
		}
	}
	all = all && len(text) == 0
	return fits || all, all
}

// isWhole reports whether a word that is part of no name says all of a command: back does, and to does not.
func (r *reader) isWhole(word []token) bool {
	at := *r
	at.options.NoModel = true
	return at.isCommand(word)
}
