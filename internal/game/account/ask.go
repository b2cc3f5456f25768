package account

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// MaxAsk is the most that [Turn.Ask] may weigh, by [Weight].
const MaxAsk = 700

// Weight is about how many tokens a text has: one for each four bytes of ASCII, and one for each other character.
func Weight(text string) int {
	n := utf8.RuneCountInString(text)
	ascii := 0
	for i := range len(text) {
		if text[i] < utf8.RuneSelf {
			ascii++
		}
	}
	return (ascii+3)/4 + n - ascii
}

// Ask returns what a storyteller is told of the turn, in the language of the story: what happened, or what somebody did where nothing
// changed; a new place with what is there; the people there, how they look, what they want and how they sound; the style, and what is
// never to be told. Nothing that is hidden, secret or out of sight is in it. It weighs at most [MaxAsk]: the last facts are left out, what
// players said before those, and of the rest what finds no room.
func (t Turn) Ask() string { return t.ask(nil) }

// AskFenced is Ask for a story in which somebody untrusted may have written the names and texts. fence marks what a
// model must not obey: the world, what was said, and the topics that the players avoid. The rest is hob's own words.
// What fence adds does not count towards [MaxAsk].
func (t Turn) AskFenced(fence func(string) string) string { return t.ask(fence) }

func (t Turn) ask(fence func(string) string) string {
	f := t.Digest().gather(plainly)
	q := question{facts: f, words: wordingFor("ask", t.Language()), room: MaxAsk}
	head, form := q.words["head"], q.words["form"]
	q.room -= Weight(head) + Weight(form) + 2
	lines, style := q.lines(fence != nil)
	happened, said := q.happened(), q.playersWords()
	place := q.place()
	people, things := q.people(), q.surroundings()
	told := strings.Join(slices.Concat(lines[:len(lines)-1], place, people, things, happened, said, style), "\n")
	if fence != nil && told != "" {
		told = fence(told)
	}
	return strings.Join(lists.NonEmpty(head, told, lines[len(lines)-1], form), "\n")
}

// question is the prompt of a narrator while it is put together.
type question struct {
	*facts
	words wording
	room  int // how much more fits, by [Weight]
}

// say returns one of the sentences for narrators.
func (q *question) say(key string, args ...string) string {
	return strings.TrimSpace(q.words.say(key, args...))
}

// fits reports whether there is room for a line, which it then takes.
func (q *question) fits(line string) bool {
	n := Weight(line) + 1
	if n > q.room {
		return false
	}
	q.room -= n
	return true
}

// add adds a line if it fits.
func (q *question) add(list []string, line string) []string {
	if line != "" && q.fits(line) {
		return append(list, line)
	}
	return list
}

// The bounds of parts, in characters.
const (
	longFact   = 220
	longSpeech = 150
	longText   = 260 // the description of a place
	longLook   = 110 // the description of a person
	longStyle  = 140
)

// clip cuts a text to n characters: at the end of a sentence, if one ends in the second half.
func clip(text string, n int) string {
	text = spelling.Line(text, 2*n)
	r := []rune(text)
	if len(r) <= n {
		return text
	}
	head := string(r[:n-1])
	for _, end := range []string{". ", "! ", "? ", "。", "！", "？"} {
		if i := strings.LastIndex(head, end); i > len(head)/2 {
			return strings.TrimSpace(head[:i+len(end)])
		}
	}
	return strings.TrimSpace(head) + "…"
}

// lines returns what must never be told, with the last line outside of any fence, and the style of the story.
func (q *question) lines(fenced bool) (lines, style []string) {
	all := q.Turn.lines()
	last := ""
	if len(all) > 0 {
		names := strings.Join(all, "; ")
		if fenced {
			lines = q.add(lines, "LINES: "+names)
			names = q.words["fenced"]
		}
		if last = q.say("lines", names); !q.fits(last) {
			last = ""
		}
	}
	if text := clip(q.After.Self().Style, longStyle); text != "" {
		style = q.add(style, q.say("style", text))
	}
	return append(lines, last), style
}

