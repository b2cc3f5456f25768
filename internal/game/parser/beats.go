package parser

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/game/spelling"
	"hob/internal/game/world"
	"hob/internal/lazyregexp"
)

// refuseAs returns a refusal in the tale's words for one of these moments, or in the words of a key.
func (r *reader) refuseAs(ids []string, key string, args ...string) *refusal {
	if text := r.beat(ids...); text != "" {
		return &refusal{text: text}
	}
	return r.refuse(key, args...)
}

// beat returns the tale's words for one of these moments, or "".
func (r *reader) beat(ids ...string) string {
	if !r.options.NoModel {
		return ""
	}
	return r.w.TextOf(r.options.Variant, nil, ids...)
}

// scenery returns what the tale says of a thing that is only mentioned in the text of the place, or "".
func (r *reader) scenery(list []token) string {
	text := r.sceneryOf(list)
	for _, other := range r.sameWords(list) {
		if text != "" {
			break
		}
		text = r.sceneryOf(other)
	}
	return text
}

// sceneryOf is scenery for these words alone.
func (r *reader) sceneryOf(list []token) string {
	here := r.sight().place
	if here == nil || len(list) == 0 || len(list) > mostName {
		return ""
	}
	if n := r.table.leading("article", list); n > 0 && n < len(list) {
		list = list[n:]
	}
	if len(list) > 1 && r.table.which("nth.", list[:1]) != "" {
		list = list[1:] // "the third tree"
	}
	words := texts(list)
	most, text := noFit, ""
	for _, b := range r.w.Scenery(here.ID) {
		for _, key := range b.Keys {
			n := fit(words, texts(tokens(key).tokens))
			if isHan(words[0]) && n < lastWords && strings.HasSuffix(strings.Join(words, ""), key) && utf8.RuneCountInString(key) > 1 {
				n = lastWords // 看蓝窗板 for the key 窗板
			} else if last := len(words) - 1; n <= beginning && last > 0 && r.describes(words[:last]) {
				n = min(fit(words[last:], texts(tokens(key).tokens)), someWords) // "the blue shutters" for the key "shutters"
			}
			if n > most && n > beginning {
				most, text = n, r.w.TextOf(r.options.Variant, nil, b.ID)
			}
		}
	}
	return text
}

// describes reports whether the text of the place has all of these words.
func (r *reader) describes(words []string) bool {
	text := r.description()
	return !slices.ContainsFunc(words, func(word string) bool {
		return isHan(word) || !slices.ContainsFunc(text, func(other string) bool { return spelling.Akin(word, other) })
	})
}

// reachesFor reports whether the command looks at a thing or takes it. Only then is a part that its description mentions
// an answer.
func (r *reader) reachesFor() bool {
	return slices.Contains([]string{"examine", "take", "take.from", "steal"}, r.key)
}

// written matches quotations in a description: what a letter says of a lamp is not a part of the letter that anybody
// sees.
var written = lazyregexp.New(`"[^"]*"|“[^”]*”|«[^»]*»|「[^」]*」`)

// partOfThing returns the sentence that mentions a name in the description of somebody or something here, or "".
func (r *reader) partOfThing(list []token, of kind) string {
	for e := range r.visible(of, nil) {
		desc := ""
		if e.thing != nil {
			desc = written().ReplaceAllString(e.thing.Desc, "…")
		} else if e.actor != nil {
			desc = r.looksOf(e, list)
		}
		if line := r.sentenceOf(desc, list); line != "" {
			return line
		}
	}
	return ""
}

// partOfPerson returns the sentence that mentions a part of a person's looks: "her leg", "Sable's leg", or just "the
// leg".
func (r *reader) partOfPerson(list []token) string {
	if !r.options.NoModel || r.key != "examine" || len(list) > 3 {
		return ""
	}
	e := r.ownerOf(list)
	switch {
	case e == nil && (len(list) == 1 || isHan(list[0].text)):
		return r.partOfThing(list, person)
	case e == nil:
		return ""
	case isCyrillic(list[0].text) && r.beside(list[1:]) == e:
		list = list[:1] // ногу Сойки
	}
	return r.sentenceOf(e.actor.Desc, list)
}

// looksOf returns the description of a person, without its first sentence if that mentions a name only as their origin.
func (r *reader) looksOf(e *entity, name []token) string {
	desc, word := e.actor.Desc, lastWord(name)
	_, origin := r.splitOrigin(e)
	if slices.ContainsFunc(origin, func(other string) bool { return spelling.Akin(word, other) }) {
		return desc[endOfSentence(desc):]
	}
	return desc
}

