package narration

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/game/world"
)

// found is an entity that a draft names.
type found struct {
	span
	kind world.Kind
	id   string
	full bool // by all of its name
	at0  int  // the first token, and how many, of a language with spaces
	n    int
}

// names finds the entities that a draft names: in a language with spaces by the stems of their words, in Chinese as they stand.
func (c *checker) names() {
	c.found = c.found[:0]
	each := func(kind world.Kind, id, name string) {
		if name == "" {
			return
		}
		if c.lang == "zh" && han(name) {
			c.nameHan(kind, id, name)
			return
		}
		c.nameWords(kind, id, name)
	}
	for _, w := range c.worlds() {
		for _, a := range w.Actors() {
			each(world.ActorKind, a.ID, a.Name)
		}
		for _, p := range w.Places() {
			each(world.PlaceKind, p.ID, p.Name)
		}
		for _, t := range c.d.objects(w) {
			each(world.ThingKind, t.ID, t.Name)
		}
	}
	for _, m := range c.draft.marks {
		kind := map[string]world.Kind{"object": world.ThingKind, "player": world.ActorKind, "location": world.PlaceKind}[m.kind]
		if c.d.After.Record(kind, m.id) == nil && c.d.Before.Record(kind, m.id) == nil {
			c.flag(map[world.Kind]string{world.ThingKind: Item, world.ActorKind: Person, world.PlaceKind: Place}[kind], m.span,
				"there is nothing with this id")
		}
	}
	slices.SortStableFunc(c.found, func(a, b found) int { return a.at - b.at })
	c.first, c.final = make([][]found, len(c.toks)), make([][]found, len(c.toks))
	for _, f := range c.found {
		if f.n > 0 {
			c.first[f.at0] = append(c.first[f.at0], f)
			c.final[f.at0+f.n-1] = append(c.final[f.at0+f.n-1], f)
		}
	}
}

// mostFound is how many names are found at most: more are in no narration.
const mostFound = 2048

// add adds an entity that is named, if it is not part of what was found of the same one before.
func (c *checker) add(f found) {
	if len(c.found) >= mostFound {
		return
	}
	for i := len(c.found) - 1; i >= 0 && c.found[i].id == f.id && c.found[i].kind == f.kind; i-- {
		if c.found[i].at <= f.at && c.found[i].end >= f.end {
			return
		}
	}
	c.found = append(c.found, f)
}

// worlds returns the world as it is, and as it was where something went out of it.
func (c *checker) worlds() []*world.World {
	list := []*world.World{c.d.After}
	for _, p := range c.d.passed {
		if p.gone {
			gone := world.Empty()
			if gone.Apply(world.Event{New: p.thing}) == nil {
				list = append(list, gone)
			}
		}
	}
	return list
}

// nameWords looks for a name by its words.
func (c *checker) nameWords(kind world.Kind, id, name string) {
	if !c.begins(name) {
		return
	}
	var words [10]string
	n, hit := 0, false
	for rest := name; rest != "" && n < len(words); {
		w, after := nextWord(rest)
		if rest = after; w == "" || n == 0 && len(rest) > 0 && strings.EqualFold(w, "the") {
			continue
		}
		words[n] = stem(c.lang, lowered(w))
		if _, ok := c.stems[words[n]]; ok {
			hit = true
		}
		n++
	}
	if !hit {
		return
	}
	all := words[:n]
	before := len(c.found)
	c.sequence(kind, id, all, true)
	if i := strings.LastIndex(name, ": "); i > 0 { // "Mine: Dripping Shaft"
		k := 0
		for rest := name[:i]; rest != ""; {
			w, after := nextWord(rest)
			if rest = after; w != "" {
				k++
			}
		}
		if k < n {
			c.sequence(kind, id, all[k:], true)
			all, name = all[k:], name[i+2:]
		}
	}
	if len(c.found) > before && len(all) == 1 {
		return
	}
	for _, head := range heads(c.lang, kind, name) {
		c.sequence(kind, id, []string{head}, len(all) == 1)
	}
}

// begins reports whether some word of a name begins like one of the draft: most names do not, and need no more looking at.
func (c *checker) begins(name string) bool {
	inside := false
	for i, r := range name {
		if !lettered(r) {
			inside = false
			continue
		}
		if !inside {
			next, _ := utf8.DecodeRuneInString(name[i+utf8.RuneLen(r):])
			if c.starts[startOf(r, next)] {
				return true
			}
		}
		inside = true
	}
	return false
}

// startOf returns a small number for the first two letters of a word.
func startOf(one, two rune) uint16 {
	return (uint16(small(one))*61 + uint16(small(two))) % starts
}

// starts is how many beginnings of words are told apart.
const starts = 8192

// nextWord cuts the first word off a name.
func nextWord(s string) (word, rest string) {
	r, n := utf8.DecodeRuneInString(s)
	if !lettered(r) {
		return "", s[n:]
	}
	end := wordEnd(s, 0)
	return s[:end], s[end:]
}

// sequence adds what stands in the draft as words behind each other.
func (c *checker) sequence(kind world.Kind, id string, stems []string, full bool) {
	if len(stems) == 0 {
		return
	}
	for _, at := range c.stems[stems[0]] {
		end := at + len(stems)
		if end > len(c.toks)-1 {
			continue
		}
		same := true
		for i, s := range stems {
			same = same && c.toks[at+i].stem == s
		}
		where := span{c.toks[at].at, c.toks[end-1].end}
		if same {
			c.add(found{where, kind, id, full, at, len(stems)})
		}
	}
}

