package narration

import (
	"strings"
	"unicode/utf8"

	"hob/internal/game/world"
)

// hanClause is a part of a Chinese sentence.
type hanClause struct {
	span
	first  int // where its sentence begins
	who    who // of the clauses before it
	unreal bool

	claimed class // what was claimed last in its sentence
}

// hanVerb is a verb that stands in a clause.
type hanVerb struct {
	span
	class
}

// claimsHan reads a Chinese draft for what it claims.
func (c *checker) claimsHan() {
	s := c.draft.open
	k := hanClause{}
	for at := 0; at < len(s); {
		end, mark := hanEnd(s, at)
		k.span = span{at, end}
		if !hanAsked(s, at) {
			c.clauseHan(&k)
		}
		if mark == 0 {
			break
		}
		at = end
		if mark != ' ' {
			at += utf8.RuneLen(mark)
		}
		if strings.ContainsRune("。！？\n；.!?", mark) {
			k = hanClause{first: at}
		}
	}
}

// hanEnd returns where the clause at i ends, and the mark there; 0 at the end of the text.
func hanEnd(s string, i int) (int, rune) {
	const most = 400
	for j, r := range s[i:] {
		if j >= most {
			return i + j, ' ' // of no length that matters: what follows is another clause
		}
		if strings.ContainsRune("，。！？；：\n,.!?（）()—", r) {
			return i + j, r
		}
	}
	return len(s), 0
}

// hanAsked reports whether the sentence at i is a question.
func hanAsked(s string, i int) bool {
	end := strings.IndexAny(s[i:], "。！？!?\n")
	return end >= 0 && (strings.HasPrefix(s[i+end:], "？") || s[i+end] == '?')
}

// clauseHan reads one clause.
func (c *checker) clauseHan(k *hanClause) {
	s := c.draft.open[k.at:k.end]
	subject := c.subjectHan(k, k.end)
	unreal := false
	for _, e := range c.lex.list {
		unreal = unreal || e.class&cIf != 0 && strings.Contains(s, e.word)
	}
	if !unreal && !(k.unreal && subject.sort == nobody) {
		c.peopleHan(k)
		c.unheardHan(k)
		c.besidesHan(k)
		for _, v := range c.verbsHan(k) {
			w := c.subjectHan(k, v.at)
			if w.sort == nobody {
				w = k.who
			}
			c.verbHan(k, v, w)
			k.claimed = v.class
		}
		c.tellingsHan(k)
		c.whilesHan(k)
	}
	k.unreal = unreal
	if subject.sort != nobody {
		k.who = subject
	}
}

// verbsHan finds verbs that say that something is so, the longest at each place.
func (c *checker) verbsHan(k *hanClause) (list []hanVerb) {
	s := c.draft.open[k.at:k.end]
	for _, e := range c.lex.list {
		if e.class&(cClaim|cBe|cHurt|cDead) == 0 {
			continue
		}
		for from := 0; ; {
			i := strings.Index(s[from:], e.word)
			if i < 0 {
				break
			}
			v := hanVerb{span{k.at + from + i, k.at + from + i + len(e.word)}, e.class}
			from += i + len(e.word)
			if c.insideName(v.span) {
				continue
			}
			if !c.assertedHan(k, v) {
				c.deniedHan(k, v)
				continue
			}
			list = longest(list, v)
		}
	}
	return list
}

// longest adds a verb to others, of which those that overlap are one: the longest, or the first of those.
func longest(list []hanVerb, v hanVerb) []hanVerb {
	for j, o := range list {
		if o.at >= v.end || v.at >= o.end {
			continue
		}
		if size, was := v.end-v.at, o.end-o.at; size > was || size == was && v.at < o.at {
			list[j] = v
		}
		return list
	}
	return append(list, v)
}

func (c *checker) insideName(at span) bool {
	for _, f := range c.found {
		if f.full && f.at <= at.at && f.end >= at.end {
			return true
		}
	}
	return false
}

