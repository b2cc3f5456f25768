package narration

import (
	"slices"
	"strings"

	"hob/internal/game/world"
)

// readToldHan finds the tellings of a Chinese draft, in their order, the longest at each place.
func (c *checker) readToldHan() {
	s := c.draft.open
	c.toldHan = c.toldHan[:0]
	for _, e := range c.tell.list {
		if len(e.word) >= 6 && !c.pairs[e.word[:6]] {
			continue
		}
		for from := 0; ; {
			i := strings.Index(s[from:], e.word)
			if i < 0 {
				break
			}
			at := span{from + i, from + i + len(e.word)}
			from = at.end
			c.toldHan = append(c.toldHan, hanVerb{at, e.class})
		}
	}
	slices.SortStableFunc(c.toldHan, func(a, b hanVerb) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return b.end - a.end
	})
}

// tellingsHan holds what a Chinese clause says of how things came out.
func (c *checker) tellingsHan(k *hanClause) {
	first, _ := slices.BinarySearchFunc(c.toldHan, k.at, func(v hanVerb, at int) int { return v.at - at })
	var t telling
	end := k.at
	for _, v := range c.toldHan[first:] {
		if v.at >= k.end {
			break
		}
		if v.end <= k.end {
			t.about |= v.class & tNoun
		}
	}
	t.sentence = t.about
	for _, v := range c.toldHan[first:] {
		if v.at >= k.end {
			break
		}
		if t.class = v.class & tClaim; t.class == 0 || v.end > k.end || v.at < end || c.insideName(v.span) || !c.assertedHan(k, v) {
			continue
		}
		end, t.at = v.end, v.span
		if t.who = c.subjectHan(k, v.at); t.who.sort == nobody && !c.thingFirst(k, v.at) {
			t.who = k.who
		}
		t.you = strings.ContainsAny(c.draft.open[k.at:k.end], "你您")
		t.named = c.namedIn(k.span)
		t.topic = c.topicHan(k, v.at)
		c.tells(&t)
	}
	c.pouchedHan(k)
}

// thingFirst reports whether a clause begins with something that is nobody, before i.
func (c *checker) thingFirst(k *hanClause, i int) bool {
	return slices.ContainsFunc(c.found, func(f found) bool { return f.kind == world.ThingKind && f.at >= k.at && f.end <= i && f.at <= k.at+6 }) ||
		slices.ContainsFunc(c.toldHan, func(v hanVerb) bool { return v.class&tShot != 0 && v.at >= k.at && v.end <= i })
}

// topicHan returns the things of which something is said at i: those before it in its clause, or in its sentence.
func (c *checker) topicHan(k *hanClause, i int) (ids []string) {
	from := k.at
	if strings.Trim(c.draft.open[k.at:i], "它却就便也又已经忽然突一下子竟可但是后顿时全都 ") == "" {
		from = k.first // but a word for it stands before the verb
	}
	for _, f := range c.found {
		if f.kind == world.ThingKind && f.at >= from && f.end <= i {
			ids = append(ids, f.id)
		}
	}
	return ids
}
