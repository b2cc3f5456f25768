package narration

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/game/world"
)

// heard reports whether a word, or in Russian another form of it, stands in anything that is known, in what players said or in what is
// a fact of this turn.
func (c *checker) heard(word string) bool {
	if c.knows(word) {
		return true
	}
	low := lowered(word)
	if strings.Contains(c.facts(), low) {
		return true
	}
	if c.lang == "ru" && utf8.RuneCountInString(low) > 3 {
		low = low[:len(low)-len(lastRunes(low, 2))]
	} else {
		low = strings.TrimSuffix(low, "'s")
	}
	return strings.Contains(c.text0, low) || strings.Contains(c.facts(), low)
}

// facts returns what is a fact of the turn, and who spoke in it, in small letters.
func (c *checker) facts() string {
	if c.facts0 == "" {
		var b strings.Builder
		for _, s := range c.d.Facts() {
			b.WriteString(s + "\n")
		}
		for _, l := range c.d.Says {
			b.WriteString(l.Actor + "\n")
		}
		c.facts0 = lowered(strings.ToValidUTF8(b.String(), " ")) + "\n"
	}
	return c.facts0
}

// unheard flags somebody with a name that is nobody's: behind a title, or as who speaks or acts like a person.
func (c *checker) unheard(k *clause, i int) {
	t := &c.toks[i]
	class := c.lex.of(t.word)
	if class&cTitle != 0 && (t.large || c.lang == "ru") {
		if end := c.unknown(k, i+1); end > i+1 && !c.possessed(i, end) && !(i > k.lo && t.stop == 0 && c.deprived(i-1)) {
			c.flag(Person, span{t.at, c.toks[end-1].end}, "nobody of this name is in the story")
		}
		return
	}
	if i > 0 && t.stop == 0 && (c.lex.of(c.toks[i-1].word)&(cTitle|cDet) != 0 ||
		i > k.lo && c.toks[i-1].large && !title(c.toks[i-1].word)) {
		return
	}
	end := c.unknown(k, i)
	if end == i || c.possessed(i, end) || c.governed(k, i) {
		return
	}
	first := t.stop != 0 && t.stop != ',' && !c.addressed(t)
	if first && (c.lang == "ru" || end == i+1 && !c.certain(k, end)) {
		return
	}
	if at, ok := c.behaves(k, i, end); ok {
		c.flag(Person, span{min(t.at, at.at), max(at.end, c.toks[end-1].end)}, "nobody of this name is in the story")
	}
}

// addressed reports whether a word goes on with a sentence behind speech that ends in a comma.
func (c *checker) addressed(t *token) bool {
	return strings.HasSuffix(strings.TrimRight(c.draft.text[:t.at], " \"”»“—–"), ",")
}

