package narration

import (
	_ "embed"
	"slices"
	"strings"

	"hob/internal/game/world"
)

var (
	//go:embed lexicon/tellings_en.txt
	tellingsEN string
	//go:embed lexicon/tellings_ru.txt
	tellingsRU string
	//go:embed lexicon/tellings_zh.txt
	tellingsZH string
)

// What is told of how things came out, as the sections of the tellings are called. They are no classes of the lexicons.
const (
	tMiss class = 1 << iota
	tHome
	tAlive
	tUnhurt
	tRefuse
	tKeep
	tEmpty
	tVanish
	tFailed
	tSolved
	tOpened
	tShut
	tDoor
	tHatch
	tLock
	tLid
	tEnded
	tTask
	tSoon
	tShot
	tPouch
	tSlip
	tBelow
	tBleed
	tMended
	tAway
	tReveal
	tThere
	tBack
	tEnd
	tStay

	tNoun  = tDoor | tHatch | tLock | tLid | tTask | tSoon | tShot | tPouch
	tClaim = 1<<31 - 1 - tNoun
)

func tellingNamed(name string) class {
	names := [...]string{"miss", "home", "alive", "unhurt", "refuse", "keep", "empty", "vanish", "failed", "solved", "opened", "shut", "door", "hatch",
		"lock", "lid", "ended", "task", "soon", "shot", "pouch", "slip", "below", "bleed", "mended", "away", "reveal", "there", "back", "end", "stay"}
	if i := slices.Index(names[:], name); i >= 0 {
		return 1 << i
	}
	return 0
}

func tellingsOf(lang string) *lexicon {
	text := tellingsEN
	switch lang {
	case "ru":
		text = tellingsRU
	case "zh":
		text = tellingsZH
	}
	l := readLexicon(lang, text, 300, tellingNamed)
	l.gap = 3
	return l
}

// telling is something that a draft says of how a thing came out.
type telling struct {
	class
	at       span
	word     int // the first of its words, in a language with spaces
	who      who
	topic    []string // the things that it may be said of
	named    []found  // what is named in its clause
	about    class    // the nouns of its clause
	sentence class    // and those of its sentence
	you      bool     // its clause has a word for who is told
}

// tellings holds what a clause says of how things came out.
func (c *checker) tellings(k *clause) {
	var t telling
	for i := k.lo; i < k.hi; i++ {
		cl := c.told[i] & tClaim
		if cl == 0 || !c.asserted(k, i) || i > 0 && c.toks[i-1].word == "пока" {
			continue
		}
		if t.named == nil {
			t.about, t.sentence = c.nouns(k)
			t.you = c.addresses(k)
			t.named = c.namedIn(span{c.toks[k.lo].at, c.toks[k.hi-1].end})
		}
		t.class, t.at, t.word = cl, c.toks[i].span, i
		t.who = c.subject(k, i)
		if t.who.sort == nobody && k.lo > k.first {
			t.who = c.inherited(k, i)
		}
		if c.noun(k, i) {
			if t.class &^= tMiss | tHome | tRefuse | tKeep | tFailed | tAway | tSlip | tReveal | tVanish; t.class == 0 {
				continue
			}
		}
		t.topic = c.topic(k, i)
		c.tells(&t)
		c.pouched(k, i, cl)
	}
}

// readTold finds what each word of the draft means among the tellings.
func (c *checker) readTold() {
	c.told = make([]class, len(c.toks))
	for i := range c.toks[:len(c.toks)-1] {
		c.told[i] = c.tell.at(c.toks, i)
	}
}

// nouns returns the nouns of a clause, and those of its sentence up to its end.
func (c *checker) nouns(k *clause) (clause, sentence class) {
	for i := k.first; i < len(c.toks)-1 && (i == k.first || c.toks[i].stop != '.' && c.toks[i].stop != '!' && c.toks[i].stop != '?'); i++ {
		sentence |= c.told[i] & tNoun
		if i >= k.lo && i < k.hi {
			clause |= c.told[i] & tNoun
		}
	}
	return clause, sentence
}

func (c *checker) addresses(k *clause) bool {
	return slices.ContainsFunc(c.toks[k.lo:k.hi], func(t token) bool { return c.lex.of(t.word)&(cYou|cYours) != 0 })
}

