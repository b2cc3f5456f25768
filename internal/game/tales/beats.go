package tales

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hob/internal/game/world"
)

// moment is a moment of a story for which a tale can have its own words: "OWNER.NAME", or "OWNER.NAME.OF" if something
// else takes part. A key that ends with .2, .3 and so on is another text for the same moment.
type moment struct {
	owner, name string // a kind of line, and the word behind the id
	of          string // the kinds of what it is about, with spaces between; "" is nothing
	loose       bool   // OF may be left out: then the text is for everything that has no text of its own
}

// moments returns all moments. docs/tales.md explains them.
func moments() []moment {
	return []moment{
		{owner: "place", name: "first"}, {owner: "place", name: "again"},
		{owner: "place", name: "open", of: "place"}, {owner: "place", name: "locked", of: "place"},
		{owner: "thing", name: "take"}, {owner: "thing", name: "open"}, {owner: "thing", name: "locked"}, {owner: "thing", name: "no"},
		{owner: "thing", name: "put", of: "thing item"},
		{owner: "item", name: "no"},
		{owner: "actor", name: "gives", of: "thing"}, {owner: "actor", name: "given", of: "thing item", loose: true},
		{owner: "actor", name: "shown", of: "thing item", loose: true}, {owner: "actor", name: "told"}, {owner: "actor", name: "accused"},
		{owner: "actor", name: "noticed"}, {owner: "actor", name: "thanked"}, {owner: "actor", name: "parted"}, {owner: "actor", name: "forgiven"},
		{owner: "actor", name: "shrug"}, {owner: "actor", name: "no"},
		{owner: "actor", name: "hit"}, {owner: "actor", name: "missed"}, {owner: "actor", name: "hits"}, {owner: "actor", name: "misses"},
		{owner: "actor", name: "dead"},
		{owner: "quest", name: "done"}, {owner: "quest", name: "failed"}, {owner: "goal", name: "done"},
		{owner: "clock", name: "near"}, {owner: "tale", name: "fallen"},
	}
}

// The bounds of beats.
const (
	mostBeat     = 500 // characters of one
	mostVariants = 9   // texts of one moment
)

// readBeats makes beats of those words of the tale that no line has used and that belong to a moment.
func (m *maker) readBeats() {
	for _, key := range sortedKeys(m.words.text) {
		id, name, _ := strings.Cut(key, ".")
		switch {
		case m.words.used[key]:
		case strings.HasPrefix(name, "see.") && m.defs[id].kind == "place":
			m.scenery(key)
		case m.isMoment(key):
			m.beat(key, nil)
			if goal, ok := m.goalOf(key); ok {
				m.beats[len(m.beats)-1].ID = goal
			}
		}
	}
}

// scenery makes the beat of something that the text of a place mentions: PLACE.see.NAME, with its words in .keys.
func (m *maker) scenery(key string) {
	if parts := strings.Split(key, "."); len(parts) != 3 || !isID(parts[2]) {
		return // a variant, which belongs to the first text; or nothing
	}
	keys := m.keys(key + ".keys")
	if m.words.text[key+".keys"] == "" {
		m.words.fail(m.words.no[key], "nothing says by which words one looks at it: add a line %s.keys = WORDS", key)
	}
	m.beat(key, keys)
}

// beat makes a beat of a key and its variants.
func (m *maker) beat(key string, keys []string) {
	m.beats = append(m.beats, &world.Beat{ID: key, Keys: keys, Texts: m.variants(key, mostBeat)})
}

// variants takes the texts of a key: its own, and those of key.2, key.3 and so on.
func (m *maker) variants(key string, most int) []string {
	texts := []string{m.words.take(key, most, m.at.no)}
	for n := 2; n <= mostVariants; n++ {
		next := key + "." + strconv.Itoa(n)
		if _, ok := m.words.text[next]; !ok {
			break
		}
		texts = append(texts, m.words.take(next, most, 0))
	}
	return texts
}

// once takes a text that is told only at the beginning or the end of a story. The seed of the campaign picks one of the
// variants when the story begins, and the world keeps only that one.
func (m *maker) once(key string, most int) string {
	texts := m.variants(key, most)
	if m.seed == [32]byte{} {
		return texts[0]
	}
	h := fnv.New32a()
	_, _ = h.Write(append(m.seed[:], key...))
	return texts[h.Sum32()%uint32(len(texts))]
}