// happened returns the facts of the turn, or what was attempted if nothing changed.
func (q *question) happened() []string {
	list := q.add(nil, q.words["facts"])
	facts := q.clean()
	if len(facts) == 0 {
		key := "waits"
		if len(q.Says) > 0 && strings.TrimSpace(q.Says[0].Text) != "" {
			key = "acted"
		}
		who := ""
		if len(q.Says) > 0 {
			who = q.speaker(q.Says[0].Actor)
		}
		return q.add(list, "1. "+q.say(key, who))
	}
	for i, s := range facts {
		line := strconv.Itoa(i+1) + ". " + clip(s.Text, longFact)
		if q.room < Weight(line)+60 { // leave room for what was said
			break
		}
		list = q.add(list, line)
	}
	return list
}

func (q *question) playersWords() (list []string) {
	for _, l := range q.Says {
		if text := clip(l.Text, longSpeech); text != "" {
			list = q.add(list, q.say("said", q.speaker(l.Actor), text))
		}
	}
	return list
}

// place returns the place that somebody has come to or looked at.
func (q *question) place() []string {
	place := q.After.Place(q.Here())
	asked, target := q.looked()
	if place == nil || !q.Moved(q.HeroID(), "") && (!asked || target != "" && target != place.ID) {
		return nil
	}
	text := clip(place.Desc+" "+place.Situation, longText)
	if q.hushed(text) {
		text = ""
	}
	return q.add(nil, q.say("place", q.placeName(place.ID), text))
}

// people returns who is there: how they look, what they want and what they said last, or that they are dead. Those of
// whom a fact tells come first.
func (q *question) people() []string {
	sight := story.SightFrom(q.After, q.After.Place(q.Here()), q.HeroID())
	actors := slices.DeleteFunc(sight.Actors, func(a *world.Actor) bool { return rules.InParty(q.After, a.ID) })
	concerned := func(a *world.Actor) int {
		for _, e := range q.Events {
			if kind, key := e.Subject(); kind == world.ActorKind && key == a.ID {
				return 0
			}
		}
		return 1
	}
	slices.SortStableFunc(actors, func(a, b *world.Actor) int { return concerned(a) - concerned(b) })
	list := q.add(nil, q.words["people"])
	for _, a := range actors {
		list = q.add(list, q.person(a))
	}
	if len(list) < 2 {
		return nil
	}
	return list
}

func (q *question) person(a *world.Actor) string {
	if dead(a) {
		return q.say("person", q.actorName(a.ID), q.words["dead"])
	}
	parts := []string{}
	add := func(key, text string) {
		if text = clip(text, longLook); text != "" && !q.hushed(text) {
			parts = append(parts, strings.TrimSpace(q.say(key, text)))
		}
	}
	if text := clip(a.Desc, longLook); !q.hushed(text) {
		parts = append(parts, text)
	}
	add("wants", a.Wants)
	for i := len(a.Talk) - 1; i >= 0; i-- {
		was := q.Before.Actor(a.ID)
		if a.Talk[i].Said && was != nil && i < len(was.Talk) && was.Talk[i].Said { // what was said in this turn is a fact already
			add("sounds", a.Talk[i].Text)
			break
		}
	}
	return q.say("person", q.actorName(a.ID), strings.TrimSpace(strings.Join(parts, " ")))
}

// surroundings returns the things and the ways of a place that is new.
func (q *question) surroundings() (list []string) {
	place := q.After.Place(q.Here())
	if place == nil || !q.Moved(q.HeroID(), "") {
		return nil
	}
	_, things, ways := q.inSight(story.SightFrom(q.After, place, q.HeroID()), false)
	if things != "" {
		list = q.add(list, q.say("things", things))
	}
	if ways != "" {
		list = q.add(list, q.say("ways", ways))
	}
	return list
}

// mostLines is how many topics that the players avoid a narrator is told.
const mostLines = 3

// lines returns the topics that the players avoid, as a narrator is told them.
func (t Turn) lines() (all []string) {
	if t.After == nil {
		return nil
	}
	for i, line := range t.After.Self().Lines {
		if line = clip(line, 60); line != "" && i < mostLines {
			all = append(all, line)
		}
	}
	return all
}

// speaker names who said something: the name of an actor for an id, any other text as it is.
func (t Turn) speaker(who string) string {
	if t.After != nil && t.After.Actor(who) != nil && t.After.Actor(who).Name != "" {
		who = t.After.Actor(who).Name
	}
	return clip(who, longestName)
}
