package parser

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// takeAddressee returns the person who is addressed by name: before the first comma, behind the last one, or at the
// beginning. It removes the name from the input.
func (r *reader) takeAddressee() *entity {
	list := r.input.tokens
	if e, n := r.vocative(); e != nil {
		r.input.tokens = list[n:]
		return e
	}
	for i, t := range list {
		if t.gap != comma {
			continue
		}
		for _, part := range [2][2][]token{{list[:i], list[i:]}, {list[i:], list[:i]}} {
			e := r.onlyNamed(part[0])
			if some := r.lookingLike(part[0]); e == nil && len(some) == 1 {
				e = some[0]
			}
			if e != nil && len(part[0]) <= mostName/4 && !r.isDeed(part[0]) {
				r.input.tokens = part[1]
				return e
			}
		}
	}
	return nil
}

// lookingLike returns the people here whom tokens describe by their looks: "soldier".
func (r *reader) lookingLike(list []token) []*entity {
	if !r.options.NoModel || len(list) == 0 || r.table.leading("asking", list) > 0 {
		return nil
	}
	return r.findAlias(list, func(e *entity) bool { return !r.isOurs(e.actor) }, person)
}

// isDeed reports whether tokens are a command for more than talk: "give Ilse the letters".
func (r *reader) isDeed(list []token) bool {
	m, ok := r.tryVerb(list, false)
	return ok && (len(m.Calls) == 0 || m.Calls[0].Tool != "talk")
}

