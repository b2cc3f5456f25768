package show

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hob/internal/display"
	"hob/internal/game/calendar"
	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// EngineTurn is the input of [EngineLine].
type EngineTurn struct {
	Before, After *world.World
	Actor         string // who acted, "" is the active actor
	Rolls         []rules.Roll
	Outcomes      []rules.Outcome
	Lang          string
	Plain         bool // for a terminal: without an emoji
}

const (
	mostLine  = 100 // runes of the line
	mostShort = 28  // of a name in it
	mostRolls = 2   // that belong to no check
)

// EngineLine returns the line below a turn's prose: rolls and their results, changes of hit points,
// conditions, things, progress clocks and quests, and the time if it has passed. It is "" if there are none
// of these.
func EngineLine(t EngineTurn) string {
	e := engine{EngineTurn: t, language: languageOf(t.Lang), me: rules.Viewpoint(t.After, t.Actor)}
	e.addRolls()
	if len(e.parts) > 0 && !t.Plain {
		e.parts[0] = "🎲 " + e.parts[0]
	}
	e.addPeople()
	e.addThings()
	e.clocks()
	e.quests()
	e.time()
	return e.line()
}

// engine collects the parts of the line.
type engine struct {
	EngineTurn
	language
	me    *world.Actor
	parts []string
	when  string
}

func (e *engine) add(words ...string) {
	if some := lists.NonEmpty(words...); len(some) > 0 {
		e.parts = append(e.parts, strings.ReplaceAll(strings.Join(some, " "), "·", "-")) // which is between parts
	}
}

// line joins the parts that fit. "…" stands for the rest; the time is always the last part.
func (e *engine) line() string {
	const sep, rest = " · ", "…"
	room := mostLine
	if e.when != "" {
		room -= utf8.RuneCountInString(sep + e.when)
	}
	var fit []string
	for i, p := range e.parts {
		if room -= utf8.RuneCountInString(p + sep); room >= 0 || i == len(e.parts)-1 && room >= -utf8.RuneCountInString(sep) {
			fit = append(fit, p)
			continue
		}
		fit = append(fit, rest)
		break
	}
	if e.when != "" {
		fit = append(fit, e.when)
	}
	return strings.Join(fit, sep)
}

// addRolls adds the rolls: of a check its purpose and result, of other dice their sum.
func (e *engine) addRolls() {
	for _, o := range e.Outcomes {
		if c := o.Read(); o.OK() && len(o.Result) > 0 {
			e.addCheck(o, *cmp.Or(c.Check, &c))
		}
	}
	if len(e.parts) > 0 {
		return
	}
	for _, r := range e.Rolls[:min(len(e.Rolls), mostRolls)] {
		e.add(display.Name(r.Expr, mostShort), "=", number(r.Total))
	}
	if len(e.Rolls) > mostRolls {
		e.add("…")
	}
}

func (e *engine) addCheck(o rules.Outcome, c rules.Result) {
	switch {
	case c.Find != "" && c.Outcome != "": // against what, nobody is told: that would say whether there is anything
		key := "search.nothing"
		if len(c.Found) > 0 {
			key = "search.found"
		}
		e.add(e.Text("search"), e.actorPart(o.Call.Text("actor_id")), Skill(e.Lang, c.Skill), number(c.Total), e.Text(key, number(int64(len(c.Found)))))
	case c.DC != nil && c.Outcome != "":
		e.add(e.actorPart(o.Call.Text("actor_id")), Skill(e.Lang, c.Skill), against(c.Total, *c.DC), e.word("outcome", c.Outcome))
	case c.ToHit != nil:
		what := "miss"
		if c.Hit {
			what = "hit"
			if c.Roll == 20 {
				what = "crit"
			}
		}
		whom := e.actorName(o.Call.Text("target_id"))
		e.add(e.actorPart(o.Call.Text("attacker_id")), e.Text("attack", whom), against(*c.ToHit, c.Defence), e.Text("attack."+what,
			number(c.Damage)))
	case c.Winner != "":
		if one, two, ok := c.Sides(); ok {
			e.add(e.actorName(one.ID), number(one.Total)+":"+number(two.Total), e.actorName(two.ID), "→", e.actorName(c.Winner))
		}
	case c.Answer != "":
		e.add(e.Text("oracle"), number(c.Roll), e.word("answer", c.Answer))
	case o.Call.Tool == "roll_dice":
		e.add(display.Name(o.Call.Text("expr"), mostShort), "=", number(c.Total))
	}
}

// word returns the text for one of a tool's own words.
func (e *engine) word(kind, word string) string {
	if text, ok := e.Find(kind + "." + word); ok {
		return text
	}
	return display.Name(word, mostShort)
}

// against compares a roll with its target.
func against(total, least int64) string {
	sign := " ≥ "
	if total < least {
		sign = " < "
	}
	return number(total) + sign + number(least)
}

// actorName returns the name of an actor.
func (e *engine) actorName(id string) string {
	a := e.After.Actor(id)
	if a == nil {
		a = e.Before.Actor(id)
	}
	if a == nil {
		return display.Name(id, mostShort)
	}
	return shortName(a.Name, a.ID)
}

// shortName returns the name of a record as it stands in the line.
func shortName(name, id string) string {
	return rules.NameOrID(display.Name(name, mostShort), display.Name(id, mostShort))
}