// heads returns the stems of the words by which something may be called for short: what it is ("key" of a bone key), and what somebody
// is named.
func heads(lang string, kind world.Kind, name string) (list []string) {
	head, headSet := "", false
	for rest := name; rest != ""; {
		w, after := nextWord(rest)
		rest = after
		if w == "" {
			continue
		}
		low := lowered(w)
		r, _ := utf8.DecodeRuneInString(w)
		if joining(low) {
			if head != "" {
				headSet = true
			}
			continue
		}
		if kind == world.ActorKind && unicode.IsUpper(r) && !title(low) && len(w) > 2 {
			list = append(list, stem(lang, low))
		}
		if !headSet {
			if head = low; lang == "ru" && !adjective(low) {
				headSet = true
			}
		}
	}
	if h := stem(lang, head); head != "" && !slices.Contains(list, h) {
		list = append(list, h)
	}
	return list
}

// joining reports whether a word ends what something is and begins where it is from, such as the one in "key to the cellar".
func joining(w string) bool {
	switch w {
	case "of", "to", "from", "with", "in", "on", "for", "the", "at", "от", "с", "со", "из", "в", "во", "на", "под", "над", "у", "для", "без", "по":
		return true
	}
	return false
}

// title reports whether a word stands before names without being one.
func title(w string) bool {
	switch w {
	case "mr", "mrs", "ms", "miss", "dr", "master", "old", "young", "big", "little", "brother", "sister", "father", "mother", "captain", "sir", "lady", "lord", "uncle", "aunt", "the",
		"старый", "старая", "молодой", "молодая", "брат", "сестра", "отец", "мать", "капитан", "дядя", "тетя", "господин", "госпожа":
		return true
	}
	return false
}

func adjective(w string) bool {
	return utf8.RuneCountInString(w) > 3 && hasAny(w, "ый", "ий", "ая", "яя", "ое", "ее", "ые", "ие", "ной", "вой", "ской", "той", "дой", "гой", "шой")
}

// nameHan looks for a Chinese name: all of it, what it is at its end, and what somebody is called before a title.
func (c *checker) nameHan(kind world.Kind, id, name string) {
	part := name
	if i := strings.LastIndex(name, "·"); i > 0 {
		part = name[i+len("·"):]
	}
	c.substring(kind, id, name, true)
	runes := []rune(part)
	if part != name && len(runes) > 1 {
		c.substring(kind, id, part, true)
	}
	if len(runes) > 2 {
		c.substring(kind, id, string(runes[len(runes)-2:]), false)
	}
	if kind != world.ActorKind {
		return
	}
	if len(runes) > 4 {
		c.substring(kind, id, string(runes[:len(runes)-2]), false)
	}
	if len(runes) == 2 {
		c.substring(kind, id, string(runes[1:]), false)
	}
}

func (c *checker) substring(kind world.Kind, id, name string, full bool) {
	if one, n := utf8.DecodeRuneInString(name); n == 3 && len(name) >= 6 && one != utf8.RuneError {
		if _, m := utf8.DecodeRuneInString(name[3:]); m == 3 && !c.pairs[name[:6]] {
			return
		}
	}
	s := c.draft.open
	for from := 0; from < len(s); {
		i := strings.Index(s[from:], name)
		if i < 0 {
			return
		}
		where := span{from + i, from + i + len(name)}
		c.add(found{span: where, kind: kind, id: id, full: full})
		from = where.end
	}
}

// pairsOf returns all pairs of Chinese characters of a text, each of which has three bytes.
func pairsOf(s string) map[string]bool {
	pairs := make(map[string]bool, len(s)/3)
	for i := 0; i+6 <= len(s); {
		_, n := utf8.DecodeRuneInString(s[i:])
		if n == 3 {
			if _, m := utf8.DecodeRuneInString(s[i+3:]); m == 3 {
				pairs[s[i:i+6]] = true
			}
		}
		i += n
	}
	return pairs
}

// strangers flags names of what nobody can see or know of.
func (c *checker) strangers() {
	for i := range c.found {
		f := &c.found[i]
		if !f.full || c.d.seen[f.id] || c.shadowed(f) || c.knows(c.draft.open[f.at:f.end]) || c.common(f) {
			continue
		}
		switch f.kind {
		case world.ThingKind:
			if t := c.d.After.Thing(f.id); t != nil && t.Hidden {
				c.flag(Secret, f.span, "nobody has found this yet")
			} else if t != nil {
				c.flag(Item, f.span, "this is not here")
			}
		case world.ActorKind:
			c.flag(Person, f.span, "this one is not here")
		case world.PlaceKind:
			p := c.d.After.Place(f.id)
			if p != nil && p.Secret && !p.Visited {
				c.flag(Secret, f.span, "nobody knows of this place yet")
			}
		}
	}
}

// shadowed reports whether the words name something that can be seen as well.
func (c *checker) shadowed(f *found) bool {
	return slices.ContainsFunc(c.found, func(o found) bool {
		return o.id != f.id && o.at <= f.at && o.end >= f.end && c.d.seen[o.id]
	})
}

// common reports whether a name is a word that stands for others of its kind, too: one that has no capital, without an article that
// says that it is this one.
func (c *checker) common(f *found) bool {
	if c.lang == "zh" && f.n == 0 {
		return f.end-f.at < 6
	}
	if f.n > 1 || c.toks[f.at0].large && c.toks[f.at0].stop == 0 {
		return false
	}
	if c.lang == "en" {
		return f.at0 == 0 || c.toks[f.at0-1].word != "the"
	}
	return true
}