// vocative returns the person whose name begins the input without a comma behind it, and how many tokens the name has:
// "Hester give me the key". A Chinese name may be shortened.
func (r *reader) vocative() (whom *entity, most int) {
	shared := false
	for _, e := range r.listeners() {
		switch n := countAddress(r.input.tokens, e.words()); {
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

// countAddress returns how many tokens at the beginning are words of a name. Other tokens must follow.
func countAddress(list []token, name []string) (n int) {
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

// refuseForeign answers words that are addressed by name to a person who is not here: before the first comma, behind the
// last one, or at the beginning. The actor does not go to them for that, and nobody else answers. It returns nil for words
// that address nobody else.
//
// With sure, the words must be an address and nothing else. A name without a comma behind it may also be a topic for
// somebody here.
func (r *reader) refuseForeign(sure bool) *refusal {
	if r.actor == nil || r.input.quoted {
		return nil
	}
	words := r.input.tokens
	list := words
	first := func() int { return slices.IndexFunc(list[1:], func(t token) bool { return t.gap != noGap }) + 1 }
	n := first()
	for n > 0 && r.isHello(list[:n]) { // "hey, Marta, is there any bread"
		list = list[n:]
		n = first()
	}
	if hello := words[:len(words)-len(list)]; n == 0 && len(hello) > 0 {
		return r.refuseNamed(list, hello) // "hello, Marta"
	}
	if n > 0 {
		if bad := r.refuseNamed(list[:n], list[n:]); bad != nil && (list[n].gap == comma || r.input.question) {
			return bad
		}
		for n = len(list) - 1; list[n].gap == noGap; n-- {
		}
		if bad := r.refuseNamed(list[n:], list[:n]); bad != nil && list[n].gap == comma && r.isSpeech(list[:n]) {
			return bad
		}
	}
	if sure {
		return nil
	}
	if bad := r.refuseAsked(list); bad != nil {
		return bad
	}
	for _, a := range r.w.Actors() {
		n := countAddress(list, texts(tokens(a.Name).tokens))
		if n <= r.table.leading("article", list) || r.findMet(list[:n]) != a && r.findHeardOf(list[:n]) != a {
			continue
		}
		told := func(e *entity) bool { return r.topicOf(e, strings.Join(texts(list), " ")) >= 0 }
		if list[n].gap == comma || !slices.ContainsFunc(r.listeners(), told) {
			return r.refuseElsewhere(list[:n], person)
		}
	}
	return nil
}

// refuseAsked answers a request that names a person who is not here behind its verb: "ask Ilse to take me across".
func (r *reader) refuseAsked(list []token) *refusal {
	for _, r.table = range r.langs {
		n := r.table.leading("indirect", list)
		if n == 0 {
			continue
		}
		list = list[n:]
		for k := min(len(list)-1, mostNoun); k > 0; k-- {
			was := r.understanding
			if bad := r.refuseNamed(list[:k], list[k:]); bad != nil {
				if list[k].text == "的" || strings.HasSuffix(list[k-1].text, "'s") || strings.HasSuffix(list[k-1].text, "s'") {
					r.understanding = was
					return nil // the Miller's wife is not the Miller
				}
				return bad
			}
		}
	}
	return nil
}

// isSpeech reports whether tokens may be said to a person: a question, small talk, or no command at all.
func (r *reader) isSpeech(list []token) bool {
	at := *r
	at.input.tokens, at.verbless = list, false
	if at.isAsking() || at.smallTalk() != "" {
		return true
	}
	m, ok := at.readVerb(list)
	return !ok || m.Show != ""
}

// isHello reports whether tokens greet somebody.
func (r *reader) isHello(list []token) bool {
	return slices.ContainsFunc(r.langs, func(t table) bool { return t.which("small.", list) == "hello" })
}

// refuseNamed answers the name of a person who is not here, with other words beside it; nil for all other names. A name
// that is a part of a place's name, such as Marta in Marta's Bakery, is a person's if the other words can be said to them.
func (r *reader) refuseNamed(list, rest []token) *refusal {
	for n := 1; n < min(len(list), mostNoun); n++ {
		if r.isHello(list[:n]) {
			list = list[n:] // "hello Marta"
			break
		}
	}
	if len(list) > mostName/4 {
		return nil
	}
	for _, r.table = range r.langs {
		if r.beside(list) != nil || len(r.findBest(list, nil, ^way)) > 0 {
			continue
		}
		known := slices.DeleteFunc(r.w.Places(), func(p *world.Place) bool {
			return !p.Visited && !r.isGlimpsed(p) || r.fitName(list, p.Name) <= beginning
		})
		if slices.ContainsFunc(known, func(p *world.Place) bool { return r.namesKind(list, &entity{name: p.Name}) }) {
			continue
		}
		if bad := r.refuseElsewhere(list, person); bad != nil {
			return bad
		}
		a := r.findElsewhere(list, func(a *world.Actor, _ *world.Place) bool { return r.fitName(list, a.Name) > beginning })
		if a != nil || r.isOthersKin(list) || len(known) > 0 && !r.isOdd(list) && r.table.which("dir.", list) == "" && r.isSpeech(rest) {
			return r.refuse("absent", r.spoken(list))
		}
	}
	return nil
}

// refuseUnasked answers a question that is addressed to nobody.
func (r *reader) refuseUnasked() *refusal {
	some := r.listeners()
	if len(some) == 0 {
		return r.refuse("question")
	}
	return r.refuse("whom", r.joinEntities(some))
}

// onlyOrLatest returns the only one of some entities, or the one that was named last, or nil.
func (r *reader) onlyOrLatest(some []*entity) *entity {
	if len(some) == 1 {
		return some[0]
	}
	return r.latest(some)
}

// latest returns the one of some entities that was named last, or nil.
func (r *reader) latest(some []*entity) *entity {
	if last := r.last; last != nil {
		if i := slices.IndexFunc(some, func(e *entity) bool { return e.id == last.id && e.kind == last.kind }); i >= 0 {
			return some[i]
		}
	}
	for _, id := range r.options.Named {
		for _, e := range some {
			if e.id == id {
				return e
			}
		}
	}
	return nil
}

// onlyNamed returns the person here whose name, or a word of it, is among the tokens; nil for several.
func (r *reader) onlyNamed(list []token) (only *entity) {
	words := texts(list)
	for _, e := range r.listeners() {
		if !slices.ContainsFunc(e.words(), func(n string) bool {
			return utf8.RuneCountInString(n) > 2 && slices.ContainsFunc(words, func(word string) bool { return spelling.Akin(word, n) })
		}) && !hasHanPart(words, e.words()) {
			continue
		}
		if only != nil {
			return nil
		}
		only = e
	}
	return only
}

// hasHanPart reports whether words have two characters of a Chinese name: the first two, or the first two of one of its
// parts.
func hasHanPart(words, name []string) bool {
	for i := 0; i+1 < len(name); i++ {
		if isHan(name[i]) && isHan(name[i+1]) && strings.Contains(strings.Join(words, ""), name[i]+name[i+1]) {
			return i == 0 || !isHan(name[i-1])
		}
	}
	return len(name) == 1 && isHan(name[0]) && slices.Contains(words, name[0])
}
