package parser

import (
	"slices"
	"strconv"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// need returns the entity that a slot names: one of the kinds of the first mask, or if there is none, of the next one.
func (r *reader) need(slot int, masks ...kind) (*entity, *refusal) {
	return r.needWhere(slot, nil, masks...)
}

// needWhere is need for entities that fit.
func (r *reader) needWhere(slot int, fits func(*entity) bool, masks ...kind) (*entity, *refusal) {
	if e := r.forced[slot]; e != nil {
		r.named, r.known = e, true
		return e, nil
	}
	e, bad := r.find(r.phrase(slot), fits, masks)
	if bad != nil {
		bad.slot = slot
		return nil, bad
	}
	r.named, r.known = e, true
	return e, nil
}

// find returns the entity that tokens name.
func (r *reader) find(list []token, fits func(*entity) bool, masks []kind) (*entity, *refusal) {
	if len(list) > mostName || len(list) > 1 && slices.ContainsFunc(list[1:], func(t token) bool { return t.gap != noGap }) {
		return nil, notPlain()
	}
	if r.isMissed(list) {
		list = tokens(r.options.Missed).tokens
		if some := r.findBest(list, fits, union(masks)); len(some) == 1 {
			return some[0], nil
		}
		r.guess, r.unknown = absent, r.options.Missed
		return nil, r.refuse(absence(masks), r.options.Missed)
	}
	if some, isPronoun := r.pronoun(list, fits, masks); isPronoun {
		switch {
		case len(some) == 1:
			return some[0], nil
		case !r.options.NoModel:
			return nil, notPlain()
		case len(some) == 0 && r.table.is("somebody", list) && r.scenery(list) != "":
			return nil, &refusal{text: r.scenery(list)}
		case r.vague:
			if some = slices.DeleteFunc(some, func(e *entity) bool { return e.kind != person }); len(some) == 0 && r.table.is("it", list) {
				return nil, r.refuseIncomplete()
			} else if len(some) > 0 {
				return nil, &refusal{many: some}
			}
		case len(some) > 1:
			return nil, &refusal{many: some}
		case union(masks)&^(person|myself) != 0 && r.table.is("it", list):
			return nil, r.refuseIncomplete()
		}
		return nil, r.refuse("nobody")
	}
	for _, find := range []func([]token, func(*entity) bool, kind) []*entity{r.findBest, r.findAlias, r.findSlips, r.withoutModifier, r.findPlain, r.findSame} {
		for i, mask := range masks {
			if some := find(list, fits, mask); len(some) == 1 || twins(some) {
				kin := func(e *entity) bool { return (fits == nil || fits(e)) && e.thing != nil && r.namesKind(list, e) }
				if better := find(list, kin, union(masks[i:])); len(better) == 1 && some[0].thing != nil && !r.namesKind(list, some[0]) {
					return better[0], nil // the herring in hand, and not the herring barrel
				}
				return some[0], nil
			} else if len(some) > 1 {
				return nil, &refusal{many: some}
			}
		}
	}
	return nil, r.refuseAbsent(list, masks)
}

// findPlain finds what tokens name without epithets that anybody may add, or with one word of its name written as two:
// "the little bird house".
func (r *reader) findPlain(list []token, fits func(*entity) bool, mask kind) []*entity {
	if list = r.withoutArticle(list); !r.options.NoModel || len(list) < 2 {
		return nil
	}
	plain := list
	for n := r.table.leading("epithet", plain); n > 0 && n < len(plain); n = r.table.leading("epithet", plain) {
		plain = plain[n:]
	}
	if n := len(plain) - 1; n > 0 && !isHan(plain[n].text) && plain[n].gap == noGap {
		whole := plain[n-1].text + plain[n].text
		for range r.visible(mask, func(e *entity) bool { return slices.Contains(e.words(), whole) }) {
			plain = append(slices.Clone(plain[:n-1]), token{text: whole, from: plain[n-1].from, to: plain[n].to, gap: plain[n-1].gap})
			break
		}
	}
	if len(plain) == len(list) {
		return nil
	}
	return r.findBest(plain, fits, mask)
}

// mostName is the longest name in tokens. In Chinese each character is a token.
const mostName = 30

// findBest returns the entities whose names fit the tokens best.
func (r *reader) findBest(list []token, fits func(*entity) bool, mask kind) (some []*entity) {
	words := r.spellNumbers(texts(list))
	plain := words[len(list)-len(r.withoutArticle(list)):]
	most := beginning
	for e := range r.visible(mask, fits) {
		n := fit(words, e.words())
		switch {
		case len(words) == 1 && list[0].text == strings.ToLower(e.id):
			n = exactly + 1
		case n < exactly && e.kind != myself:
			n = max(n, min(fit(plain, e.bareWords()), allWords))
		}
		if len(words) == 1 && isGivenName(words[0], e.name) {
			n = max(n, someWords)
		}
		if e.other != nil {
			n = max(n, min(fit(plain, e.other), allWords))
		}
		switch {
		case n > most:
			most, some = n, append(some[:0], e)
		case n == most:
			some = append(some, e)
		}
	}
	return some
}

// spellNumbers writes small numbers in letters, as names have them: Room Three.
func (r *reader) spellNumbers(words []string) []string {
	for i, word := range words {
		if nth := r.table.which("nth.", []token{{text: word}}); nth != "" {
			word = nth
		}
		if len(word) == 1 && word[0] >= '1' && word[0] <= '9' {
			line := strings.Trim(r.table.word("num."+word), " ()")
			if end := strings.IndexAny(line, "|;"); end > 0 {
				line = strings.TrimSpace(line[:end])
			}
			words[i] = line
		}
	}
	return words
}

// bareWords returns the words of a name without its article.
func (e *entity) bareWords() []string {
	words := e.words()
	if len(words) > 1 && (words[0] == "the" || words[0] == "a" || words[0] == "an") {
		return words[1:]
	}
	return words
}

// namesKind reports whether the last token says what kind of thing an entity is, and not what it is made of or for. In
// English and Chinese that is the last word of its name, in Russian the first noun.
func (r *reader) namesKind(list []token, e *entity) bool {
	words, name := texts(r.withoutArticle(list)), e.bareWords()
	if len(name) == 0 || !isCyrillic(name[0]) {
		if n := len(words) - 1; n > 0 && (words[n] == "子" || words[n] == "头") && fit(words[:n], name) >= lastWords {
			return true // 桌子 is said of a 长桌
		}
		return fit(words, name) >= lastWords
	}
	kind := kindIn(name)
	return kind >= 0 && (spelling.Akin(words[len(words)-1], name[kind]) || isDiminutive(words[len(words)-1], name[kind]))
}

// kindIn returns the index of the first Russian noun among words, -1 for none.
func kindIn(words []string) int {
	return slices.IndexFunc(words, func(word string) bool {
		return !spelling.HasEnd(word, "ый", "ий", "ой", "ая", "яя", "ое", "ее", "ые", "ие")
	})
}

// twins reports whether things are the same for a player who names one of them.
func twins(list []*entity) bool {
	for _, e := range list {
		a, b := list[0].thing, e.thing
		if a == nil || b == nil || a.Name != b.Name || a.Desc != b.Desc || a.Parent != b.Parent || a.Rel != b.Rel || a.Fixed != b.Fixed ||
			a.Container || b.Container || a.Lock != b.Lock || len(a.Attrs)+len(b.Attrs)+len(a.Stats)+len(b.Stats) > 0 {
			return false
		}
	}
	return len(list) > 0
}

// pronoun returns what "it", "him" and the like can mean: what was named last, or else everything of the kind.
func (r *reader) pronoun(list []token, fits func(*entity) bool, masks []kind) (some []*entity, is bool) {
	mask := union(masks)
	if r.table.is("other", list) {
		return r.others(slices.Collect(r.visible(mask, fits))), true
	}
	if r.table.is("you", list) && mask&person != 0 && r.options.NoModel && r.smallTalk() == "" && r.table.leading("you.not", r.tokens) == 0 {
		return r.latestOf(slices.Collect(r.visible(mask&person, func(e *entity) bool { return !r.isOurs(e.actor) && (fits == nil || fits(e)) }))), true
	}
	isNoName := func(key string) bool {
		return r.options.NoModel && r.table.is(key, list) && len(r.findBest(list, fits, person)) == 0
	}
	isBeast := func(e *entity) bool { return e.actor.Role == "monster" && (fits == nil || fits(e)) }
	beasts := func() []*entity { return slices.Collect(r.visible(mask&person, isBeast)) }
	if isNoName("beast") {
		return beasts(), true
	}
	const object = near | carried | held
	it, them := r.table.is("it", list), r.table.is("them", list) || isNoName("somebody")
	switch {
	case !it && !them:
		return nil, false
	case it && !them && mask&person != 0 && r.isNamedLast(mask):
		return slices.Collect(r.visible(person, func(e *entity) bool { return e.id == r.options.Named[0] && (fits == nil || fits(e)) })), true
	case it && !them && mask&object == 0: // "it" may be a beast, or a person who is neither he nor she
		return r.latestOf(slices.Collect(r.visible(mask&person, func(e *entity) bool {
			return isBeast(e) || !r.isOurs(e.actor) && r.gender(e) == "" && (fits == nil || fits(e))
		}))), true
	}
	if r.options.NoModel && r.table.is("hail", list) && len(r.findBest(list, fits, person)) == 0 { // nobody calls one's own party so
		given := fits
		fits = func(e *entity) bool { return (e.actor == nil || !r.isOurs(e.actor)) && (given == nil || given(e)) }
	}
	of := mask & (object | person)
	switch several := r.table.is("several", list); {
	case !them:
		of &^= person
	case several && r.options.NoModel && r.namedThingLast(mask): // dust them off is said of spectacles
		of &^= person
	case !it && !(several && mask&person == 0): // drop them is, too
		of &^= object
	}
	if e := r.last; e != nil && e.kind&of != 0 && (fits == nil || fits(e)) && len(r.withGender(list, []*entity{e})) > 0 {
		return []*entity{e}, true
	}
	some = slices.Collect(r.visible(of, fits))
	lies := func(e *entity) bool { return e.kind == near }
	if it && isHan(list[0].text) && r.latest(some) == nil && !slices.ContainsFunc(some, lies) {
		if only := beasts(); len(only) == 1 {
			return only, true
		}
	}
	agree := r.withGender(list, some)
	isNoun := !r.table.is("he", list) && !r.table.is("she", list)
	if isNoun || r.key == "give" || slices.ContainsFunc(agree, func(e *entity) bool { return e.kind == person }) {
		some = agree // else the pronoun, or what is known of the people, is wrong; but a gift cannot be taken back
	}
	if len(some) == 0 && r.table.is("hail", list) {
		return nil, false
	}
	if e := r.latestThing(some); e != nil && mask&person == 0 {
		return []*entity{e}, true
	}
	return r.latestOf(some), true
}

// isNamedLast reports whether what was named last is a person here who is neither he nor she, and no thing.
func (r *reader) isNamedLast(mask kind) bool {
	if !r.options.NoModel || r.last != nil || len(r.options.Named) == 0 {
		return false
	}
	for e := range r.visible(person&mask, func(e *entity) bool { return e.id == r.options.Named[0] && !r.isOurs(e.actor) }) {
		return e.actor.Role == "monster" || r.gender(e) == ""
	}
	return false
}

// namedThingLast reports whether what was named last is a thing of these kinds, and no person.
func (r *reader) namedThingLast(mask kind) bool {
	if r.last != nil {
		return r.last.thing != nil
	}
	if len(r.options.Named) == 0 {
		return false
	}
	for range r.visible(mask&(near|carried|held), func(e *entity) bool { return e.id == r.options.Named[0] }) {
		return true
	}
	return false
}

// latestThing is latest with what was named earlier: take the bell. Go to Tam. Give it to him.
func (r *reader) latestThing(some []*entity) *entity {
	if e := r.latest(some); e != nil || r.strict {
		return e // to guess at words that are left out, and at what was meant long ago, is too much
	}
	for _, id := range r.options.Earlier {
		if at := slices.IndexFunc(some, func(e *entity) bool { return e.id == id }); at >= 0 {
			return some[at]
		}
	}
	return nil
}

// isMissed reports whether tokens are "it" and what was named last is not here.
func (r *reader) isMissed(list []token) bool {
	return r.options.NoModel && r.options.Missed != "" && r.last == nil && r.table.is("it", list) && !r.table.is("them", list)
}

// latestOf returns the one of some entities that was named last, or all of them.
func (r *reader) latestOf(some []*entity) []*entity {
	if e := r.latest(some); e != nil {
		return []*entity{e}
	}
	return some
}

// others returns what "the other one" can be: an entity with the same kind of name as the one that was named last, or
// else any other one.
func (r *reader) others(some []*entity) []*entity {
	last := r.last
	if last == nil {
		last = r.latest(slices.Collect(r.visible(^kind(0), nil)))
	}
	if last == nil {
		return some
	}
	some = slices.DeleteFunc(some, func(e *entity) bool { return e.id == last.id })
	alike := slices.DeleteFunc(slices.Clone(some), func(e *entity) bool {
		words := last.bareWords()
		return e.kind == person && last.kind != person || len(words) == 0 || !r.namesKind([]token{{text: words[len(words)-1]}}, e) &&
			!(isCyrillic(words[0]) && slices.ContainsFunc(words, func(word string) bool { return r.namesKind([]token{{text: word}}, e) }))
	})
	if len(alike) > 0 {
		return alike
	}
	return some
}

// union returns the kinds of all masks.
func union(masks []kind) (all kind) {
	for _, m := range masks {
		all |= m
	}
	return all
}

// all returns the things of these kinds that can be taken, at most [MostCalls].
func (r *reader) all(mask kind, fits func(*entity) bool) []*entity {
	list := slices.Collect(r.visible(mask, func(e *entity) bool { return loose(e.thing) && fits(e) }))
	return list[:min(len(list), MostCalls)]
}

// list returns what the first slot names: one thing, or several that are joined.
func (r *reader) list(fits func(*entity) bool, masks ...kind) ([]*entity, *refusal) {
	one, bad := r.needWhere(1, fits, masks...)
	if bad == nil {
		return []*entity{one}, nil
	}
	if bad.text != "" || len(bad.many) > 0 {
		return nil, bad
	}
	whole := utterance{raw: r.input.raw, tokens: r.phrase(1)}
	parts := (&reader{langs: r.langs, input: whole}).parts()
	if len(parts) < 2 || len(parts) > MostCalls {
		return nil, bad
	}
	var some []*entity
	for _, part := range parts {
		if r.saysHow(part) || r.table.leading("before", part) > 0 && len(part) > 1 {
			return nil, notPlain() // "the pot, not the tin"; "the pot and everything in the tin"
		}
		e, bad := r.find(part, fits, masks)
		if bad != nil && r.options.NoModel && r.isPlainNoun(part) && !r.isCommand(part) { // without the rope, "the lamp and the rope" does not take the lamp alone
			return nil, bad
		} else if bad != nil {
			return nil, notPlain()
		}
		if !slices.Contains(some, e) {
			some = append(some, e)
		}
	}
	r.named = some[len(some)-1]
	return some, nil
}

// isPlainNoun reports whether tokens are Chinese, or one word with or without an article: more words may have an unknown
// verb.
func (r *reader) isPlainNoun(list []token) bool {
	return isHan(list[0].text) || len(r.withoutArticle(list)) == 1
}

// isCommand reports whether tokens have a verb, and are no mere name.
func (r *reader) isCommand(list []token) bool {
	_, ok := r.tryVerb(list, false)
	return ok
}

// takeCount removes a number from the beginning of slot 1: "three coins". It returns 0 if there is no number, or if the
// rest names nothing here.
func (r *reader) takeCount() int64 {
	p := r.phrase(1)
	if len(p) < 2 {
		return 0
	}
	n := number(p[0].text)
	if n == 0 {
		n = number(r.table.which("num.", p[:1]))
	}
	if n == 0 || len(r.findBest(p, nil, near|carried|held)) > 0 && r.table.leading("indefinite", p) == 0 {
		return 0
	}
	p = p[1:]
	if m := r.table.leading("measure", p); m < len(p) {
		p = p[m:]
	}
	if len(r.findBest(p, nil, near|carried|held)) > 0 {
		r.slots[1].from = r.slots[1].to - len(p)
		return n
	}
	return 0
}

// number reads a whole number from 1 to 99999; 0 means none.
func number(text string) int64 {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || len(text) > 5 {
		return 0
	}
	return int64(n)
}

// numberIn reads the number in a slot, in digits or in words.
func (r *reader) numberIn(slot int) int64 {
	p := r.phrase(slot)
	if len(p) == 1 {
		if n := number(p[0].text); n > 0 {
			return n
		}
	}
	return number(r.table.which("num.", p))
}

// isOurs reports whether somebody belongs to the party.
func (r *reader) isOurs(a *world.Actor) bool {
	return a.Role == "pc" || rules.InParty(r.w, a.ID)
}
