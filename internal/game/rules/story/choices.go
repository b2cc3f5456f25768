package story

import (
	"context"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// mostChoices is how many choices are offered.
const mostChoices = 4

// Choice is something that can be done, with the call that does it.
type Choice struct {
	Label string
	Tool  string
	Args  *rules.Obj
}

// choices is choices. Its result is {"choices":[{"label","call":{"tool","args"}}]}.
func choices() rules.Tool {
	return rules.Tool{
		Name: "choices", Class: rules.Reading,
		Doc: "Tells up to four things that the acting player can do now, each with the call that does it.",
		Run: func(_ context.Context, s *rules.Step, _ rules.Args) rules.Done {
			actor, _ := viewer(s)
			list := Choices(s.World, s.Book, s.Lang, actor)
			objs := make([]*rules.Obj, 0, len(list))
			labels := make([]string, 0, len(list))
			for _, c := range list {
				call := rules.NewObj().Text("tool", c.Tool).Obj("args", c.Args)
				objs = append(objs, rules.NewObj().Text("label", c.Label).Obj("call", call))
				labels = append(labels, c.Label)
			}
			if len(list) == 0 {
				return rules.Did(rules.NewObj().Objs("choices", nil), "choices.none")
			}
			return rules.Did(rules.NewObj().Objs("choices", objs), "look.text", strings.Join(labels, "\n"))
		},
	}
}

// Choices returns what an actor can do: at most four things, what changes most first, always the same for the same world. Each
// would be applied if that actor's call were made now. Nil is nobody, who can do nothing.
func Choices(w *world.World, book *rules.Book, lang string, actor *world.Actor) []Choice {
	if actor == nil || !rules.CanAct(actor) || w.Self().Ended {
		return nil
	}
	c := chooser{w: w, book: book, lang: lang, actor: actor}
	if w.Encounter() != nil {
		return c.fight()
	}
	sight := From(w, w.Place(actor.Place), actor.ID)
	fresh, known := c.ways(sight)
	taken, people := c.things(sight), c.people(sight)
	var list []Choice
	head := func(list []Choice, n int) []Choice { return list[:min(len(list), n)] }
	for _, some := range [][]Choice{head(fresh, 2), head(taken, 1), head(people, 1), fresh, taken, people, known} {
		for _, choice := range some {
			if len(list) < mostChoices && !slices.ContainsFunc(list, func(x Choice) bool { return x.Label == choice.Label }) {
				list = append(list, choice)
			}
		}
	}
	return list
}

// chooser looks for what can be done.
type chooser struct {
	w     *world.World
	book  *rules.Book
	lang  string
	actor *world.Actor
}

// choice returns a choice in a list, or nothing where its tool may not be used.
func (c chooser) choice(tool string, args *rules.Obj, key string, words ...string) []Choice {
	if c.book.Tool(tool) == nil || !rules.Allowed(c.w.Self(), tool) {
		return nil
	}
	return []Choice{{Label: c.book.Text(c.lang, rules.Say{Key: key, Args: words}), Tool: tool, Args: args}}
}

// ways returns the exits that can be taken, to where nobody was and to where somebody was; a door that the actor can open comes with the
// former.
func (c chooser) ways(sight Sight) (fresh, known []Choice) {
	for _, l := range sight.Exits {
		to := c.w.Place(l.To)
		if l.Blocked != "" || l.Needs != "" || to.ID == sight.Place.ID {
			continue
		}
		if l.Door == world.ClosedDoor || l.Door == world.LockedDoor && l.Lock != "" && c.w.Carries(c.actor.ID, l.Lock) {
			fresh = append(fresh, c.choice("set_link", rules.NewObj().Text("from", l.From).Text("to", l.To).Text("state", world.OpenDoor),
				"choices.open", rules.Called(to.Name, to.ID))...)
		}
		if l.Door == world.ClosedDoor || l.Door == world.LockedDoor {
			continue
		}
		choice := c.choice("move_player", rules.NewObj().Text("player_id", c.actor.ID).Text("target_location_id", to.ID),
			"choices.go", rules.Called(to.Name, to.ID))
		if to.Visited {
			known = append(known, choice...)
		} else {
			fresh = append(fresh, choice...)
		}
	}
	return fresh, known
}

// things returns the objects that lie about and can be taken.
func (c chooser) things(sight Sight) (list []Choice) {
	for _, t := range sight.Things {
		if t.Fixed || t.Rel == world.Part {
			continue
		}
		list = append(list, c.choice("move_object", rules.NewObj().Text("object_id", t.ID).Text("target_id", c.actor.ID),
			"choices.take", thingName(t.Thing))...)
	}
	return list
}

// people returns those who are here to be looked at.
func (c chooser) people(sight Sight) (list []Choice) {
	for _, a := range sight.Actors {
		if !slices.Contains(c.w.Self().Party, a.ID) {
			list = append(list, c.choice("look", rules.NewObj().Text("target_id", a.ID), "choices.look", rules.Called(a.Name, a.ID))...)
		}
	}
	return list
}

// fight returns what can be done in a fight: attacks with the best weapon at hand, and to wait; or, where nobody is left to
// fight, its end.
func (c chooser) fight() (list []Choice) {
	foes := enemies(c.w)
	weapon := c.weapon()
	for _, foe := range foes {
		if foe.Place != c.actor.Place || foe.ID == c.actor.ID || !foe.HP.Known && !foe.HPMax.Known {
			continue
		}
		args := rules.NewObj().Text("attacker_id", c.actor.ID).Text("target_id", foe.ID)
		if weapon != "" {
			args.Text("weapon_id", weapon)
		}
		if len(list) < mostChoices-1 {
			list = append(list, c.choice("attack", args, "choices.attack", rules.Called(foe.Name, foe.ID))...)
		}
	}
	if len(foes) == 0 {
		return append(list, c.choice("encounter_end", rules.NewObj(), "choices.end")...)
	}
	return append(list, c.choice("next_turn", rules.NewObj(), "choices.pass")...) // the foes can act, so somebody is left
}

// weapon returns what the actor has in hand with the largest damage, the first of several, or "".
func (c chooser) weapon() (best string) {
	most := int64(0)
	for _, t := range c.w.Contents(c.actor.ID) {
		if damage := t.Stats["damage"]; !t.Hidden && damage > most {
			best, most = t.ID, damage
		}
	}
	return best
}