// goalOf returns the id under which a beat of an objective is kept: a number, since a world has no names for
// objectives.
func (m *maker) goalOf(key string) (string, bool) {
	parts := strings.Split(key, ".")
	q := m.quests[parts[0]]
	if q == nil || len(parts) != 3 {
		return "", false
	}
	n := slices.Index(q.Objectives, m.words.text[parts[0]+"."+parts[1]])
	return fmt.Sprintf("%s.goal.%d", q.ID, n+1), n >= 0
}

// isMoment reports whether a key, without the number of a variant, belongs to a moment.
func (m *maker) isMoment(key string) bool {
	parts := strings.Split(key, ".")
	if key == "fallen" {
		return true
	}
	kind := m.defs[parts[0]].kind
	if kind == "quest" && len(parts) == 3 && parts[2] == "done" {
		_, ok := m.words.no[parts[0]+"."+parts[1]]
		return ok && m.words.used[parts[0]+"."+parts[1]]
	}
	return len(parts) > 1 && slices.ContainsFunc(moments(), func(mo moment) bool {
		switch {
		case mo.owner != kind || mo.name != parts[1]:
			return false
		case len(parts) == 2:
			return mo.of == "" || mo.loose
		}
		return len(parts) == 3 && mo.of != "" && slices.Contains(strings.Fields(mo.of), m.defs[parts[2]].kind)
	})
}

// Wordless returns the moments for which a tale has no words of its own in one of its languages, as lines to add. That
// is no mistake: the engine has words for all of them.
func (t Tale) Wordless() (list []Problem) {
	src := t.source()
	for _, lang := range t.Langs() {
		if src.what == "" || src.words[lang] == "" {
			continue
		}
		for _, w := range t.makerOf(lang, [32]byte{}).wordless() {
			list = append(list, Problem{t.ID + "." + lang + ".txt", 0, w})
		}
	}
	return list
}

// wordless returns the keys that have no text, each with what it is for.
func (m *maker) wordless() (list []string) {
	want := func(what string, keys ...string) {
		for _, key := range keys {
			if _, ok := m.words.text[key]; ok {
				return
			}
		}
		list = append(list, fmt.Sprintf("%s = (%s)", keys[0], what))
	}
	for _, r := range m.records {
		switch r := r.(type) {
		case *world.Place:
			if r.IsPage() { // nothing but its text is told
				continue
			}
			want("how one comes back here", r.ID+".again")
			if !slices.ContainsFunc(m.beats, func(b *world.Beat) bool { return strings.HasPrefix(b.ID, r.ID+".see.") }) {
				want("what one of the things is that its text mentions", r.ID+".see.NAME")
			}
		case *world.Link:
			if r.From < r.To && (r.Door == world.LockedDoor || r.Door == world.ClosedDoor) { // there and back go through the same door
				want("the door opens", r.From+".open."+r.To, r.To+".open."+r.From)
			}
		case *world.Thing:
			if r.Closed || r.Locked {
				want("it opens", r.ID+".open")
			}
			if r.Fixed && r.Rel != world.Part {
				want("somebody tries to take it", r.ID+".no")
			}
		case *world.Actor:
			m.wordlessActor(r, want)
		case *world.Clock:
			if r.Visible {
				want("it comes nearer", r.ID+".near")
			}
			if r.Fails != "" {
				want("it is full, told in another story", r.ID+".full.2")
			}
		case *world.Quest:
			if !r.Ends && len(r.Objectives) > 1 {
				want("it is done", r.ID+".done")
			}
		}
	}
	want("the beginning, told in another story", "opening.2")
	want("the end, told in another story", "ending.2")
	for _, l := range m.lines {
		if l.kind == "goal" && len(l.was) > 1 {
			want("it is met", l.was[0]+"."+l.was[1]+".done")
		}
	}
	if slices.ContainsFunc(m.records, func(r world.Record) bool { a, ok := r.(*world.Actor); return ok && a.HP.Known }) {
		want("all heroes have fallen", "fallen")
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// wordlessActor is wordless for a person: what they give, what they are asked, and how they fall.
func (m *maker) wordlessActor(a *world.Actor, want func(what string, keys ...string)) {
	if a.HP.Known {
		want("it dies", a.ID+".dead")
		want("a blow lands on it", a.ID+".hit")
	}
	if a.Role == "monster" {
		return
	}
	want("they have nothing to say about it", a.ID+".shrug")
	want("they are given something", a.ID+".given")
	want("they are shown something", a.ID+".shown")
	want("they are told something", a.ID+".told")
	for _, t := range a.Talk {
		if t.Gives != "" {
			want("they give it", a.ID+".gives."+t.Gives)
		}
	}
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