func (c *checker) namedIn(at span) (list []found) {
	list = []found{}
	for _, f := range c.found {
		if f.at >= at.at && f.end <= at.end {
			list = append(list, f)
		}
	}
	return list
}

// topic returns the things that the word at i may be said of: those that are named before it in its clause, or in its sentence where
// there is but a pronoun for them.
func (c *checker) topic(k *clause, i int) (ids []string) {
	alone, pronoun := true, k.lo == i
	for j := k.lo; j < i; j++ {
		if list, ok := c.mentionAt(j); ok && !c.governed(k, j) {
			ids = append(ids, things(list)...)
		}
		cl := c.lex.of(c.toks[j].word)
		pronoun = pronoun || c.toks[j].word == "it" || c.lang == "ru" && cl&cPron != 0
		alone = alone && cl&(cPron|cConj|cAdverb|cNot|cIf) != 0
	}
	if ids != nil || c.lang == "en" && !pronoun || c.lang == "ru" && !alone {
		return ids
	}
	return c.earlier(k, i)
}

// course is how the calls of a turn came out.
type course struct {
	hits, misses     int      // of who is told
	targets          []string // of those attacks
	passed, failed   int      // checks
	refused          bool     // something was
	stopped          bool     // who is told wanted to go, and could not
	given, got, laid []string // things that left who is told for somebody, that came to them, and that moved otherwise
	to, from         []string // whom they went to and came from
	opened           bool     // a door, or a box
	ended            bool     // a task
}

// course reads the turn once for all that is checked.
func (c *checker) course() *course {
	if c.d.course != nil {
		return c.d.course
	}
	r, hero := &course{}, c.d.heroID()
	for i := range c.d.Outcomes {
		o := &c.d.Outcomes[i]
		if !o.OK() {
			r.refused = true
			r.stopped = r.stopped || o.Call.Tool == "move_player" && text(o, "player_id") == hero && refused(o)
			continue
		}
		switch res := &c.d.results[i]; {
		case o.Call.Tool == "attack" && text(o, "attacker_id") == hero:
			if r.targets = append(r.targets, text(o, "target_id")); res.Hit {
				r.hits++
			} else {
				r.misses++
			}
		case o.Call.Tool == "skill_check" && (res.Outcome == "fail" || res.Outcome == "fumble"):
			r.failed++
		case o.Call.Tool == "skill_check" || o.Call.Tool == "rest":
			r.passed++
		}
	}
	r.stopped = r.stopped && !c.d.moved(hero, "")
	for _, p := range c.d.passed {
		switch {
		case p.made && p.to != hero && c.d.After.Actor(p.to) != nil: // a part of what they had
			r.given, r.to = append(r.given, p.id), append(r.to, p.to)
		case p.gone || p.less || p.more || p.into == "" && c.d.After.Actor(p.to) == nil: // what lies on the floor may have slipped
		case p.from == hero && p.to != hero && c.d.After.Actor(p.to) != nil:
			r.given, r.to = append(r.given, p.id), append(r.to, p.to)
		case p.to == hero && p.from != hero:
			r.got, r.from = append(r.got, p.id), append(r.from, p.from)
		default:
			r.laid = append(r.laid, p.id)
		}
	}
	c.d.changes(r)
	c.d.course = r
	return r
}

// changes reads what became of doors, boxes and tasks.
func (d *digest) changes(r *course) {
	for _, e := range d.Events {
		switch is := e.New.(type) {
		case *world.Link:
			was, _ := e.Old.(*world.Link)
			r.opened = r.opened || was != nil && was.Door != is.Door && (is.Door == world.OpenDoor || is.Door == world.NoDoor || was.Door == world.LockedDoor)
		case *world.Thing:
			was, _ := e.Old.(*world.Thing)
			r.opened = r.opened || was != nil && (was.Closed && !is.Closed || was.Locked && !is.Locked)
		case *world.Quest:
			was, _ := e.Old.(*world.Quest)
			r.ended = r.ended || was != nil && was.State != is.State
		}
	}
}

// shares reports whether two lists of ids have one in common.
func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(id string) bool { return slices.Contains(b, id) })
}

// within reports whether a word stands in a span of the draft.
func (c *checker) within(at span, word string) bool {
	return strings.Contains(c.draft.open[at.at:at.end], word)
}
