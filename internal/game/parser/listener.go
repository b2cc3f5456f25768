package parser

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// addressed returns who is spoken to by name: before the first comma, or after the last one, or, in Chinese, first of all. The name
// is no part of the words then.
func (r *reader) addressed() *entity {
	list := r.said.tokens
	if e, n := r.vocative(); e != nil {
		r.said.tokens = list[n:]
		return e
	}
	for i, t := range list {
		if t.gap != comma {
			continue
		}
		for _, part := range [2][2][]token{{list[:i], list[i:]}, {list[i:], list[:i]}} {
			if e := r.within(part[0]); e != nil && len(part[0]) <= mostName/4 {
				r.said.tokens = part[1]
				return e
			}
		}
	}
	return nil
}

// vocative returns whose name, or words of it as they stand there, comes first of all without a mark behind it, and how many tokens
// of it: Hester give me the key. Of a Chinese name it is how it begins.
func (r *reader) vocative() (whom *entity, most int) {
	shared := false
	for _, e := range r.listeners() {
		switch n := spokenTo(r.said.tokens, e.words()); {
		case n > most:
			whom, most, shared = e, n, false
		case n == most:
			shared = true
		}
	}
	if shared || most == 0 {
		return nil, 0
	}
	return whom, most
}

// spokenTo returns how many tokens in the beginning are words of a name, with something behind them.
func spokenTo(list []token, name []string) (n int) {
	for n < len(list)-1 && (n == 0 || list[n].gap == noGap) {
		if text := list[n].text; isHan(text) && (n >= len(name) || name[n] != text) || !isHan(text) && !slices.Contains(name, text) {
			break
		}
		n++
	}
	if n == 1 && utf8.RuneCountInString(list[0].text) < 3 {
		return 0
	}
	return n
}

// away returns who of those that were met elsewhere is spoken to first of all, as if they were here. Where a name has no comma behind
// it, and somebody here has something to say about it all, it may be them who are told of somebody.
func (r *reader) away() *world.Actor {
	list := r.said.tokens
	for _, a := range r.w.Actors() {
		n := spokenTo(list, texts(tokens(a.Name).tokens))
		if n <= r.table.leading("article", list) || r.met(list[:n]) != a {
			continue
		}
		told := func(e *entity) bool {
			return rules.Asked(e.actor.Talk, r.w.Open(e.actor), strings.Join(texts(list), " ")) >= 0
		}
		if list[n].gap == comma || !slices.ContainsFunc(r.listeners(), told) {
			return a
		}
	}
	return nil
}

// unasked is the answer to a question that nobody is asked.
func (r *reader) unasked() *refusal {
	some := r.listeners()
	if len(some) == 0 {
		return r.because("question")
	}
	return r.because("whom", r.listNames(some))
}

// onlyOrLatest returns the only one of some, or which of them was named last, or nil.
func (r *reader) onlyOrLatest(some []*entity) *entity {
	if len(some) == 1 {
		return some[0]
	}
	return r.latest(some)
}

// latest returns which of some was named last, or nil.
func (r *reader) latest(some []*entity) *entity {
	for _, id := range r.options.Named {
		for _, e := range some {
			if e.id == id {
				return e
			}
		}
	}
	return nil
}

// within returns who of those here is the only one whose name, or a word of it, is among words.
func (r *reader) within(list []token) (only *entity) {
	words := texts(list)
	for _, e := range r.listeners() {
		if !slices.ContainsFunc(e.words(), func(n string) bool {
			return utf8.RuneCountInString(n) > 2 && slices.ContainsFunc(words, func(word string) bool { return akin(word, n) })
		}) && !named(words, e.words()) {
			continue
		}
		if only != nil {
			return nil
		}
		only = e
	}
	return only
}

// named reports whether words have two characters of a Chinese name in them, from where it or one of its parts begins.
func named(words, name []string) bool {
	for i := 0; i+1 < len(name); i++ {
		if isHan(name[i]) && isHan(name[i+1]) && strings.Contains(strings.Join(words, ""), name[i]+name[i+1]) {
			return i == 0 || !isHan(name[i-1])
		}
	}
	return len(name) == 1 && isHan(name[0]) && slices.Contains(words, name[0])
}