// assertedHan reports whether a verb is neither denied nor only possible, nor says which one is meant.
func (c *checker) assertedHan(k *hanClause, v hanVerb) bool {
	before := c.draft.open[k.at:v.at]
	for _, idiom := range []string{"毫不", "忍不住", "不由", "不禁", "不小心", "不得不", "一言不发", "不动声色", "不假思索", "不慌不忙", "不声不响"} {
		before = strings.ReplaceAll(before, idiom, "")
	}
	near, close := lastRunes(before, 4), lastRunes(before, 2)
	for _, e := range c.lex.list {
		if e.class&cNot != 0 && (strings.Contains(close, e.word) || len(e.word) > 3 && strings.Contains(near, e.word)) || e.class&cMay != 0 && len(e.word) > 3 && strings.Contains(before, e.word) ||
			e.class&cMay != 0 && len(e.word) == 3 && strings.HasSuffix(near, e.word) {
			return false
		}
	}
	after := c.draft.open[v.end:k.end]
	if strings.HasPrefix(after, "的") && v.class&(cDie|cKill|cWound|cHurt|cDead|cTake|cFind) != 0 {
		return false
	}
	return !strings.HasPrefix(after, "不") && !(v.class&cDie != 0 && hasAny(before, "吓", "累", "笑", "饿", "急"))
}

// lastRunes returns the last n characters of s.
func lastRunes(s string, n int) string {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return s[at:]
}

// subjectHan finds who does something before a place in a clause: the first who is named and whom no word before takes as its
// object.
func (c *checker) subjectHan(k *hanClause, until int) who {
	s := c.draft.open
	for i := k.at; i < until; {
		r, n := utf8.DecodeRuneInString(s[i:])
		free := !hasAny(s[k.at:i], "把", "将", "给", "向", "从", "被", "对", "在", "跟", "和", "与", "让", "了", "中", "住", "伤")
		var ids []string
		for _, f := range c.found {
			if f.kind == world.ActorKind && f.at == i && f.end <= until && !strings.HasPrefix(s[f.end:], "的") {
				ids = append(ids, f.id)
			}
		}
		switch {
		case (r == '你' || r == '您') && free && strings.HasPrefix(s[i+n:], "的"):
			return who{sort: other, ids: []string{"you"}}
		case (r == '你' || r == '您') && free:
			return who{sort: player}
		case ids != nil && free:
			return who{sort: actor, ids: ids}
		case (r == '它' || r == '他' || r == '她') && free && !strings.HasPrefix(s[i+n:], "的"):
			return who{sort: pronoun}
		}
		i += n
	}
	for _, nobody := range []string{"黑暗", "光", "风", "影子", "声音", "寒气", "寒意", "雨", "夜色", "灯光", "火光", "烟", "雾", "水", "温暖", "暖意", "寂静", "沉默", "冷"} {
		if strings.HasPrefix(strings.TrimLeft(s[k.at:until], " 而那这股阵一"), nobody) {
			return who{sort: other}
		}
	}
	return who{}
}

// objectHan finds what a verb is about: behind 把 before it, behind it, or at the beginning of the clause.
func (c *checker) objectHan(k *hanClause, v hanVerb) object {
	before := c.draft.open[k.at:v.at]
	for _, mark := range []string{"把", "将"} {
		if i := strings.LastIndex(before, mark); i >= 0 && !hasAny(before[:i], "一") {
			if strings.HasPrefix(before[i+len(mark):], "它") {
				return object{}
			}
			if o := c.thingHan(span{k.at + i + len(mark), v.at}); o.sort != noObject {
				return o
			}
		}
	}
	if o := c.thingHan(span{v.end, k.end}); o.sort != noObject {
		return o
	}
	topic := hasAny(c.draft.open[v.at:v.end], "到手", "归你", "落入你", "属于你了")
	if o := c.thingHan(span{k.at, v.at}); (o.sort == known || topic && o.sort == goods) && !hasAny(c.draft.open[k.at:o.at], "从", "在", "到", "进", "往") {
		return o
	}
	return object{}
}

// thingHan finds the first thing in a part of the text.
func (c *checker) thingHan(in span) (o object) {
	s := c.draft.open
	for _, f := range c.found {
		if f.kind != world.ThingKind || f.at < in.at || f.end > in.end || o.sort == known && f.at > o.end {
			continue
		}
		if o.sort != known || f.full && f.end-f.at > o.end-o.at {
			o = object{span: f.span, sort: known, ids: []string{f.id}}
		} else if f.end-f.at == o.end-o.at || f.end == o.end && !f.full && len(o.ids) > 0 && f.at == o.at {
			o.ids = append(o.ids, f.id)
		}
	}
	until := in.end
	if o.sort == known {
		until = o.at
	}
	best, size := -1, 0
	for _, e := range c.lex.list {
		if e.class&cGoods == 0 || until <= in.at {
			continue
		}
		i := strings.Index(s[in.at:until], e.word)
		at := span{in.at + i, in.at + i + len(e.word)}
		if i >= 0 && (best < 0 || i < best || i == best && len(e.word) > size) && !c.insideName(at) {
			best, size = i, len(e.word)
			o = object{span: at, sort: goods, definite: false}
		}
	}
	return o
}
