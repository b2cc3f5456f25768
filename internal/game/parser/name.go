package parser

import (
	"slices"
	"strconv"
	"strings"

	"hob/internal/game/world"
)

// need returns what a slot names, among the kinds of the first mask, or, where nothing there fits, of the next one.
func (r *reader) need(slot int, masks ...kind) (*entity, *refusal) {
	return r.needWhere(slot, nil, masks...)
}

// needWhere is need among what is so.
func (r *reader) needWhere(slot int, so func(*entity) bool, masks ...kind) (*entity, *refusal) {
	if e := r.forced[slot]; e != nil {
		r.named = e
		return e, nil
	}
	e, bad := r.find(r.phrase(slot), so, masks)
	if bad != nil {
		bad.slot = slot
		return nil, bad
	}
	r.named = e
	return e, nil
}

// find returns what tokens name.
func (r *reader) find(list []token, so func(*entity) bool, masks []kind) (*entity, *refusal) {
	if len(list) > mostName {
		return nil, unplain()
	}
	if some, isPronoun := r.pronoun(list, so, masks); isPronoun {
		switch {
		case len(some) == 1:
			return some[0], nil
		case !r.options.Alone || r.vague:
			return nil, unplain()
		case len(some) > 1:
			return nil, &refusal{many: some}
		case r.table.is("it", list):
			return nil, r.incomplete()
		}
		return nil, r.because("nobody")
	}
	for _, find := range []func([]token, func(*entity) bool, kind) []*entity{r.best, r.alias, r.nearly} {
		for _, mask := range masks {
			if some := find(list, so, mask); len(some) == 1 || twins(some) {
				return some[0], nil
			} else if len(some) > 1 {
				return nil, &refusal{many: some}
			}
		}
	}
	return nil, r.absent(list, masks)
}

// mostName is how many tokens a name may have. One of Chinese has as many as it has characters.
const mostName = 30