// beg asks somebody for a thing, as if it were a topic. Somebody who does not have it says so.
func (r *reader) beg() (Meaning, *refusal) {
	p, all := r.phrase(2), r.listeners()
	if r.options.NoModel && len(all) == 0 {
		return Meaning{}, r.refuse("nobody")
	}
	if len(p) > 1 && r.table.is("them", p[:1]) {
		return Meaning{}, notPlain() // "buy her a drink"
	}
	to := r.onlyOrLatest(all)
	if !r.options.NoModel || to == nil || len(p) == 0 || r.onlyNamed(p) != nil {
		m, bad := r.say()
		if bad != nil && bad.text == "" && len(bad.many) == 0 && r.options.NoModel {
			r.guess, bad = wild, r.refuseUnasked()
		}
		return m, bad
	}
	words := joinTokens(r.withoutArticle(p))
	if r.topicOf(to, words) >= 0 || len(r.findBest(p, nil, held|carried|near)) > 0 {
		return r.say()
	}
	r.named, r.guess = to, wild
	return Meaning{}, r.refuse("denied", to.name, words)
}

// aid asks a person what they need: a line on help, or else their greeting.
func (r *reader) aid() (m Meaning, bad *refusal) {
	if r.book.Tool("talk") == nil {
		return m, notPlain()
	}
	to, bad := r.other(1)
	if bad != nil {
		return m, bad
	}
	for e := range r.visible(carried, func(e *entity) bool { return r.options.NoModel && r.isAwaited(to.actor, e.id) }) {
		return r.offer(e, to)
	}
	for _, words := range [...]string{joinTokens(r.tokens), strings.TrimSpace(r.table.word("aid"))} {
		if r.freeTopicOf(to, words) >= 0 {
			return r.talkTo(to, words)
		}
	}
	return r.talkTo(to, "")
}

// accuse tells somebody what they have done. It changes nothing: only proof given to the right person does.
func (r *reader) accuse() (m Meaning, bad *refusal) {
	if !r.options.NoModel {
		return m, notPlain()
	}
	if p := r.phrase(1); r.table.is("somebody", p) && len(r.listeners()) != 1 || len(p) == 0 {
		return r.askWhich("nobody", person)
	}
	to, bad := r.other(1)
	if bad != nil {
		return m, bad
	}
	r.named = to
	return r.react(to, "accused", "")
}

// topicsIn returns the topics that a person can be asked about now.
func (r *reader) topicsIn(a *world.Actor) (topics []string) {
	for _, i := range r.w.OpenTalk(a) {
		if t := a.Talk[i]; t.Topic != "" && len(t.Keys) > 0 && !slices.Contains(topics, t.Topic) {
			topics = append(topics, t.Topic)
		}
	}
	return topics
}

// sentenceOf returns the sentence of a text that mentions the last word of a name, or "".
func (r *reader) sentenceOf(text string, name []token) string {
	word := lastWord(name)
	if utf8.RuneCountInString(word) < 2 {
		return ""
	}
	for text != "" {
		end := endOfSentence(text)
		one := strings.TrimSpace(text[:end])
		if mentions(one, word) {
			return one
		}
		text = text[end:]
	}
	return ""
}

// endOfSentence returns where the first sentence of a text ends: behind its mark, but not behind "Mrs.".
func endOfSentence(text string) (end int) {
	for end < len(text) {
		n := strings.IndexAny(text[end:], ".!?…。！？")
		if n < 0 {
			return len(text)
		}
		_, size := utf8.DecodeRuneInString(text[end+n:])
		words := strings.Fields(strings.ToLower(text[:end+n]))
		if end += n + size; len(words) == 0 || !isTitle([]byte(words[len(words)-1])) {
			break
		}
	}
	return end
}

// gesture answers an act that changes nothing, such as to sit down beside somebody, or to nod to them. A command behind it
// is still done.
func (r *reader) gesture() (Meaning, *refusal) {
	e, bad := r.needWhere(1, func(e *entity) bool { return e.kind != person || !r.isOurs(e.actor) }, near|carried|person)
	switch {
	case bad != nil && r.namesDoor(r.phrase(1)):
		return Meaning{}, r.already("small.gesture") // "knock on the door of room three"
	case bad != nil:
		return Meaning{}, r.askAmong(bad)
	case e.kind == person && r.key == "nod" && e.actor.Role != "monster":
		return r.react(e, "noticed", "")
	case e.kind == person:
		return Meaning{}, r.refuseIdleWith(e).settled()
	}
	return Meaning{}, r.already("idle", e.name)
}

// namesDoor reports whether the first word of tokens is a kind of door.
func (r *reader) namesDoor(list []token) bool {
	list = r.withoutArticle(list)
	_, is := r.doors(list[:min(1, len(list))])
	return is
}

// touch feels or smells a thing, which is to look at it. With a person nothing comes of it.
func (r *reader) touch() (Meaning, *refusal) {
	if e, bad := r.need(1, near|carried|held, person); bad == nil && e.kind == person && !r.isOurs(e.actor) {
		return Meaning{}, r.refuseIdleWith(e).settled()
	}
	r.key = "examine"
	return r.examine()
}
