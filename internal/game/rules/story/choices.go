package story

import (
	"context"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// maxChoices is how many choices are offered.
const maxChoices = 4

// Choice is something that can be done, with the call that does it.
type Choice struct {
	Label string
	Tool  string
	Args  *rules.Obj
}

// runChoices runs the tool choices. Its result is {"choices":[{"label","call":{"tool","args"}}]}.
func runChoices(_ context.Context, s *rules.Step, _ rules.Args) *rules.Verdict {
	actor, _ := viewpointOf(s)
	list := Choices(s.World, s.Book, s.Lang, actor)
	var items rules.Items
	for _, c := range list {
		call := rules.NewObj().Text("tool", c.Tool).Obj("args", c.Args)
		items.Add(rules.NewObj().Text("label", c.Label).Obj("call", call), c.Label)
	}
	if len(list) == 0 {
		return rules.Accept(rules.NewObj().Objs("choices", nil), "choices.none")
	}
	return rules.Accept(rules.NewObj().Objs("choices", items.Objs), "look.text", strings.Join(items.Lines, "\n"))
}

// Choices returns what an actor can do: at most four things, those that change most first, and always the same for the
// same world. Each of them would succeed as the actor's next call. A nil actor can do nothing.
func Choices(w *world.World, book *rules.Book, lang string, actor *world.Actor) []Choice {
	if actor == nil || !rules.CanAct(actor) || w.Self().Ended {
		return nil
	}
	c := chooser{w: w, book: book, lang: lang, actor: actor}
	if w.Encounter() != nil {
		return c.fight()
	}
	c.sight = SightFrom(w, w.Place(actor.Place), actor.ID)
	switch {
	case c.sight.Place == nil:
		return nil
	case c.sight.Place.IsPage():
		return c.pageChoices()
	}
	steps, foes, gifts, words, lids := c.questChoices(), c.attackChoices(), c.giftChoices(), c.talkChoices(), c.lidChoices()
	fresh, known, onwards := c.wayChoices()
	zones := c.zoneChoices()
	taken, people, hunt := c.thingChoices(), c.peopleChoices(), c.searchChoices()
	var list []Choice
	head := func(list []Choice, n int) []Choice { return list[:min(len(list), n)] }
	for _, some := range [][]Choice{
		head(steps, 1), head(foes, 1), head(gifts, 1), head(words, 1), head(lids, 1), head(fresh, 2-len(hunt)), hunt, head(taken, 1),
		head(words, 2),
		head(known, min(onwards, 1)), head(zones, 1), head(c.fixtureChoices(), 1), head(people, 1),
		steps, gifts, words, lids, fresh, taken, people, known, zones,
	} {
		for _, choice := range some {
			if len(list) < maxChoices && !slices.ContainsFunc(list, func(x Choice) bool { return x.Label == choice.Label }) {
				list = append(list, choice)
			}
		}
	}
	return list
}

// pageChoices returns all that can be chosen on a page, in the words of the tale.
func (c chooser) pageChoices() (list []Choice) {
	for _, l := range c.sight.Exits {
		for _, choice := range c.goTo(c.w.Place(l.To)) {
			choice.Label = rules.NameOf(c.w.Place(l.To))
			list = append(list, choice)
		}
	}
	return list
}

// chooser finds the choices of an actor.
type chooser struct {
	w     *world.World
	book  *rules.Book
	lang  string
	actor *world.Actor
	sight Sight // from where the actor is
}

// choice returns a list of one choice, or nothing if its tool may not be used.
func (c chooser) choice(tool string, args *rules.Obj, key string, words ...any) []Choice {
	if c.book.Tool(tool) == nil || !rules.Allowed(c.w.Self(), tool) {
		return nil
	}
	return []Choice{{Label: c.book.Text(c.lang, rules.NewSentence(key, words...)), Tool: tool, Args: args}}
}

// way returns the choice for an exit: to go there, or to open its door.
func (c chooser) way(l *world.Link) []Choice {
	to := c.w.Place(l.To)
	if !c.canPass(l) || to.ID == l.From {
		return nil
	}
	if rules.Shut(l) {
		return c.choice("set_link", rules.NewObj().Text("from", l.From).Text("to", l.To).Text("state", world.OpenDoor),
			"choices.open", to)
	}
	return c.goTo(to)
}

// goTo returns the choice to go to a neighbouring place: by move if that is all that a campaign of seed 002 allows.
func (c chooser) goTo(to *world.Place) []Choice {
	if c.book.Tool("move") != nil && !rules.Allowed(c.w.Self(), "move_player") {
		return c.choice("move", rules.NewObj().Text("actor_id", c.actor.ID).Text("to_area_id", to.ID), "choices.go", to)
	}
	return c.choice("move_player", rules.NewObj().Text("player_id", c.actor.ID).Text("target_location_id", to.ID), "choices.go", to)
}

// canPass reports whether a way can be taken once its door is open.
func (c chooser) canPass(l *world.Link) bool {
	return l.Blocked == "" && l.Needs == "" && (l.Door != world.LockedDoor || l.Lock != "" && c.w.Carries(c.actor.ID, l.Lock))
}

// thingChoices returns the objects to take, those inside of others first.
func (c chooser) thingChoices() (list []Choice) {
	var loose []Choice
	var walk func(things []VisibleThing, to *[]Choice)
	walk = func(things []VisibleThing, to *[]Choice) {
		for _, t := range things {
			walk(t.Inside, &list)
			if !IsInPlace(c.w, t.Thing) {
				*to = append(*to, c.take(t.Thing)...)
			}
		}
	}
	walk(c.sight.Things, &loose)
	return append(list, loose...)
}

// IsInPlace reports whether an object is where a quest wants it.
func IsInPlace(w *world.World, t *world.Thing) bool {
	for _, q := range w.Quests() {
		for _, o := range q.Objectives {
			if world.Condition(q.When[o]).Wants("in", t.ID, t.Parent) {
				return true
			}
		}
	}
	return false
}

// take returns the taking of an object that is seen.
func (c chooser) take(t *world.Thing) []Choice {
	if t.Fixed || t.Rel == world.Part {
		return nil
	}
	return c.choice("move_object", rules.NewObj().Text("object_id", t.ID).Text("target_id", c.actor.ID), "choices.take",
		thingName(t))
}

// peopleChoices returns the people here to look at.
func (c chooser) peopleChoices() (list []Choice) {
	for _, a := range c.sight.Actors {
		if !rules.InParty(c.w, a.ID) {
			list = append(list, c.choice("look", rules.NewObj().Text("target_id", a.ID), "choices.look", a)...)
		}
	}
	return list
}

// fight returns the choices in a fight: attacks with the best weapon at hand, and to wait. If no foe is left, the
// choice is to end the fight.
func (c chooser) fight() (list []Choice) {
	foes := enemies(c.w)
	for _, foe := range foes {
		if foe.Place == c.actor.Place && len(list) < maxChoices-1 {
			list = append(list, c.attack(foe)...)
		}
	}
	if len(foes) == 0 {
		return append(list, c.choice("encounter_end", rules.NewObj(), "choices.end")...)
	}
	return append(list, c.choice("next_turn", rules.NewObj(), "choices.pass")...) // the foes can act, so the fight goes on
}

// attack returns an attack on somebody here with the best weapon at hand. Nobody attacks a target without hit points.
func (c chooser) attack(foe *world.Actor) []Choice {
	if foe.ID == c.actor.ID || !foe.HP.Known && !foe.HPMax.Known {
		return nil
	}
	args := rules.NewObj().Text("attacker_id", c.actor.ID).Text("target_id", foe.ID)
	if weapon := rules.Weapon(c.w, c.actor.ID); weapon != nil {
		args.Text("weapon_id", weapon.ID)
	}
	return c.choice("attack", args, "choices.attack", foe)
}