// best returns what tokens fit best.
func (r *reader) best(list []token, so func(*entity) bool, mask kind) (some []*entity) {
	words := r.spelledOut(texts(list))
	plain := words[len(list)-len(r.withoutArticle(list)):]
	most := beginning
	for e := range r.visible(mask, so) {
		n := fit(words, e.words())
		switch {
		case len(words) == 1 && list[0].text == strings.ToLower(e.id):
			n = exactly + 1
		case n < exactly && e.kind != myself:
			n = max(n, min(fit(plain, e.bareWords()), allWords))
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

// spelledOut returns words with small numbers in letters: names have them so, as Room Three.
func (r *reader) spelledOut(words []string) []string {
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

// twins reports whether things are all the same to whoever names one of them.
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

// pronoun returns what it, him and the like can mean: what was named last, here or before, or the only thing that there is.
func (r *reader) pronoun(list []token, so func(*entity) bool, masks []kind) (some []*entity, is bool) {
	var of kind
	if r.table.is("it", list) {
		of |= near | carried | held
	}
	if r.table.is("them", list) || r.options.Alone && r.table.is("somebody", list) && len(r.best(list, so, person)) == 0 {
		of |= person
	}
	if of == 0 {
		return nil, false
	}
	mask := of & union(masks)
	if e := r.last; e != nil && e.kind&mask != 0 && (so == nil || so(e)) {
		return []*entity{e}, true
	}
	some = slices.Collect(r.visible(mask, so))
	if e := r.latest(some); e != nil {
		return []*entity{e}, true
	}
	return some, true
}

// union returns all kinds of some masks.
func union(masks []kind) (all kind) {
	for _, m := range masks {
		all |= m
	}
	return all
}

// absent is the answer to a name of nothing that there is, if a name is all that it can be.
func (r *reader) absent(list []token, masks []kind) *refusal {
	mask := union(masks)
	if r.vague && !r.options.Alone || r.said.quoted {
		return unplain()
	}
	if others := r.best(list, nil, ^mask&^way); len(others) > 0 {
		if mask == carried && slices.ContainsFunc(others, func(e *entity) bool { return e.kind&(near|held) != 0 }) {
			return r.because("mine", others[0].name)
		}
		return r.unfit(others)
	}
	if !r.options.Alone && len(r.best(list, nil, way&^mask)) > 0 {
		return unplain()
	}
	if n := r.table.leading("article", list); n > 0 && n < len(list) {
		if r.table.is("indefinite", list[:n]) && !r.options.Alone {
			return unplain()
		}
		list = list[n:]
	}
	if mask&person != 0 {
		if a := r.met(list); a != nil {
			return r.because("elsewhere", a.Name, r.w.Place(a.Place).Name)
		}
	}
	if here := r.sight().place; !r.plainName(list) || here != nil && r.is(list, here.Name) {
		return r.scenery(list)
	}
	if r.guess = absent; len(list) == 1 && isHan(list[0].text) {
		r.guess = wild // it is the beginning of a longer name more often
	}
	spoken := r.said.raw[list[0].from:list[len(list)-1].to]
	if mask == carried {
		return r.because("mine", spoken)
	}
	return r.because("absent", spoken)
}

// plainName reports whether tokens that name nothing here may be a name all the same: a few words that are nothing else, and
// that are neither what the description of the place speaks of nor the name of something with more words after it.
func (r *reader) plainName(list []token) bool {
	limit := 3
	if isHan(list[0].text) {
		limit = 5
	}
	if len(list) > limit {
		return false
	}
	for i, t := range list {
		adverb := len(t.text) > 4 && strings.HasSuffix(t.text, "ly")
		if i > 0 && t.gap != noGap || r.odd(list[i:]) || adverb || t.text[0] >= '0' && t.text[0] <= '9' {
			return false
		}
	}
	last := list[len(list)-1]
	if r.described(list) {
		return false
	}
	for _, e := range r.sight().list {
		words := e.words()
		if r.options.Alone && isHan(last.text) {
			break // of Chinese most characters are a part of something else as well
		}
		related := func(word string) bool {
			return slices.ContainsFunc(words, func(n string) bool { return akin(word, n) })
		}
		if !related(last.text) && slices.ContainsFunc(list[:len(list)-1], func(t token) bool { return related(t.text) }) {
			return false
		}
	}
	return true
}

// odd reports whether tokens begin with a word that is part of no name.
func (r *reader) odd(list []token) bool {
	return r.table.leading("odd", list) > 0 || r.table.leading("join", list) > 0
}

// all returns what everything means among the kinds of a mask: at most [MostCalls] things.
func (r *reader) all(mask kind, so func(*entity) bool) []*entity {
	list := slices.Collect(r.visible(mask, func(e *entity) bool { return loose(e.thing) && so(e) }))
	return list[:min(len(list), MostCalls)]
}

// list returns what a slot names: one thing, or several that are joined.
func (r *reader) list(slot int, so func(*entity) bool, masks ...kind) ([]*entity, *refusal) {
	one, bad := r.needWhere(slot, so, masks...)
	if bad == nil {
		return []*entity{one}, nil
	}
	if bad.text != "" || len(bad.many) > 0 {
		return nil, bad
	}
	whole := said{raw: r.said.raw, tokens: r.phrase(slot)}
	parts := (&reader{langs: r.langs, said: whole}).parts()
	if len(parts) < 2 || len(parts) > MostCalls {
		return nil, bad
	}
	var some []*entity
	for _, part := range parts {
		e, bad := r.find(part, so, masks)
		if bad != nil {
			return nil, unplain()
		}
		if !slices.Contains(some, e) {
			some = append(some, e)
		}
	}
	r.named = some[len(some)-1]
	return some, nil
}

// counted takes a number from the beginning of the first slot: three coins. It is 0 where there is none, and where what comes
// after it is nothing here.
func (r *reader) counted() int64 {
	p := r.phrase(1)
	if len(p) < 2 {
		return 0
	}
	n := number(p[0].text)
	if n == 0 {
		n = number(r.table.which("num.", p[:1]))
	}
	if n == 0 || len(r.best(p, nil, near|carried|held)) > 0 && r.table.leading("indefinite", p) == 0 {
		return 0
	}
	p = p[1:]
	if m := r.table.leading("measure", p); m < len(p) {
		p = p[m:]
	}
	if len(r.best(p, nil, near|carried|held)) > 0 {
		r.slots[1].from = r.slots[1].to - len(p)
		return n
	}
	return 0
}

// number reads a whole number from 1 to 99999; 0 is none.
func number(text string) int64 {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || len(text) > 5 {
		return 0
	}
	return int64(n)
}

// spelled reads a number in digits or in words.
func (r *reader) spelled(slot int) int64 {
	p := r.phrase(slot)
	if len(p) == 1 {
		if n := number(p[0].text); n > 0 {
			return n
		}
	}
	return number(r.table.which("num.", p))
}

// weapon returns what an actor has in hand with the largest damage, the first of several, or "".
func (r *reader) weapon() (best string) {
	most := int64(0)
	for _, t := range r.w.Contents(r.actor.ID) {
		if damage := t.Stats["damage"]; !t.Hidden && damage > most {
			best, most = t.ID, damage
		}
	}
	return best
}

// ours reports whether somebody is of the party.
func (r *reader) ours(a *world.Actor) bool {
	return a.Role == "pc" || slices.Contains(r.w.Self().Party, a.ID)
}