// actorPart returns the name of the actor of a part, "" if it is the only hero's.
func (e *engine) actorPart(id string) string {
	if e.me != nil && (id == "" || id == e.me.ID) && len(e.After.Self().Party) < 2 {
		return ""
	}
	return e.actorName(id)
}

// addPeople adds changes of hit points, states and conditions: of the party, and of others at the
// actor's place.
func (e *engine) addPeople() {
	ours, near := e.After.Party(), []*world.Actor{}
	if e.me != nil {
		ours = slices.Insert(ours, 0, e.me)
		if e.me.Place != "" {
			near = e.After.Occupants(e.me.Place)
		}
	}
	var told []*world.Actor
	for i, a := range slices.Concat(ours, near) {
		if old := e.Before.Actor(a.ID); old != nil && !slices.Contains(told, a) {
			told = append(told, a)
			e.person(a, old, i < len(ours))
		}
	}
}

// person adds the changes of one person.
func (e *engine) person(a, old *world.Actor, ours bool) {
	var words []string
	if a.HP != old.HP && a.HP.Known {
		hp := e.points(a)
		if old.HP.Known {
			hp = e.withNotes(hp, signed(a.HP.N-old.HP.N))
		}
		words = append(words, hp)
	}
	if state := stateWord(e.Lang, a); state != stateWord(e.Lang, old) {
		if state == "" {
			state = e.Text("state.well")
		}
		words = append(words, state)
	}
	if ours {
		words = append(words, conditionMarks(a, old, "+")...)
		words = append(words, conditionMarks(old, a, "−")...)
	}
	if len(words) > 0 {
		e.add(e.actorPart(a.ID), strings.Join(words, " "))
	}
}

// addThings adds what came into the hands of the party, and what left them.
func (e *engine) addThings() {
	party := e.After.Self().Party
	if e.me != nil && !slices.Contains(party, e.me.ID) {
		party = append(slices.Clone(party), e.me.ID)
	}
	for _, id := range party {
		if e.Before.Actor(id) == nil {
			continue
		}
		words := append(thingMarks(id, e.After, e.Before, "+"), thingMarks(id, e.Before, e.After, "−")...)
		if len(words) > 0 {
			e.add(e.actorPart(id), strings.Join(words, ", "))
		}
	}
}

// thingMarks returns what an actor has in one world and not in the other, each behind a sign.
func thingMarks(actor string, in, not *world.World, sign string) (list []string) {
	for _, t := range in.Contents(actor) {
		if other := not.Thing(t.ID); !t.Hidden && (other == nil || other.Parent != actor) {
			list = append(list, sign+shortName(t.Name, t.ID))
		}
	}
	return list
}

// conditionMarks returns the conditions that a has and b has not, each behind a sign.
func conditionMarks(a, b *world.Actor, sign string) (list []string) {
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(a.Conditions)), slices.Sorted(maps.Keys(a.Rounds))) {
		_, minutes := b.Conditions[name]
		_, rounds := b.Rounds[name]
		if mark := sign + display.Name(name, mostShort); !minutes && !rounds && !slices.Contains(list, mark) {
			list = append(list, mark)
		}
	}
	return list
}

// clocks adds the visible progress clocks that have changed.
func (e *engine) clocks() {
	for _, c := range rules.OpenClocks(e.After) {
		if old := e.Before.Clock(c.ID); old == nil || !old.Visible || old.Filled != c.Filled || old.Segments != c.Segments {
			e.add(display.Name(c.Name, mostShort), e.segments(c))
		}
	}
}

// quests adds the quests that began, went on or ended.
func (e *engine) quests() {
	for _, q := range e.After.Quests() {
		old := e.Before.Quest(q.ID)
		if q.State == world.Offered || old != nil && old.State == q.State && slices.Equal(old.Met, q.Met) {
			continue
		}
		name := e.Text("quest", shortName(q.Title, q.ID))
		switch {
		case q.State == world.Done:
			e.add(name, e.Text("quest.done"))
		case q.State == world.Failed:
			e.add(name, e.Text("quest.failed"))
		case len(q.Objectives) > 0:
			e.add(name, number(int64(len(q.Met)))+"/"+number(int64(len(q.Objectives))))
		default:
			e.add(name)
		}
	}
}

// time sets the time, with the date if that has changed.
func (e *engine) time() {
	was, self := e.Before.Self(), e.After.Self()
	now, err := calendar.FromMinutes(self.Minute)
	if err != nil || !self.ClockSet || was.ClockSet && was.Minute == self.Minute {
		return
	}
	e.when = fmt.Sprintf("%02d:%02d", now.Hour, now.Minute)
	if old, err := calendar.FromMinutes(was.Minute); err != nil || !was.ClockSet || Day(e.lang, old) != Day(e.lang, now) {
		e.when = e.Text("when", e.when, Day(e.lang, now))
	}
}

// Day writes the day of a date as people say it in a language: 14 March 1024.
func Day(lang string, d calendar.Date) string {
	t := languageOf(lang)
	return t.Text("day", strconv.Itoa(d.Day), strings.Split(t.Text("months"), "|")[d.Month-1], strconv.Itoa(d.Year))
}