// unknown returns where a name that nobody knows ends that begins with word i; i, where none does.
func (c *checker) unknown(k *clause, i int) int {
	end := i
	for end < k.hi && (end == i || c.toks[end].stop == 0) && c.toks[end].large && end < i+4 {
		t := &c.toks[end]
		if utf8.RuneCountInString(t.word) < 3 || c.lex.of(t.word) != 0 && c.lex.of(t.word)&cGoods == 0 {
			break
		}
		if c.covered(end) || c.heard(t.word) || c.lang == "ru" && !unicode.Is(unicode.Cyrillic, firstRune(t.word)) {
			return i
		}
		end++
	}
	return end
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// covered reports whether a word belongs to the name of anything in the world.
func (c *checker) covered(i int) bool {
	for at := max(0, i-9); at <= i; at++ {
		if slices.ContainsFunc(c.first[at], func(f found) bool { return i < f.at0+f.n }) {
			return true
		}
	}
	return false
}

// possessed reports whether a name only says whose something is, or what it is part of.
func (c *checker) possessed(i, end int) bool {
	return strings.HasSuffix(c.toks[end-1].word, "'s") || c.toks[i].stop == 0 && i > 0 && c.toks[i-1].word == "of"
}

// deprived reports whether the word at i keeps what follows it from being somebody's name: "the Captain Morrow".
func (c *checker) deprived(i int) bool { return c.lex.of(c.toks[i].word)&cDet != 0 && c.lang == "en" }

// certain reports whether the word at i is something that but people do, so that a capital before it is no accident of the beginning
// of a sentence.
func (c *checker) certain(k *clause, i int) bool {
	return i < k.hi && c.toks[i].stop == 0 && c.lex.of(c.toks[i].word)&cHuman != 0 && hasAny(c.toks[i].word, "nods", "smiles", "grins", "shrugs",
		"frowns", "winks", "blinks", "beckons", "greets", "scowls", "bows") && !hasAny(c.toks[i-1].word, "body", "one", "thing", "luck", "fortune", "fate",
		"death", "nature")
}

// behaves reports whether who is named from word i to end speaks or acts like a person right there.
func (c *checker) behaves(k *clause, i, end int) (span, bool) {
	does := func(n int) bool {
		w := c.toks[n].word
		cl := c.lex.of(w)
		return cl&(cSay|cHuman) != 0 && !c.noun(k, n) && c.asserted(k, n) && (c.lang != "en" || hasAny(w, "s") || c.lex.of(w+"s") == 0)
	}
	for n := end; n < k.hi && n <= end+1 && c.toks[n].stop == 0; n++ {
		if does(n) {
			return c.toks[n].span, true
		}
		if c.lex.of(c.toks[n].word)&cAdverb == 0 && !hasAny(c.toks[n].word, "ly", "о") {
			break
		}
	}
	said := c.toks[k.lo].stop == '"' || k.lo == k.first && c.addressed(&c.toks[k.lo])
	if n := i - 1; said && n >= k.lo && c.toks[i].stop == 0 && c.lex.of(c.toks[n].word)&cSay != 0 && c.subject(k, n).sort == nobody && does(n) {
		return c.toks[n].span, true
	}
	return span{}, false
}

// unheardHan flags a Chinese name before a title, and one with a dot in it that does something.
func (c *checker) unheardHan(k *hanClause) {
	s := c.draft.open[k.at:k.end]
	for _, e := range c.lex.list {
		if e.class&cTitle == 0 {
			continue
		}
		for from := 0; ; {
			i := strings.Index(s[from:], e.word)
			if i < 0 {
				break
			}
			at := from + i
			from = at + len(e.word)
			one, two := lastRunes(s[:at], 1), lastRunes(s[:at], 2)
			if !c.properHan(s[:at]) || c.saidHan(one+e.word) || utf8.RuneCountInString(two) == 2 && c.saidHan(two) ||
				c.namedHan(span{k.at + at - len(one), k.at + at}) {
				continue
			}
			c.flag(Person, span{k.at + at - len(two), k.at + from}, "nobody of this name is in the story")
		}
	}
	i := strings.Index(s, "·")
	if i < 0 {
		return
	}
	before, after := lastRunes(s[:i], 2), firstRunes(s[i+len("·"):], 2)
	if !han(before) || !han(after) || c.saidHan(before) || c.saidHan(after) || c.namedHan(span{k.at + i, k.at + i + len("·")}) {
		return
	}
	for _, e := range c.lex.list {
		if n := strings.Index(s[i:], e.word); e.class&(cSay|cAct) != 0 && n >= 0 && n <= 36 {
			c.flag(Person, span{k.at + i - len(before), k.at + i + n + len(e.word)}, "nobody of this name is in the story")
			return
		}
	}
}

// properHan reports whether the words before a title may be a name: they are no words for which one, and none for what one is.
func (c *checker) properHan(before string) bool {
	last := lastRunes(before, 1)
	if !han(last) || strings.Contains("的位个名这那某每各老小大贵了着过在向对和与跟把给被是有见到问说叫请让为从众诸几两一你我他她您们女男副正前新好", last) {
		return false
	}
	two := lastRunes(before, 2)
	for _, e := range c.lex.list {
		if e.class&(cPeople|cCreature|cTitle) != 0 && strings.HasSuffix(before, e.word) {
			return false
		}
	}
	return !slices.Contains([]string{"可怜", "亲爱", "尊敬", "年轻", "美丽", "漂亮", "陌生", "老板", "巡逻", "民兵", "城防", "侍卫", "卫队", "护卫", "骑士", "领主", "国王", "城主", "镇长", "村长", "法官", "主教", "伯爵", "公爵", "男爵",
		"子爵", "侯爵", "治安", "警备", "船长", "佣兵", "搜救", "探险", "消防", "教书", "说书", "算命", "风水", "神父", "祭司", "执政", "将军", "总督", "市长", "店主"}, two)
}

// saidHan reports whether characters stand in anything that is known or a fact of this turn.
func (c *checker) saidHan(s string) bool { return c.heard(s) }

// namedHan reports whether a part of the text lies within the name of somebody, something or some place.
func (c *checker) namedHan(at span) bool {
	return slices.ContainsFunc(c.found, func(f found) bool { return f.at <= at.at && f.end >= at.end && (f.full || f.kind == world.ActorKind) })
}

// firstRunes returns the first n characters of s.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// again flags words that were told before, in a turn in which something else happened. What the rules themselves say of this turn may be
// what they said of another one: then the same happened.
func (c *checker) again() {
	if c.own || len(c.d.Recent) == 0 {
		return
	}
	same := letters(c.draft.text)
	if slices.ContainsFunc(c.d.Recent, func(s string) bool { return letters((newDraft(s)).text) == same }) && c.happened(same) {
		c.flag(Meta, span{0, min(len(c.draft.text), 60)}, "this was told before: tell what happened now")
	}
}

// happened reports whether a turn has facts, and the words are not those in which the rules tell them.
func (c *checker) happened(words string) bool {
	f := facts{digest: c.d, words: phrasesOf(c.lang)}
	f.gather()
	list := slices.DeleteFunc(f.clean(), func(s sentence) bool { return s.key == "time" || s.key == "time.one" })
	return len(list) > 0 && letters(c.d.Tell()) != words
}

// letters returns the letters and the digits of a text alone, in small letters.
func letters(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if lettered(r) {
			b = utf8.AppendRune(b, small(r))
		}
	}
	return string(b)
}
